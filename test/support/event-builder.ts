import type { DriftEvent } from '../../lib/domain/drift-event.ts';

/** Somebody changed something of medium severity. */
export const anEvent = (over: Partial<DriftEvent> = {}): DriftEvent => ({
  schemaVersion: 1,
  type: 'drift.detected',
  stackId: 'prod/network',
  sequence: 1,
  at: '2026-03-02T09:02:00.000Z',
  runId: '01KJPX4ZZZ0000000000000001',
  verdict: 'drifted',
  severity: 'medium',
  episode: {
    id: '01KJPX4ZZZ0000000000000002',
    startedAt: '2026-03-02T09:02:00.000Z',
    consecutive: 1,
    fingerprint: 'f',
    flapping: false,
  },
  counts: null,
  topFindings: [],
  failure: null,
  commit: null,
  owner: 'platform',
  labels: [],
  routes: [],
  ...over,
});
