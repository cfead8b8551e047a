import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../lib/domain/finding.ts';
import { groupFindings } from '../../lib/domain/group-findings.ts';
import { aFinding } from '../support/builders.ts';
import { hostileFinding } from '../support/hostile-results.ts';

function many(count: number, make: (at: number) => Partial<Finding> = () => ({})): readonly Finding[] {
  return Array.from({ length: count }, (_, at) => aFinding({ address: `aws_sqs_queue.q[${at}]`, ...make(at) }));
}

function sizes(findings: readonly Finding[]): readonly number[] {
  return groupFindings(findings).map(({ members }) => members.length);
}

describe('groupFindings', () => {
  it('puts the same change of many resources together', () => {
    expect(sizes(many(200))).toEqual([200]);
  });

  it('keeps three alike findings apart', () => {
    expect(sizes(many(3))).toEqual([1, 1, 1]);
  });

  it.each([
    ['paths', { paths: ['policy'] }],
    ['actions', { actions: ['delete', 'create'] }],
    ['severity', { severity: 'low' }],
    ['standing', { standing: 'pending' }],
    ['class', { class: 'absorbed' }],
    ['cause', { cause: { kind: 'tainted', inferred: false } }],
    ['the sources of the cause', { cause: { kind: 'outside-change', inferred: false, from: ['data.a.b'] } }],
    ['what they are about', { deposed: '1a2b3c4d' }],
  ] satisfies [string, Partial<Finding>][])('keeps findings apart that differ in %s', (_, other) => {
    expect(sizes([...many(4), aFinding(other)]).toSorted()).toEqual([1, 4]);
  });
});

describe('a group of findings', () => {
  it('takes in moves, each of which comes from its own address', () => {
    const [group] = groupFindings(
      many(4, (at) => ({ cause: { kind: 'moved-in-config', inferred: false, from: [`aws_sqs_queue.old[${at}]`] } })),
    );
    expect(group?.members).toHaveLength(4);
    expect(group?.finding.cause).toEqual({ kind: 'moved-in-config', inferred: false });
  });

  it('keeps the sources that all members share', () => {
    const cause = { kind: 'data-source', inferred: true, from: ['data.aws_ami.base'] } as const;
    expect(groupFindings(many(4, () => ({ cause })))[0]?.finding.cause).toEqual(cause);
  });

  it('keeps values that all members share', () => {
    const values = { visibility_timeout_seconds: { before: '30', after: '45' } };
    expect(groupFindings(many(4, () => ({ values })))[0]?.finding.values).toEqual(values);
  });

  it('drops values that differ', () => {
    const groups = groupFindings(
      many(4, (at) => ({ values: { visibility_timeout_seconds: { before: '30', after: `${at}` } } })),
    );
    expect(groups[0]?.finding).not.toHaveProperty('values');
  });

  it('does not pass off one deposed object as that of all', () => {
    const groups = groupFindings(many(4, (at) => ({ deposed: `0000000${at}` })));
    expect(groups[0]?.finding).not.toHaveProperty('deposed');
  });
});

describe('groups of findings', () => {
  it('have what alerts first, and the worst first within that', () => {
    const findings = [
      aFinding({ standing: 'informational', severity: 'critical' }),
      aFinding({ standing: 'pending', severity: 'critical' }),
      aFinding({ standing: 'drift', severity: 'low' }),
      aFinding({ standing: 'check', severity: 'high' }),
      aFinding({ standing: 'drift', severity: 'critical' }),
    ];
    expect(groupFindings(findings).map(({ finding }) => [finding.standing, finding.severity])).toEqual([
      ['drift', 'critical'],
      ['check', 'high'],
      ['drift', 'low'],
      ['pending', 'critical'],
      ['informational', 'critical'],
    ]);
  });

  it('lose no finding and double none', () => {
    fc.assert(
      fc.property(fc.array(hostileFinding(), { maxLength: 12 }), (findings) => {
        const grouped = groupFindings(findings).flatMap(({ members }) => members);
        expect(new Set(grouped)).toEqual(new Set(findings));
        expect(grouped).toHaveLength(findings.length);
      }),
    );
  });
});
