import { describe, expect, it } from 'vitest';
import { sha256 } from '../../lib/adapters/sha256.ts';
import { summarise } from '../../lib/domain/summarise.ts';
import { aFinding, aResult } from '../support/builders.ts';

const digests = { basis: 'files', config: 'c', inputs: 'i', providers: null } as const;
const of = (over: Parameters<typeof aResult>[0], commit: string | null = null) =>
  summarise({ result: aResult(over), commit, peakMemoryMiB: 512 }, sha256);

describe('summarise', () => {
  const drift = aFinding({ address: 'aws_x.a', class: 'changed-outside', standing: 'drift', severity: 'high' });
  const pending = aFinding({ address: 'aws_x.b', class: 'pending-config', standing: 'pending', severity: 'info' });

  it('keeps what alerts', () => {
    const summary = of({ verdict: 'drifted-and-pending', findings: [drift, pending] });
    expect(summary).toMatchObject({ severity: 'high', alertClasses: ['changed-outside'] });
    expect(summary.topFindings.map(({ address }) => address)).toEqual(['aws_x.a']);
  });

  it('has the same fingerprint whatever is pending beside the drift', () => {
    expect(of({ findings: [drift, pending] }).fingerprint).toBe(of({ findings: [drift] }).fingerprint);
    expect(of({ findings: [drift] }).fingerprint).not.toBe(
      of({ findings: [{ ...drift, paths: ['other'] }] }).fingerprint,
    );
  });

  it('has no fingerprint and no severity where nothing alerts', () => {
    expect(of({ findings: [pending] })).toMatchObject({
      fingerprint: '',
      severity: null,
      alertClasses: [],
      topFindings: [],
    });
  });

  it('stays small, whatever was found', () => {
    const long = {
      ...drift,
      address: `aws_x.a["${'😀'.repeat(5000)}"]`,
      paths: Array.from({ length: 100 }, (_, i) => `p${i}`),
    };
    const summary = of({ findings: Array.from({ length: 3000 }, () => long) });
    expect(summary.topFindings).toHaveLength(10);
    expect(summary.topFindings[0]?.paths).toHaveLength(5);
    expect(Buffer.byteLength(JSON.stringify(summary))).toBeLessThan(20_000);
  });

  it('makes a baseline of a run with nothing pending', () => {
    const startedAt = '2026-03-02T09:00:00.000Z';
    expect(of({ verdict: 'in-sync', digests, startedAt }, 'abc').baseline).toEqual({
      digests,
      at: startedAt,
      commit: 'abc',
    });
    expect(of({ verdict: 'in-sync', digests, startedAt }).baseline).toEqual({ digests, at: startedAt });
    expect(of({ verdict: 'in-sync', digests, startedAt: null }).baseline).toBeNull();
    expect(of({ verdict: 'pending', findings: [pending], digests, startedAt }).baseline).toBeNull();
  });

  it('takes a missing duration for none', () => {
    expect(of({ durationMs: null }).durationMs).toBe(0);
  });
});
