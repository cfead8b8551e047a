import { describe, expect, it } from 'vitest';
import { formatRuns } from '../../lib/cli/format-runs.ts';
import { aResult } from '../support/builders.ts';
import { aRun } from '../support/run-builder.ts';
import { aDriftedSummary, aSummary, lost, result } from '../support/stack-builder.ts';

const layout = { color: false, width: 140, now: new Date('2026-03-02T09:12:00.000Z') };
const finishedAt = '2026-03-02T09:00:12.400Z';

describe('formatRuns', () => {
  it('has a line for each run: when, why, how long, and how it ended', () => {
    const drift = aDriftedSummary('f', { counts: aResult({ counts: { drift: 1 } }).counts });
    const lines = formatRuns(
      [
        aRun({ runId: 'e' }),
        aRun({ runId: 'd', trigger: 'retry', attempt: 2, status: 'failed', finishedAt, outcome: lost('killed') }),
        aRun({ runId: 'c', trigger: 'manual', status: 'succeeded', finishedAt, outcome: result(drift) }),
        aRun({ runId: 'b', status: 'succeeded', finishedAt, outcome: result(aSummary()) }),
      ],
      layout,
    );

    expect(lines).toEqual([
      '   RUN  STARTED (UTC)        AGO  TRIGGER            TOOK   OUTCOME  FINDINGS',
      '·  e    2026-03-02 09:00:00  12m  schedule                  queued',
      '✗  d    2026-03-02 09:00:00  12m  retry (attempt 2)  12.4s  lost     killed',
      '≠  c    2026-03-02 09:00:00  12m  manual             12.4s  drifted  medium: 1 drifted',
      '✓  b    2026-03-02 09:00:00  12m  schedule           12.4s  in sync',
    ]);
  });

  it('tells why a run has no verdict', () => {
    const failure = { code: 'PlanFailed', message: 'access denied' };
    const summary = aSummary({ verdict: 'failed', complete: false, failure });
    const [, line] = formatRuns([aRun({ status: 'failed', finishedAt, outcome: result(summary) })], layout);

    expect(line).toMatch(/^✗ .* failed {3}access denied$/);
  });

  it('says so where there are none', () => {
    expect(formatRuns([], layout)).toEqual(['no runs']);
  });
});
