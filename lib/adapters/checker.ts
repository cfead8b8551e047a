import { randomBytes } from 'node:crypto';
import { HoldfastError } from '../domain/errors.ts';
import type { BaselineStore } from '../ports/baseline-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Sha256 } from '../ports/digest.ts';
import type { EngineRunner, ModuleReader } from '../ports/engine-runner.ts';
import type { EngineRequest, Toolchain } from '../ports/toolchain.ts';
import { createFileBaselineStore, loadSalt } from './file-baseline-store.ts';
import { createMemoryBaselineStore } from './memory-baseline-store.ts';
import { createModuleReader } from './module-reader.ts';
import { sha256 } from './sha256.ts';
import { createTerraformRunner, type TerraformRunnerOptions } from './terraform-runner.ts';

export interface CheckerDeps {
  readonly toolchain: Toolchain;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface CheckerOptions {
  readonly engine: EngineRequest;
  /** Directory of the baselines; without one they live as long as the process. */
  readonly stateDirectory: string | undefined;
  /** Names of environment variables that providers need, beyond the usual ones. */
  readonly handOn: readonly string[];
}

export interface Checker {
  readonly engine: EngineRunner;
  readonly modules: ModuleReader;
  readonly baselines: BaselineStore;
  readonly clock: Clock;
  readonly sha256: Sha256;
}

/** Puts together what checking root modules on this machine takes. */
export async function createChecker({ toolchain, env }: CheckerDeps, options: CheckerOptions): Promise<Checker> {
  const { stateDirectory } = options;
  const salt = stateDirectory === undefined ? randomBytes(32) : await loadSalt(stateDirectory);
  return {
    engine: createToolchainRunner({ toolchain, env }, { engine: options.engine, handOn: options.handOn }),
    modules: createModuleReader({ env, salt }),
    baselines:
      stateDirectory === undefined
        ? createMemoryBaselineStore()
        : createFileBaselineStore({ directory: stateDirectory }),
    clock: { now: () => new Date() },
    sha256,
  };
}

export interface ToolchainRunnerOptions
  extends Pick<TerraformRunnerOptions, 'forInit' | 'planFile' | 'tempRoot' | 'graceMs' | 'log'> {
  readonly engine: EngineRequest;
  readonly handOn: readonly string[];
}

/** Finds the engine when a stack needs it, so that a missing one is that stack's failure and not everybody's. */
export function createToolchainRunner(
  { toolchain, env }: CheckerDeps,
  { engine, ...options }: ToolchainRunnerOptions,
): EngineRunner {
  return {
    async run(request) {
      const { directory } = request;
      const tool = await toolchain.engine({ ...engine, directory });
      const runWith = (mirrors: { readonly cliConfigFile?: string }) =>
        createTerraformRunner({ tool, env, ...options, ...mirrors }).run(request);
      const cliConfigFile = await toolchain.cliConfig({ engine: tool.name, directory });
      if (cliConfigFile === undefined) return runWith({});
      return runWith({ cliConfigFile }).catch((error: unknown) => {
        if (!(error instanceof HoldfastError) || error.code !== 'InitFailed') throw error;
        // A mirror may hold another version than the configuration asks for: then the registry has to help.
        return runWith({}).catch(() => Promise.reject(error));
      });
    },
  };
}
