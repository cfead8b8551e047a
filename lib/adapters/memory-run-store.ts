import type { RunRecord } from '../domain/run.ts';
import type { RunStore } from '../ports/run-store.ts';
import { fitOutcome } from './fit-item.ts';
import { runNotFound, statusOf } from './run-item.ts';

/** Forgets everything when the process ends. */
export function createMemoryRunStore(): RunStore {
  const runs = new Map<string, RunRecord>();
  const known = (runId: string): RunRecord => {
    const run = runs.get(runId);
    if (run === undefined) throw runNotFound(runId);
    return run;
  };
  return {
    create: async (run) => {
      if (!runs.has(run.runId)) runs.set(run.runId, run);
    },
    get: async (runId) => runs.get(runId),
    listForStack: async (stackId, limit) =>
      [...runs.values()]
        .filter((run) => run.stackId === stackId)
        .sort((left, right) => (left.runId > right.runId ? -1 : 1))
        .slice(0, limit),
    started: async (runId, taskArn) => {
      const run = known(runId);
      runs.set(runId, { ...run, taskArn, ...(run.finishedAt === null && { status: 'running' }) });
    },
    finish: async (runId, outcome, at) => {
      const run = known(runId);
      if (run.finishedAt !== null) return 'already-finished';
      const end = { status: statusOf(outcome), finishedAt: at.toISOString(), outcome: fitOutcome(outcome) };
      runs.set(runId, { ...run, ...end });
      return 'finished';
    },
  };
}
