import { describe, expect, it } from 'vitest';
import { servesAsBaseline } from '../../lib/domain/baseline.ts';
import { FINDING_CLASSES, type FindingClass, type Suppressed, VERDICTS } from '../../lib/domain/finding.ts';
import { aFinding, aResult } from '../support/builders.ts';

// Behind these a change of the configuration may wait, and with these digests as baseline it would look absorbed.
const REFUSED: readonly FindingClass[] = ['deleted-outside', 'absorbed', 'pending-config', 'data-driven'];

const suppressed = (findingClass: FindingClass): Suppressed => ({
  address: 'aws_sqs_queue.jobs',
  class: findingClass,
  severity: 'low',
  paths: [],
  rule: { owner: 'team-queues', reason: 'known', expires: '2027-01-01' },
});

describe('a result as baseline', () => {
  it('serves only where nothing was pending', () => {
    expect(VERDICTS.filter((verdict) => servesAsBaseline(aResult({ verdict })))).toEqual(['in-sync', 'drifted']);
  });

  it('does not serve with findings that may hide a pending change', () => {
    const serves = (findingClass: FindingClass) =>
      servesAsBaseline(aResult({ verdict: 'drifted', findings: [aFinding({ class: findingClass })] }));

    expect(FINDING_CLASSES.filter((findingClass) => !serves(findingClass))).toEqual(REFUSED);
  });

  it('does not serve where such findings are only ignored', () => {
    const serves = (findingClass: FindingClass) =>
      servesAsBaseline(aResult({ suppressed: [suppressed(findingClass)] }));

    expect(FINDING_CLASSES.filter((findingClass) => !serves(findingClass))).toEqual(REFUSED);
  });

  it('does not serve where the check has not seen everything, or nothing is known of its inputs', () => {
    expect(servesAsBaseline(aResult({ complete: false }))).toBe(false);
    expect(servesAsBaseline(aResult({ mode: 'refresh-only' }))).toBe(false);
    expect(servesAsBaseline(aResult({ digests: null }))).toBe(false);
  });
});
