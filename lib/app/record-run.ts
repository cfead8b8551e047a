import { concludeRun } from '../domain/conclude-run.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { RunOutcome, RunRecord } from '../domain/run.ts';
import { summarise } from '../domain/summarise.ts';
import { explainsFailure, judgeEnding, type RunEnding } from '../domain/task-end.ts';
import type { ArtifactStore, RunReport } from '../ports/artifact-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Sha256 } from '../ports/digest.ts';
import type { IdSource } from '../ports/id-source.ts';
import type { RunStore } from '../ports/run-store.ts';
import { changeStack } from './change-stack.ts';
import { type PublishOutboxDeps, publishOutbox } from './publish-outbox.ts';

export interface RecordRunDeps extends PublishOutboxDeps {
  readonly runs: RunStore;
  readonly artifacts: ArtifactStore;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly sha256: Sha256;
}

export interface RecordRunInput {
  readonly runId: string;
  readonly ending: RunEnding;
}

export type RecordedRun =
  /** No run of ours. */
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'recorded';
      readonly stackId: string;
      readonly runId: string;
      readonly outcome: RunOutcome;
      /** False where the run was finished before: a repeated event, or a crash half-way through the first one. */
      readonly first: boolean;
    };

/**
 * Brings a run that has ended to its terminal state, its stack to what follows from that, and its events to those who
 * listen. May be called as often as one likes, in any order: the first outcome stays, and a stack takes it over once.
 *
 * The run is finished before its stack lets go of it. A crash in between leaves it in flight, where the watchdog finds
 * it; the other way round nobody would.
 */
export async function recordRun(deps: RecordRunDeps, { runId, ending }: RecordRunInput): Promise<RecordedRun> {
  const run = await deps.runs.get(runId);
  if (run === undefined) return { kind: 'unknown' };
  const { outcome, first } = await finish(deps, run, ending);
  const now = deps.clock.now();
  const changed = await changeStack(deps.stacks, {
    stackId: run.stackId,
    change: (stack) => concludeRun(stack, { runId, outcome, task: run.task }, now, () => deps.ids.next(now)).state,
  });
  if (changed.kind !== 'missing') await publishOutbox(deps, changed.stack);
  return { kind: 'recorded', stackId: run.stackId, runId, outcome, first };
}

interface FinishedRun {
  readonly outcome: RunOutcome;
  readonly first: boolean;
}

async function finish(deps: RecordRunDeps, run: RunRecord, ending: RunEnding): Promise<FinishedRun> {
  if (run.outcome !== null) return { outcome: run.outcome, first: false };
  const outcome = await outcomeOf(deps, run, ending);
  if ((await deps.runs.finish(run.runId, outcome, deps.clock.now())) === 'finished') return { outcome, first: true };
  // Somebody was faster, and what the run record says counts.
  const stored = await deps.runs.get(run.runId);
  return { outcome: stored?.outcome ?? outcome, first: false };
}

async function outcomeOf(deps: RecordRunDeps, run: RunRecord, ending: RunEnding): Promise<RunOutcome> {
  const report = await readReport(deps.artifacts, run);
  if (report instanceof HoldfastError) {
    const { code, message } = report;
    return { kind: 'lost', failure: { code, message }, outOfMemory: false };
  }
  if (report === undefined) return judgeEnding(ending, run.task);
  const { result, commit, peakMemoryMiB } = report;
  if (result.verdict === 'failed' && explainsFailure(ending, result.failure)) return judgeEnding(ending, run.task);
  return { kind: 'result', summary: summarise({ result, commit, peakMemoryMiB }, deps.sha256) };
}

/** What the runner left behind: nothing, a report, or something that can't be read, which is why it ended so. */
export async function readReport(
  artifacts: ArtifactStore,
  { stackId, runId }: RunRecord,
): Promise<RunReport | HoldfastError | undefined> {
  try {
    return await artifacts.getReport(stackId, runId);
  } catch (error) {
    if (error instanceof HoldfastError && error.code === 'ResultUnreadable') return error;
    throw error;
  }
}
