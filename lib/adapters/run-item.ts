import { runKey, runsOfStack } from '../contract/keys.ts';
import { EXPIRY_ATTRIBUTE } from '../contract/table.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { RunOutcome, RunRecord } from '../domain/run.ts';
import { fitOutcome } from './fit-item.ts';

/** What a finished run is: `failed` where it was lost or its check has no verdict; a busy stack is no failure. */
export function statusOf(outcome: RunOutcome): 'succeeded' | 'failed' {
  return outcome.kind === 'lost' || outcome.summary.verdict === 'failed' ? 'failed' : 'succeeded';
}

/** All attributes of a run's item. */
export function toRunItem(run: RunRecord, retentionMs: number) {
  return {
    ...runKey(run.runId),
    ...run,
    outcome: run.outcome && JSON.stringify(fitOutcome(run.outcome)),
    stackPk: runsOfStack(run.stackId),
    stackSk: run.runId,
    [EXPIRY_ATTRIBUTE]: Math.ceil((Date.parse(run.createdAt) + retentionMs) / 1000),
  };
}

export function runNotFound(runId: string): HoldfastError {
  return new HoldfastError('RunNotFound', `there is no run ${runId}`, {
    hint: 'Runs are deleted when their retention is over.',
  });
}
