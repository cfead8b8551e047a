import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatHuman } from '../../lib/cli/format-human.ts';
import type { CheckResult } from '../../lib/domain/finding.ts';
import { aFailedResult, aFinding, aResult } from '../support/builders.ts';
import { hostileResult, TERMINAL_COMMAND } from '../support/hostile-results.ts';

function report(results: readonly CheckResult[], { width = 100, verbose = false } = {}): string {
  return formatHuman(results, { color: false, width, verbose });
}

function drifted(...findings: readonly Partial<CheckResult['findings'][number]>[]): CheckResult {
  return aResult({ verdict: 'drifted', findings: findings.map(aFinding) });
}

describe('the human report', () => {
  it('is one line for a stack in sync', () => {
    expect(report([aResult()])).toBe('✓ prod/queues  in sync  12.4s  no drift detected\n');
  });

  it('leaves the time out where it is not known', () => {
    expect(report([aResult({ durationMs: null })])).toBe('✓ prod/queues  in sync  no drift detected\n');
  });

  it('tells what happened, what changed and what Terraform would do, the worst first', () => {
    const result = aResult({
      verdict: 'drifted',
      counts: { add: 1, change: 2 },
      findings: [
        aFinding({
          paths: ['visibility_timeout_seconds', 'tags["team"]'],
          values: { visibility_timeout_seconds: { before: '30', after: '45' } },
        }),
        aFinding({ address: 'aws_security_group.db', severity: 'high', paths: ['ingress', 'egress'] }),
        aFinding({
          address: 'aws_sqs_queue.orders',
          class: 'deleted-outside',
          severity: 'critical',
          actions: ['create'],
          paths: [],
        }),
      ],
    });
    expect(report([result])).toBe(
      [
        '≠ prod/queues  drifted  12.4s  3 drifted · plan: 1 to add, 2 to change, 0 to destroy',
        '  critical  aws_sqs_queue.orders',
        '            deleted outside Terraform; Terraform would create it again',
        '  high      aws_security_group.db',
        '            changed outside Terraform; Terraform would put it back',
        '            ingress, egress',
        '  medium    aws_sqs_queue.jobs',
        '            changed outside Terraform; Terraform would put it back',
        '            visibility_timeout_seconds: 30 → 45',
        '            tags["team"]',
        '',
      ].join('\n'),
    );
  });
});

describe('findings in the human report', () => {
  it('are set apart by what they count as', () => {
    const result = aResult({
      verdict: 'drifted-and-pending',
      findings: [
        aFinding({ address: 'a.info', standing: 'informational', severity: 'info', class: 'read', paths: [] }),
        aFinding({ address: 'a.pending', standing: 'pending', class: 'pending-config' }),
        aFinding({ address: 'a.drift' }),
      ],
    });
    const lines = report([result])
      .split('\n')
      .filter((line) => /Needs attention|Pending|For information|a\./.test(line))
      .map((line) => line.trim().split(/ {2,}/).at(-1));
    expect(lines).toEqual(['Needs attention', 'a.drift', 'Pending', 'a.pending', 'For information', 'a.info']);
  });

  it('have no titles where all are of one kind', () => {
    expect(report([drifted({})])).not.toContain('Needs attention');
  });

  it('have a label on an inferred cause', () => {
    const result = drifted({ class: 'absorbed', cause: { kind: 'accepted-into-state', inferred: true } });
    expect(report([result], { width: 200 })).toMatch(/the state took over an outside change.* \(inferred\)\n/);
  });

  it('name the deposed object they are about', () => {
    expect(report([drifted({ deposed: '1a2b3c4d' })])).toContain('aws_sqs_queue.jobs (deposed object 1a2b3c4d)');
  });

  it('are one where the same happened to 200 resources', () => {
    const result = drifted(
      ...Array.from({ length: 200 }, (_, at) => ({
        address: `aws_instance.node[${at}]`,
        paths: ['tags_all'],
        severity: 'low' as const,
      })),
    );
    expect(report([result]).split('\n').slice(1)).toEqual([
      '  low       aws_instance.node[0]',
      '            aws_instance.node[1]',
      '            aws_instance.node[2]',
      '            and 197 more',
      '            changed outside Terraform; Terraform would put it back',
      '            tags_all',
      '',
    ]);
  });

  it('name all 200 where asked for everything', () => {
    const result = drifted(...Array.from({ length: 200 }, (_, at) => ({ address: `aws_instance.node[${at}]` })));
    expect(report([result], { verbose: true }).match(/aws_instance\.node/g)).toHaveLength(200);
  });

  it('cap the list of changed paths', () => {
    const paths = Array.from({ length: 20 }, (_, at) => `tags["${at}"]`);
    expect(report([drifted({ paths })], { width: 200 })).toMatch(/tags\["7"\], \+12 more\n/);
  });

  it('cut long values', () => {
    const values = { policy: { before: `"${'x'.repeat(500)}"`, after: '""' } };
    expect(report([drifted({ paths: ['policy'], values })])).toMatch(/policy: "x{58}… → ""\n/);
  });
});

describe('the human report beyond findings', () => {
  it('tells what was ignored, by whom, why and until when', () => {
    const rule = { owner: 'team-platform', reason: 'the scaler owns it', expires: '2027-01-31' };
    const suppressed = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
      address: `aws_autoscaling_group.${name}`,
      class: 'changed-outside' as const,
      severity: 'medium' as const,
      paths: ['desired_capacity'],
      rule,
    }));
    expect(
      report([aResult({ suppressed })])
        .split('\n')
        .slice(1),
    ).toEqual([
      '  ignored   aws_autoscaling_group.a: desired_capacity',
      '            aws_autoscaling_group.b: desired_capacity',
      '            aws_autoscaling_group.c: desired_capacity',
      '            +2 more',
      '            the scaler owns it (team-platform, until 2027-01-31)',
      '',
    ]);
  });

  it('shows warnings', () => {
    const warnings = [{ code: 'mass-deletion', message: 'all 40 resources are gone: check credentials' }] as const;
    expect(report([aResult({ warnings })])).toContain('  warning   all 40 resources are gone: check credentials\n');
  });

  it('shows why there is no verdict, where, and what to do', () => {
    const failure = {
      code: 'PlanFailed',
      message: 'got 99999',
      location: { file: 'main.tf', line: 23, column: 18 },
      hint: 'Allowed are 0 to 900.',
    };
    expect(report([aFailedResult({ failure })])).toBe(
      [
        '✗ prod/dns  failed  12.4s  no verdict',
        '  reason    got 99999',
        '            at main.tf:23:18',
        '            hint: Allowed are 0 to 900.',
        '',
      ].join('\n'),
    );
  });

  it('never shows a part of a stack as in sync', () => {
    const text = report([aResult({ complete: false })]);
    expect(text).toContain('? prod/queues  incomplete');
    expect(text).toContain('only a part of the stack was planned');
    expect(text).not.toMatch(/✓|in sync/);
  });

  it('says where a plan only refreshed', () => {
    expect(report([aResult({ mode: 'refresh-only' })])).toContain('no drift detected · refresh-only');
  });

  it.each([
    ['pending', '↑'],
    ['busy', '…'],
    ['checks-failing', '!'],
    ['drifted-and-pending', '≠'],
  ] as const)('marks a stack that is %s with %s', (verdict, symbol) => {
    expect(report([aResult({ verdict })])).toMatch(new RegExp(`^${symbol} `));
  });

  it('says so where there are no stacks', () => {
    expect(report([])).toBe('no stacks\n');
  });
});

describe('noise in the human report', () => {
  const noise = [
    { address: 'aws_sqs_queue.a', paths: ['tags'], reason: 'empty-flip' },
    { address: 'aws_sqs_queue.b', paths: ['policy'], reason: 'same-policy' },
    { address: 'aws_sqs_queue.b', paths: ['tags'], reason: 'empty-flip' },
  ] as const;

  it('is only counted for a stack in sync', () => {
    expect(report([aResult({ noise })])).toBe('✓ prod/queues  in sync  12.4s  no drift detected, 3 noise\n');
  });

  it('comes with reasons in one line where there is more to tell', () => {
    const result = aResult({ verdict: 'drifted', findings: [aFinding()], noise });
    expect(report([result], { width: 200 })).toContain(
      '\n  noise     3 differences without meaning: 2 × empty value in another form, 1 × same policy in another form\n',
    );
  });

  it('comes with resources where asked for everything', () => {
    expect(report([aResult({ noise: noise.slice(0, 1) })], { verbose: true })).toContain(
      '1 difference without meaning: 1 × empty value in another form\n            aws_sqs_queue.a: tags\n',
    );
  });
});

describe('the human report of many stacks', () => {
  it('aligns them, sets those with findings apart, and sums up', () => {
    const results = [
      aResult({ stack: 'dev/network', durationMs: 900 }),
      aResult({ stack: 'dev/web', durationMs: 185_000 }),
      aResult({ verdict: 'drifted', findings: [aFinding()] }),
      aFailedResult(),
    ];
    expect(report(results)).toBe(
      [
        '✓ dev/network  in sync   0.9s  no drift detected',
        '✓ dev/web      in sync  3m05s  no drift detected',
        '',
        '≠ prod/queues  drifted  12.4s  1 drifted',
        '  medium    aws_sqs_queue.jobs',
        '            changed outside Terraform; Terraform would put it back',
        '            visibility_timeout_seconds',
        '',
        '✗ prod/dns     failed   12.4s  no verdict',
        '  reason    expected delay_seconds to be in the range (0 - 900), got 99999',
        '            at main.tf:23:18',
        '',
        '4 stacks: 2 in sync, 1 drifted, 1 failed',
        'Needs attention: prod/queues, prod/dns',
        '',
      ].join('\n'),
    );
  });

  it('names nobody where all are in sync or wait for a deployment', () => {
    expect(report([aResult(), aResult({ verdict: 'pending' })])).not.toContain('Needs attention');
  });

  it('caps the names of those that need attention', () => {
    const results = Array.from({ length: 14 }, (_, at) => aFailedResult({ stack: `s${at}` }));
    expect(report(results)).toMatch(/Needs attention: s0, .*s9, \+4 more\n$/);
  });
});

describe('the layout of the human report', () => {
  const result = aResult({
    verdict: 'drifted',
    counts: { change: 1 },
    findings: [aFinding({ class: 'absorbed', cause: { kind: 'accepted-into-state', inferred: true } })],
  });

  it.each([60, 80, 120])('stays within %i columns', (width) => {
    const lines = report([result], { width }).split('\n').slice(1);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  });

  it('puts the plan on its own line where it does not fit', () => {
    expect(report([result], { width: 80 }).split('\n').slice(0, 2)).toEqual([
      '≠ prod/queues  drifted  12.4s  1 drifted',
      `${' '.repeat(31)}plan: 0 to add, 1 to change, 0 to destroy`,
    ]);
  });

  it('does not wrap for a reader without a width', () => {
    const text = report([result], { width: Number.POSITIVE_INFINITY });
    expect(text).toContain('no input changed since the last check without pending changes (inferred)\n');
  });

  it('keeps an address whole', () => {
    const address = `module.${'a'.repeat(100)}.aws_sqs_queue.jobs`;
    expect(report([drifted({ address })], { width: 60 })).toContain(address);
  });

  it('is the same text with colour as without', () => {
    const colored = formatHuman([result], { color: true, width: 80 });
    expect(colored).toContain('\u001b[31m');
    expect(stripVTControlCharacters(colored)).toBe(report([result], { width: 80 }));
  });

  it('writes no control character that came from a result', () => {
    fc.assert(
      fc.property(fc.array(hostileResult(), { maxLength: 3 }), fc.boolean(), (results, verbose) => {
        expect(report(results, { verbose })).not.toMatch(TERMINAL_COMMAND);
      }),
    );
  });

  it('writes one line per line: no text of a result starts another', () => {
    fc.assert(
      fc.property(hostileResult(), (hostile) => {
        const { findings } = hostile;
        const text = report([aResult({ verdict: 'drifted', findings })], { width: Number.POSITIVE_INFINITY });
        expect(text.split('\n').filter((line) => line !== '')).toSatisfy((lines: string[]) =>
          lines.every((line) => line.startsWith('≠ ') || line.startsWith('  ')),
        );
      }),
    );
  });
});
