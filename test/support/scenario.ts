import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { createChecker } from '../../lib/adapters/checker.ts';
import { createToolchain } from '../../lib/adapters/toolchain.ts';
import { checkStack } from '../../lib/app/check-stack.ts';
import { Result } from '../../lib/contract/result-schema.ts';
import type { CheckResult, Counts, Failure, Warning } from '../../lib/domain/finding.ts';
import { NO_RULES } from '../../lib/domain/rules.ts';
import { secretSettings } from '../../lib/domain/secrets.ts';
import type { EngineRunner, PlanRequest } from '../../lib/ports/engine-runner.ts';
import type { Toolchain } from '../../lib/ports/toolchain.ts';
import { aResult } from './builders.ts';
import { leakedValues } from './leaked-values.ts';
import { TEST_CACHE } from './tools.ts';
import { describeInWorld, startWorld, type World } from './world.ts';
import type { WorldStack } from './world-stack.ts';

/** What happens to one stack, and what Holdfast makes of it. */
export interface Scenario extends WorldStack {
  /**
   * Checks the stack as a process of its own would: only files are left of the checks before. Whatever comes out, it
   * must fit the published schema and hold no attribute value of the plan.
   */
  check(options?: Partial<Pick<PlanRequest, 'mode' | 'vars'>>): Promise<CheckResult>;
  /** The whole result of a check with a verdict, from the parts that matter. What isn't named is empty. */
  concludes(parts: Conclusion): CheckResult;
  /** The whole result of a check without a verdict. */
  fails(failure: Failure, exitCode: number | null): CheckResult;
}

type Parts = Pick<CheckResult, 'verdict' | 'findings' | 'noise' | 'warnings' | 'baseline' | 'mode'>;

export interface Conclusion extends Pick<CheckResult, 'exitCode'>, Partial<Parts> {
  /** Terraform's own counts; those of findings follow from the lists. */
  readonly counts?: Partial<Counts>;
  /**
   * Whether Terraform had anything to show beside its event stream.
   *
   * @default true
   */
  readonly hasDocument?: boolean;
}

/** Where scenarios take place. */
export interface Stage {
  readonly world: World;
  /** The name of a scenario, and those of its resources, are its own. */
  scenario(name: string, files: Readonly<Record<string, string>>): Promise<Scenario>;
}

/** `describe` for scenarios in a world of their own, which is there once the first of them runs. */
export function describeScenarios(name: string, define: (stage: Stage) => void): void {
  describeInWorld(name, () => {
    let world: World;
    let toolchain: Toolchain;
    beforeAll(async () => {
      world = await startWorld();
      toolchain = createToolchain({ env: world.env, cacheDir: TEST_CACHE, say: console.warn });
    }, 300_000);
    afterAll(() => world?.close());
    define({
      get world() {
        return world;
      },
      scenario: (stack, files) => createScenario({ world, toolchain }, stack, files),
    });
  });
}

interface ScenarioDeps {
  readonly world: World;
  readonly toolchain: Toolchain;
}

async function createScenario(
  deps: ScenarioDeps,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<Scenario> {
  const stack = await deps.world.stack(name, files);
  return {
    ...stack,
    check: (options = {}) => check(deps, { stack: name, directory: stack.directory, ...options }),
    concludes: (parts) => conclusion(deps.world, name, parts),
    fails: (failure, exitCode) => failedResult(name, failure, exitCode),
  };
}

interface CheckInput extends Pick<PlanRequest, 'directory'>, Partial<Pick<PlanRequest, 'mode' | 'vars'>> {
  readonly stack: string;
}

async function check(
  { world: { env }, toolchain }: ScenarioDeps,
  { stack, directory, mode = 'plan', vars = [] }: CheckInput,
): Promise<CheckResult> {
  const stateDirectory = join(env.HOME ?? '', 'baselines');
  const checker = await createChecker({ toolchain, env }, { engine: { name: 'auto' }, stateDirectory, handOn: [] });
  const { engine, documents } = keepDocuments(checker.engine);
  const result = await checkStack(
    { ...checker, engine },
    {
      stack,
      request: { directory, backendConfig: [], varFiles: [], vars, mode, timeoutMs: 120_000 },
      rules: NO_RULES,
      knownSecrets: secretSettings(env, vars),
    },
  );
  Result.parse(result);
  for (const document of documents) expect(leakedValues(JSON.parse(document), result)).toEqual([]);
  return result;
}

function keepDocuments(runner: EngineRunner): { readonly engine: EngineRunner; readonly documents: readonly string[] } {
  const documents: string[] = [];
  const engine: EngineRunner = {
    async run(request) {
      const run = await runner.run(request);
      if (run.document !== undefined) documents.push(run.document);
      return run;
    },
  };
  return { engine, documents };
}

/** Comes with every change that may be pending or absorbed, as only a baseline can tell. */
export const BASELINE_MISSING: Warning = {
  code: 'baseline-missing',
  message:
    'no baseline to compare with: a planned change may be unapplied configuration, or drift that somebody accepted into the state',
};

const SHA256 = /^[0-9a-f]{64}$/;

function conclusion({ terraform }: World, stack: string, { hasDocument = true, ...parts }: Conclusion): CheckResult {
  const digest = expect.stringMatching(SHA256);
  return aResult({
    ...volatile(),
    stack,
    engine: {
      name: 'terraform',
      version: terraform.version,
      formatVersion: hasDocument ? expect.stringMatching(/^1\.\d+$/) : null,
    },
    fingerprint: digest,
    baseline: { kind: 'none' },
    digests: { basis: 'files', config: digest, inputs: digest, providers: digest },
    ...parts,
  });
}

function failedResult(stack: string, failure: Failure, exitCode: number | null): CheckResult {
  return aResult({
    ...volatile(),
    stack,
    verdict: 'failed',
    complete: false,
    failure,
    exitCode,
    engine: { name: null, version: null, formatVersion: null },
    fingerprint: '',
    baseline: { kind: 'none' },
    digests: null,
  });
}

function volatile(): Pick<CheckResult, 'startedAt' | 'durationMs'> {
  return { startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), durationMs: expect.any(Number) };
}
