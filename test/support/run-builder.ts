import type { RunRecord } from '../../lib/domain/run.ts';

/** The record of a check that is queued. */
export const aRun = (over: Partial<RunRecord> = {}): RunRecord => ({
  runId: '01KJPX4ZZZ0000000000000001',
  stackId: 'prod/network',
  kind: 'check',
  trigger: 'schedule',
  attempt: 1,
  status: 'queued',
  createdAt: '2026-03-02T09:00:00.000Z',
  deadline: '2026-03-02T09:40:00.000Z',
  task: { cpu: 1024, memoryMiB: 2048, arch: 'arm64' },
  taskArn: null,
  finishedAt: null,
  outcome: null,
  ...over,
});
