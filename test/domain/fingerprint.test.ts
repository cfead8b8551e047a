import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../lib/domain/finding.ts';
import { canonicalFindings } from '../../lib/domain/fingerprint.ts';
import { aFinding } from '../support/builders.ts';
import { hostileFinding } from '../support/hostile-results.ts';

describe('canonicalFindings', () => {
  it('is empty where nothing was found', () => {
    expect(canonicalFindings([])).toBe('');
  });

  it.each<[string, Partial<Finding>]>([
    ['address', { address: 'aws_sqs_queue.other' }],
    ['deposed object', { deposed: '00000001' }],
    ['class', { class: 'absorbed' }],
    ['actions', { actions: ['delete', 'create'] }],
    ['paths', { paths: ['visibility_timeout_seconds', 'delay_seconds'] }],
  ])('tells findings of another %s apart', (_, other) => {
    expect(canonicalFindings([aFinding(other)])).not.toBe(canonicalFindings([aFinding()]));
  });

  it.each<[string, Partial<Finding>]>([
    ['severity', { severity: 'critical' }],
    ['cause', { cause: { kind: 'tainted', inferred: false } }],
    ['values', { values: { visibility_timeout_seconds: { before: '30', after: '45' } } }],
    ['standing', { standing: 'informational' }],
  ])('leaves out the %s: rules and wording change without drift', (_, other) => {
    expect(canonicalFindings([aFinding(other)])).toBe(canonicalFindings([aFinding()]));
  });

  it('is the same whatever order findings and paths come in', () => {
    const shuffled = fc
      .array(hostileFinding(), { maxLength: 6 })
      .chain((findings) =>
        fc.tuple(fc.constant(findings), fc.shuffledSubarray(findings, { minLength: findings.length })),
      );

    fc.assert(
      fc.property(shuffled, ([findings, others]) => {
        const turned = others.map((finding) => ({ ...finding, paths: finding.paths.toReversed() }));
        expect(canonicalFindings(turned)).toBe(canonicalFindings(findings));
      }),
    );
  });

  it('keeps texts apart that only together look alike', () => {
    const one = [aFinding({ address: 'a"]\n["b' })];
    const two = [aFinding({ address: 'a' }), aFinding({ address: 'b' })];

    expect(canonicalFindings(one).split('\n')).toHaveLength(1);
    expect(canonicalFindings(two).split('\n')).toHaveLength(2);
  });
});
