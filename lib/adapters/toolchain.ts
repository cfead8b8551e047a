import { resolve } from 'node:path';
import { HoldfastError } from '../domain/errors.ts';
import type { EngineName, Tool, Toolchain, ToolName } from '../ports/toolchain.ts';
import { cachedPath } from './toolchain-cache.ts';
import { writeCliConfig } from './toolchain-cli-config.ts';
import { parseConstraint } from './toolchain-constraint.ts';
import { OriginUnreachable } from './toolchain-download.ts';
import { createFinder, type Finder, type Wanted } from './toolchain-find.ts';
import { type InstallDeps, installRelease, requireWorking } from './toolchain-install.ts';
import { findMirrors, SYSTEM_FOLDERS } from './toolchain-mirrors.ts';
import { buildOpa } from './toolchain-opa-build.ts';
import { findOnPath } from './toolchain-probe.ts';
import {
  describeRelease,
  goPlatform,
  listVersions,
  OFFICIAL_ORIGINS,
  type Origins,
  PINNED_VERSIONS,
  PINS,
} from './toolchain-release.ts';
import { createSingleFlight } from './toolchain-single-flight.ts';

export interface ToolchainOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Tools and CLI configurations are kept here across runs. Several processes may share it. */
  readonly cacheDir: string;
  /** Told what is being done, one line at a time. */
  readonly say: (message: string) => void;
  readonly fetch?: typeof fetch;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly origins?: Origins;
  /** See {@link PINS}. */
  readonly pins?: Readonly<Record<string, string>>;
  /** Folders whose children and grandchildren may be provider mirrors. */
  readonly systemFolders?: readonly string[];
}

interface Deps extends InstallDeps {
  readonly cacheDir: string;
  readonly platform: string;
  readonly origins: Origins;
  readonly finder: Finder;
  readonly once: Once;
}

interface Once {
  readonly install: (key: string, start: () => Promise<void>) => Promise<void>;
  readonly list: (key: string, start: () => Promise<string[]>) => Promise<string[]>;
}

/** Policies are written for Rego 1, with the older dialect as fallback: OPA 1.0 is the first to do both. */
const OPA_CONSTRAINT = '>= 1.0';

/** Finds tools on PATH and in a cache, and downloads official builds of what is missing. */
export function createToolchain({
  env,
  say,
  fetch = globalThis.fetch,
  platform: os = process.platform,
  arch = process.arch,
  origins = OFFICIAL_ORIGINS,
  pins = PINS,
  systemFolders = SYSTEM_FOLDERS,
  ...options
}: ToolchainOptions): Toolchain {
  const cacheDir = resolve(options.cacheDir);
  const platform = goPlatform(os, arch);
  const finder = createFinder({ env, say, cacheDir, platform });
  const once: Once = { install: createSingleFlight(), list: createSingleFlight() };
  const deps: Deps = { env, say, fetch, pins, origins, cacheDir, platform, finder, once };
  const mirrors = createSingleFlight<string[]>();
  const systemMirrors = (): Promise<string[]> => mirrors('', () => findMirrors({ say }, systemFolders));
  return {
    async engine({ name, constraint, directory }) {
      const matches = constraint === undefined ? () => true : parseConstraint(constraint);
      const query = { constraint: constraint ?? '', matches, directory };
      for (const tool of name === 'auto' ? (['terraform', 'tofu'] as const) : [name]) {
        const found = await finder.onPath({ ...query, tool });
        if (found !== undefined) return found;
      }
      const wanted: Wanted<EngineName> = { ...query, tool: name === 'auto' ? 'terraform' : name };
      return (await finder.inCache(wanted)) ?? (await downloadEngine(deps, wanted));
    },

    async opa() {
      const wanted = { tool: 'opa', constraint: OPA_CONSTRAINT, matches: parseConstraint(OPA_CONSTRAINT) } as const;
      return (await finder.onPath(wanted)) ?? (await finder.inCache(wanted)) ?? (await obtainOpa(deps));
    },

    cliConfig: (request) => writeCliConfig({ env, cacheDir, os, platform, systemMirrors }, request),
  };
}

async function downloadEngine(deps: Deps, wanted: Wanted<EngineName>): Promise<Tool<EngineName>> {
  const { tool, constraint } = wanted;
  try {
    const version = await chooseVersion(deps, wanted);
    return { name: tool, version, path: await install(deps, tool, version), origin: 'downloaded' };
  } catch (error) {
    if (!(error instanceof OriginUnreachable)) throw error;
    const what = constraint === '' ? tool : `${tool} "${constraint}"`;
    throw missing(deps, { tool, what, cause: error });
  }
}

/** The pinned version where it satisfies the constraint, else the newest that does. */
async function chooseVersion(deps: Deps, { tool, constraint, matches }: Wanted<EngineName>): Promise<string> {
  const pinned = PINNED_VERSIONS[tool];
  if (matches(pinned)) return pinned;
  const versions = await deps.once.list(tool, () => listVersions(deps, tool));
  const version = versions.find(matches);
  if (version !== undefined) return version;
  throw new HoldfastError('EngineMissing', `no release of ${tool} for ${deps.platform} satisfies "${constraint}"`, {
    hint: `The newest release is ${versions[0] ?? 'unknown'}.`,
  });
}

async function install(deps: Deps, tool: ToolName, version: string): Promise<string> {
  const path = cachedPath(deps, tool, version);
  const release = describeRelease(deps.origins, tool, version, deps.platform);
  await deps.once.install(path, () => installRelease(deps, release, path));
  return path;
}

/** Downloaded, else built by the go command. */
async function obtainOpa(deps: Deps): Promise<Tool<'opa'>> {
  const version = PINNED_VERSIONS.opa;
  try {
    return { name: 'opa', version, path: await install(deps, 'opa', version), origin: 'downloaded' };
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.code !== 'DownloadFailed') throw error;
    const [go] = await findOnPath(deps.env, 'go');
    if (go === undefined) throw missing(deps, { tool: 'opa', what: `opa ${version}`, cause: error });
    deps.say(`opa ${version} can't be downloaded: ${error.message}`);
    const path = cachedPath(deps, 'opa', version);
    await deps.once.install(`build ${path}`, () => build(deps, { go, version, path }));
    return { name: 'opa', version, path, origin: 'built' };
  }
}

async function build(deps: Deps, request: { go: string; version: string; path: string }): Promise<void> {
  await buildOpa(deps, request);
  await requireWorking(deps, { tool: 'opa', version: request.version }, request.path);
}

interface Missing {
  readonly tool: ToolName;
  readonly what: string;
  readonly cause: HoldfastError;
}

function missing(deps: Deps, { tool, what, cause }: Missing): HoldfastError {
  const ways = [
    `put ${tool} on PATH`,
    `place it at ${cachedPath(deps, tool, '<version>')}`,
    ...(tool === 'opa' ? ['put go on PATH to build it'] : []),
    'or run once with a connection (behind a proxy, with NODE_USE_ENV_PROXY=1)',
  ];
  const message = `${what} is missing: neither on PATH nor in the cache, and not to be downloaded: ${cause.message}`;
  return new HoldfastError('EngineMissing', message, { cause, hint: `To provide it, ${ways.join(', ')}.` });
}
