import { describe, expect, it } from 'vitest';
import { type Baseline, compareBaseline, isComparable, servesAsBaseline } from '../../lib/domain/baseline.ts';
import type { InputDigests } from '../../lib/domain/finding.ts';
import { aFinding, aResult } from '../support/builders.ts';

const digests = (overrides: Partial<InputDigests> = {}): InputDigests => ({
  basis: 'files',
  config: 'c',
  inputs: 'i',
  providers: 'p',
  ...overrides,
});

const baseline = (overrides: Partial<InputDigests> = {}): Baseline => ({
  digests: digests(overrides),
  at: '2026-11-30T09:00:00.000Z',
});

describe('compareBaseline', () => {
  it('says none without a baseline', () => {
    expect(compareBaseline(undefined, digests())).toEqual({ kind: 'none' });
  });

  it('says none where the digests were taken from another kind of source, even if they are equal', () => {
    expect(compareBaseline(baseline({ basis: 'document' }), digests())).toEqual({ kind: 'none' });
  });

  it('says same for equal digests', () => {
    expect(compareBaseline(baseline(), digests())).toEqual({ kind: 'same' });
  });

  it.each([
    { change: { config: 'C' }, changed: ['config'] },
    { change: { inputs: 'I' }, changed: ['inputs'] },
    { change: { providers: 'P' }, changed: ['providers'] },
    { change: { providers: 'P', inputs: 'I', config: 'C' }, changed: ['config', 'inputs', 'providers'] },
  ])('names what differs: $changed', ({ change, changed }) => {
    expect(compareBaseline(baseline(), digests(change))).toEqual({ kind: 'differs', changed });
  });

  it('leaves out a provider lock that is missing on either side', () => {
    expect(compareBaseline(baseline({ providers: null }), digests())).toEqual({ kind: 'same' });
    expect(compareBaseline(baseline(), digests({ providers: null }))).toEqual({ kind: 'same' });
  });
});

describe('isComparable', () => {
  it('asks for the same kind of source', () => {
    expect(isComparable(baseline(), digests())).toBe(true);
    expect(isComparable(baseline(), digests({ basis: 'document' }))).toBe(false);
  });
});

describe('servesAsBaseline', () => {
  it.each(['in-sync', 'drifted'] as const)('takes a complete check that is %s', (verdict) => {
    expect(servesAsBaseline(aResult({ verdict, findings: [aFinding()] }))).toBe(true);
  });

  it.each(['pending', 'drifted-and-pending', 'checks-failing', 'failed', 'busy'] as const)(
    'refuses one that is %s',
    (verdict) => {
      expect(servesAsBaseline(aResult({ verdict }))).toBe(false);
    },
  );

  it('refuses an incomplete one, one without digests, and one that did not look at the configuration', () => {
    expect(servesAsBaseline(aResult({ complete: false }))).toBe(false);
    expect(servesAsBaseline(aResult({ digests: null }))).toBe(false);
    expect(servesAsBaseline(aResult({ mode: 'refresh-only' }))).toBe(false);
  });

  it.each(['absorbed', 'pending-config', 'deleted-outside', 'data-driven'] as const)(
    'refuses one in which something is %s, as a pending change may be behind it',
    (findingClass) => {
      const finding = aFinding({ class: findingClass });
      const rule = { owner: 'team-a', reason: 'known', expires: 'never' };
      expect(servesAsBaseline(aResult({ verdict: 'drifted', findings: [finding] }))).toBe(false);
      expect(servesAsBaseline(aResult({ suppressed: [{ ...finding, rule }] }))).toBe(false);
    },
  );
});
