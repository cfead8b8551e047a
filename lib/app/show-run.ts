import { HoldfastError } from '../domain/errors.ts';
import type { RunRecord } from '../domain/run.ts';
import type { ArtifactStore, RunReport } from '../ports/artifact-store.ts';
import type { RunStore } from '../ports/run-store.ts';

export interface ShowRunDeps {
  readonly runs: RunStore;
  readonly artifacts: ArtifactStore;
}

export interface ShownRun {
  readonly run: RunRecord;
  /** `undefined`: it has none yet, or ended without one, or it was deleted because of its age. */
  readonly report: RunReport | undefined;
}

/** Throws `RunNotFound`, and `ResultUnreadable` where there is a report that can't be read. */
export async function showRun(deps: ShowRunDeps, { runId }: { readonly runId: string }): Promise<ShownRun> {
  const run = await findRun(deps, { runId });
  return { run, report: await deps.artifacts.getReport(run.stackId, runId) };
}

/** Throws `RunNotFound`. */
export async function findRun(
  { runs }: Pick<ShowRunDeps, 'runs'>,
  { runId }: { readonly runId: string },
): Promise<RunRecord> {
  const run = await runs.get(runId);
  if (run !== undefined) return run;
  throw new HoldfastError('RunNotFound', `no run ${JSON.stringify(runId)}`, {
    hint: '"holdfast runs STACK" lists the runs of a stack; records are kept for a while only',
  });
}
