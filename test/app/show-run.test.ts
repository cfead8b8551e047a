import { describe, expect, it } from 'vitest';
import { createMemoryArtifactStore } from '../../lib/adapters/memory-artifact-store.ts';
import { createMemoryRunStore } from '../../lib/adapters/memory-run-store.ts';
import { findRun, showRun } from '../../lib/app/show-run.ts';
import { aResult } from '../support/builders.ts';
import { aRun } from '../support/run-builder.ts';

async function aWorld() {
  const deps = { runs: createMemoryRunStore(), artifacts: createMemoryArtifactStore(new Map()) };
  await deps.runs.create(aRun());
  return deps;
}

describe('showRun', () => {
  it('finds a run and its report', async () => {
    const deps = await aWorld();
    const run = aRun();
    const { runId, stackId } = run;
    const result = aResult({ stack: stackId });
    const report = { schemaVersion: 1, runId, stackId, result, commit: null, peakMemoryMiB: null } as const;
    await deps.artifacts.putReport(report);

    expect(await showRun(deps, { runId })).toEqual({ run, report });
  });

  it('finds a run that has no report yet', async () => {
    expect(await showRun(await aWorld(), { runId: aRun().runId })).toEqual({ run: aRun(), report: undefined });
  });

  it('fails on a run that it does not know', async () => {
    await expect(showRun(await aWorld(), { runId: 'nope' })).rejects.toMatchObject({ code: 'RunNotFound' });
    await expect(findRun(await aWorld(), { runId: 'nope' })).rejects.toThrow('no run "nope"');
  });
});
