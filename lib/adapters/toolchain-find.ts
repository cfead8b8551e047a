import type { Tool, ToolName } from '../ports/toolchain.ts';
import { type Cache, cachedPath, cachedVersions } from './toolchain-cache.ts';
import { findOnPath, type Probe, probe } from './toolchain-probe.ts';
import { createSingleFlight } from './toolchain-single-flight.ts';

export interface FindDeps extends Cache {
  readonly env: NodeJS.ProcessEnv;
  readonly say: (message: string) => void;
}

/** What is looked for. */
export interface Wanted<Name extends ToolName = ToolName> {
  readonly tool: Name;
  /** For people: the constraint as it was written. Empty where any version will do. */
  readonly constraint: string;
  readonly matches: (version: string) => boolean;
  readonly directory?: string | undefined;
}

export interface Finder {
  onPath<Name extends ToolName>(wanted: Wanted<Name>): Promise<Tool<Name> | undefined>;
  /** The newest one. */
  inCache<Name extends ToolName>(wanted: Wanted<Name>): Promise<Tool<Name> | undefined>;
}

/** Looks for tools on this machine. Programs that don't work or don't fit are passed over, and that is said once. */
export function createFinder(deps: FindDeps): Finder {
  const probes = createSingleFlight<Probe>();
  const said = new Set<string>();
  const pass = (path: string, reason: string): undefined => {
    const message = `passing over ${path}: ${reason}`;
    if (!said.has(message)) deps.say(message);
    said.add(message);
  };

  /** Its version, if it works and fits. */
  async function judge(path: string, { tool, constraint, matches, directory }: Wanted): Promise<string | undefined> {
    const key = JSON.stringify([path, directory]);
    const answer = await probes(key, () => probe(deps, { tool, path, directory }));
    if (answer.kind === 'broken') return pass(path, answer.reason);
    return matches(answer.version) ? answer.version : pass(path, `${answer.version} does not satisfy "${constraint}"`);
  }

  return {
    async onPath(wanted) {
      for (const path of await findOnPath(deps.env, wanted.tool)) {
        const version = await judge(path, wanted);
        if (version !== undefined) return { name: wanted.tool, path, version, origin: 'path' };
      }
      return undefined;
    },

    async inCache(wanted) {
      for (const version of (await cachedVersions(deps, wanted.tool)).filter(wanted.matches)) {
        const path = cachedPath(deps, wanted.tool, version);
        const found = await judge(path, { ...wanted, directory: undefined });
        if (found === version) return { name: wanted.tool, path, version, origin: 'cache' };
      }
      return undefined;
    },
  };
}
