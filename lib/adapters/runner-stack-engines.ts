import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Json, showJson } from '../domain/json.ts';
import type { StackEngines } from '../ports/stack-engines.ts';
import { createToolchainRunner } from './checker.ts';
import type { GitSettings } from './git-environment.ts';
import { createModuleReader } from './module-reader.ts';
import { type StackEnvironmentInput, stackEnvironment } from './stack-environment.ts';
import { createToolchain } from './toolchain.ts';

export interface RunnerStackEnginesOptions {
  /** Environment of the runner's own process. */
  readonly task: Readonly<Record<string, string | undefined>>;
  /** Private folder of the run. */
  readonly folder: string;
  /** Tools that are downloaded go here. */
  readonly cacheDir: string;
  /** The same for all runs of a deployment: digests of inputs compare only under one salt. */
  readonly salt: string;
  /** With which `init` fetches modules. */
  readonly git: GitSettings;
  /** As whom stacks without a plan role are checked. @default 'plan-role', which is nobody then */
  readonly identity?: StackEnvironmentInput['identity'];
  readonly say: (message: string) => void;
}

// Shorter than what a run sets aside for its end.
const GRACE_MS = 45_000;

/** Engines for stacks of the service: found or downloaded as the stack asks, in an environment that is its own. */
export function createRunnerStackEngines({ task, folder, ...options }: RunnerStackEnginesOptions): StackEngines {
  const { cacheDir, salt, git, identity = 'plan-role', say } = options;
  return {
    async open({ engine: { name, constraint }, settings, region, credentials, vars, log }) {
      const env = stackEnvironment({ task, settings, region, credentials, identity });
      const engine = constraint === null ? { name } : { name, constraint };
      return {
        engine: createToolchainRunner(
          { toolchain: createToolchain({ env, cacheDir, say }), env },
          {
            engine,
            // All of it has passed an allow-list already.
            handOn: Object.keys(env),
            forInit: { env: git.env, end: git.forget },
            planFile: 'keep',
            tempRoot: folder,
            graceMs: GRACE_MS,
            log,
          },
        ),
        modules: createModuleReader({ env, salt }),
        varFiles: await writeVariables(folder, vars),
      };
    },
  };
}

async function writeVariables(folder: string, vars: Readonly<Record<string, Json>>): Promise<readonly string[]> {
  if (Object.keys(vars).length === 0) return [];
  const file = join(folder, 'catalogue.tfvars.json');
  await writeFile(file, showJson(vars), { mode: 0o600 });
  return [file];
}
