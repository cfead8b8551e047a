import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { createTerraformRunner, type TerraformRunnerOptions } from '../../lib/adapters/terraform-runner.ts';
import type { PlanRequest, PlanRun } from '../../lib/ports/engine-runner.ts';
import { aFakeEngine, type FakeAct, type FakeEngine } from './fake-engine.ts';

export interface FakeRun {
  readonly engine: FakeEngine;
  /** What `run` of the runner returned. */
  readonly run: Promise<PlanRun>;
  /** Resolves to what is left in the folder for temporary files once the run is over. */
  readonly leftovers: () => Promise<string[]>;
}

export interface FakeRunOptions {
  readonly acts?: Readonly<Record<string, FakeAct>>;
  readonly request?: Partial<PlanRequest>;
  readonly tool?: Partial<TerraformRunnerOptions['tool']>;
  readonly options?: Partial<Omit<TerraformRunnerOptions, 'tool'>>;
}

/** Starts a run of a new fake engine. */
export async function startFakeRun({ acts, request, tool, options }: FakeRunOptions): Promise<FakeRun> {
  const engine = await aFakeEngine(acts);
  const tempRoot = await mkdtemp(path.join(tmpdir(), 'runner-test-'));
  onTestFinished(() => rm(tempRoot, { recursive: true, force: true }));
  const runner = createTerraformRunner({
    tool: { name: 'terraform', path: engine.path, version: '1.11.4', ...tool },
    env: process.env,
    tempRoot,
    graceMs: 10_000,
    ...options,
  });
  const run = runner.run({ ...aPlanRequest(engine.directory), ...request });
  // Tests look at it later, when it may have failed already.
  run.catch(() => {});
  const leftovers = async () => {
    await run.catch(() => {});
    return readdir(tempRoot);
  };
  return { engine, run, leftovers };
}

export function aPlanRequest(directory: string): PlanRequest {
  return { directory, backendConfig: [], varFiles: [], vars: [], mode: 'plan', timeoutMs: 60_000 };
}
