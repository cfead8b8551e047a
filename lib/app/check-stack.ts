import { type Baseline, compareBaseline, servesAsBaseline } from '../domain/baseline.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { BaselineComparison, CheckResult, Engine } from '../domain/finding.ts';
import { concludeFailure, judge, type RunFacts } from '../domain/judge.ts';
import { readPlanDocument } from '../domain/plan-document.ts';
import type { Rules } from '../domain/rules.ts';
import type { BaselineStore } from '../ports/baseline-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Sha256 } from '../ports/digest.ts';
import type { EngineRunner, ModuleReader, PlanRequest } from '../ports/engine-runner.ts';

export interface CheckStackDeps {
  readonly engine: EngineRunner;
  readonly modules: ModuleReader;
  readonly baselines: BaselineStore;
  readonly clock: Clock;
  readonly sha256: Sha256;
}

export interface CheckStackInput {
  /** The stack's id, as results and baselines name it. */
  readonly stack: string;
  readonly request: PlanRequest;
  readonly rules: Rules;
  /** Values that must not be shown wherever they turn up, besides those the plan marks as sensitive. */
  readonly knownSecrets: readonly string[];
}

/**
 * Plans one stack and says what it found. A broken promise on the way (no engine, a failing plan, an unreadable
 * document) is a result too, `failed` or `busy`: it must neither hide other stacks nor look clean.
 */
export async function checkStack(deps: CheckStackDeps, input: CheckStackInput): Promise<CheckResult> {
  const startedAt = deps.clock.now();
  const result = await concludeRun(deps, input, startedAt).catch((error: unknown) => failed(input, error));
  // The clock of a machine may be set back.
  const durationMs = Math.max(0, deps.clock.now().getTime() - startedAt.getTime());
  return { ...result, startedAt: startedAt.toISOString(), durationMs };
}

async function concludeRun(deps: CheckStackDeps, input: CheckStackInput, now: Date): Promise<CheckResult> {
  const { stack, request, rules, knownSecrets } = input;
  const run = await deps.engine.run(request);
  const { digests, ignoreChanges } = await deps.modules.read(request);
  const baseline = compareBaseline(await deps.baselines.load(stack), digests);
  const document = run.document === undefined ? undefined : readPlanDocument(run.document);
  const result = judge({
    ...factsOf(input, { ...run.engine, formatVersion: document?.formatVersion ?? null }, baseline),
    exitCode: run.exitCode,
    digests,
    document,
    summary: run.stream.summary,
    ignoreChanges,
    rules,
    knownSecrets,
    today: now.toISOString().slice(0, 10),
    warnings: [],
    sha256: deps.sha256,
  });
  return servesAsBaseline(result) ? keepBaseline(deps.baselines, result, now) : result;
}

/** What was found stands, whether or not it can be remembered. */
async function keepBaseline(
  baselines: BaselineStore,
  result: CheckResult & { digests: Baseline['digests'] },
  now: Date,
): Promise<CheckResult> {
  try {
    await baselines.save(result.stack, { digests: result.digests, at: now.toISOString() });
    return result;
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    const message = `the baseline was not kept, so the next check compares with an older one: ${error.message}`;
    return { ...result, warnings: [...result.warnings, { code: 'baseline-unsaved', message }] };
  }
}

const UNKNOWN_ENGINE: Engine = { name: null, version: null, formatVersion: null };

function factsOf(
  { stack, request }: CheckStackInput,
  engine: Engine = UNKNOWN_ENGINE,
  baseline: BaselineComparison = { kind: 'none' },
): RunFacts {
  return { stack, mode: request.mode, exitCode: null, engine, digests: null, baseline };
}

function failed(input: CheckStackInput, error: unknown): CheckResult {
  if (!(error instanceof HoldfastError)) throw error;
  const facts = { ...factsOf(input), exitCode: error.code === 'PlanFailed' ? 1 : null };
  return concludeFailure(facts, error, input.knownSecrets);
}
