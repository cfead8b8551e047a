import { describe, expect, it } from 'vitest';
import { HoldfastError } from '../../lib/domain/errors.ts';
import { concludeFailure, judge } from '../../lib/domain/judge.ts';
import { type IgnoreRule, NO_RULES, type Rules } from '../../lib/domain/rules.ts';
import { JUDGE_INPUT, judgePlan, summariseFindings } from '../support/judged-plan.ts';
import { type PlanParts, update } from '../support/plan-builder.ts';

const drifted = (address: string, path = 'delay_seconds'): PlanParts => ({
  drift: [update(address, { [path]: 0 }, { [path]: 5 })],
  changes: [update(address, { [path]: 5 }, { [path]: 0 })],
});

const ignoring = (rule: Partial<IgnoreRule>): Rules => ({
  ...NO_RULES,
  ignore: [{ stack: '*', address: '*', path: '*', owner: 'team-queues', reason: 'known', expires: 'never', ...rule }],
});

describe('judge', () => {
  it('says of a stack without differences that it is in sync', () => {
    expect(judgePlan({ changes: [{ address: 'aws_sqs_queue.a' }] }, { exitCode: 0 })).toEqual({
      schemaVersion: 1,
      stack: 'prod/queues',
      mode: 'plan',
      verdict: 'in-sync',
      complete: true,
      failure: null,
      exitCode: 0,
      engine: JUDGE_INPUT.engine,
      fingerprint: '',
      baseline: { kind: 'none' },
      digests: null,
      counts: expect.objectContaining({ add: 0, change: 0, drift: 0, noise: 0 }),
      findings: [],
      suppressed: [],
      noise: [],
      warnings: [],
      startedAt: null,
      durationMs: null,
    });
  });

  it('needs no document where there is nothing to show', () => {
    expect(judge({ ...JUDGE_INPUT, exitCode: 0 })).toMatchObject({ verdict: 'in-sync', complete: true, warnings: [] });
  });

  it('takes drift for drift, and keeps its fingerprint', () => {
    const result = judgePlan(drifted('aws_sqs_queue.a'), { exitCode: 2 });

    expect(result.verdict).toBe('drifted');
    expect(summariseFindings(result)).toEqual(['aws_sqs_queue.a changed-outside medium [delay_seconds]']);
    expect(result.fingerprint).toBe('["aws_sqs_queue.a",null,"changed-outside",["update"],["delay_seconds"]]');
    expect(result.counts).toMatchObject({ change: 1, drift: 1 });
  });

  it('hands on what it was told of the run', () => {
    const digests = { basis: 'files', config: 'c', inputs: 'i', providers: null } as const;
    const facts = { stack: 'dev/x', mode: 'refresh-only', exitCode: 0, digests, baseline: { kind: 'same' } } as const;

    expect(judge({ ...JUDGE_INPUT, ...facts })).toMatchObject(facts);
  });

  it('puts the worst first, then drift, then addresses in order', () => {
    const result = judgePlan(
      {
        drift: [
          update('aws_sqs_queue.b', { tags: { a: '1' } }, { tags: { a: '2' } }),
          update('aws_sqs_queue.z', { policy: 'x' }, { policy: 'y' }),
          update('aws_sqs_queue.a', { tags: { a: '1' } }, { tags: { a: '2' } }),
          { address: 'aws_sqs_queue.gone', actions: ['delete'], before: {}, after: null },
        ],
        changes: [
          update('aws_sqs_queue.b', { tags: { a: '2' } }, { tags: { a: '1' } }),
          update('aws_sqs_queue.z', { policy: 'y' }, { policy: 'x' }),
          update('aws_sqs_queue.a', { tags: { a: '2' } }, { tags: { a: '1' } }),
          { address: 'aws_sqs_queue.gone', actions: ['create'], before: null, after: {} },
          { address: 'aws_sqs_queue.d', deposed: '2', actions: ['delete'], before: {}, after: null },
          { address: 'aws_sqs_queue.d', deposed: '1', actions: ['delete'], before: {}, after: null },
        ],
        outputs: { o: ['update'] },
      },
      { exitCode: 2 },
    );

    expect(
      result.findings.map(({ severity, address, deposed }) => [severity, address, deposed ?? ''].join(' ')),
    ).toEqual([
      'critical aws_sqs_queue.gone ',
      'high aws_sqs_queue.z ',
      'low aws_sqs_queue.a ',
      'low aws_sqs_queue.b ',
      'info aws_sqs_queue.d 1',
      'info aws_sqs_queue.d 2',
      'info output.o ',
    ]);
  });
});

describe('judge on one resource with findings of one class', () => {
  it('keeps those apart that have different causes', () => {
    const result = judgePlan(
      {
        drift: [update('aws_sqs_queue.a', { size: 1, name: 'x' }, { size: 2, name: 'y' })],
        changes: [{ address: 'aws_sqs_queue.a' }],
        config: { 'aws_sqs_queue.a': { size: { constant_value: 1 } } },
      },
      { exitCode: 0, ignoreChanges: new Map([['aws_sqs_queue.a', ['size']]]) },
    );

    expect(
      result.findings.map(({ class: findingClass, cause, paths }) => [findingClass, cause.kind, ...paths]),
    ).toEqual([
      ['changed-outside-unmanaged', 'ignore-changes', 'size'],
      ['changed-outside-unmanaged', 'unconfigured-attribute', 'name'],
    ]);
  });
});

describe('judge on a run it cannot conclude', () => {
  it('gives no verdict about the stack where exit code and document disagree', () => {
    expect(
      judgePlan(drifted('aws_sqs_queue.a'), { exitCode: 0, warnings: [{ code: 'source-missing', message: 'x' }] }),
    ).toMatchObject({
      verdict: 'failed',
      complete: false,
      failure: { code: 'ExitCodeDisagrees', hint: expect.stringContaining('wrappers') },
      fingerprint: '',
      findings: [],
      noise: [],
      counts: { change: 0, drift: 0 },
      warnings: [],
    });
  });

  it.each([1, 2, 137, null])('fails without a document on exit code %s', (exitCode) => {
    expect(judge({ ...JUDGE_INPUT, exitCode }).verdict).toBe('failed');
  });

  it.each([
    ['limited to targets', { complete: false }],
    [
      'that puts changes off',
      { deferred_changes: [{ resource_change: { address: 'x.y[*]', type: 'x', change: { actions: ['create'] } } }] },
    ],
  ])('knows that a plan %s is not complete (field case B9)', (_, more) => {
    const result = judgePlan({ more });

    expect(result.complete).toBe(false);
    expect(result.warnings.map(({ code }) => code)).toContain('incomplete-plan');
  });

  it('takes a plan that does not say so for complete (B3)', () => {
    expect(judgePlan({}).complete).toBe(true);
  });
});

describe('judge with rules', () => {
  it('moves what is ignored out of the findings, and still counts it', () => {
    const result = judgePlan(drifted('aws_sqs_queue.a'), { rules: ignoring({ path: 'delay_seconds' }) });

    expect(result).toMatchObject({
      verdict: 'in-sync',
      findings: [],
      suppressed: [{ address: 'aws_sqs_queue.a', paths: ['delay_seconds'], rule: { owner: 'team-queues' } }],
      counts: { drift: 0, suppressed: 1 },
    });
  });

  it('says which rules have expired, and that they hide nothing', () => {
    const result = judgePlan(drifted('aws_sqs_queue.a'), { rules: ignoring({ expires: '2026-11-29' }) });

    expect(result.verdict).toBe('drifted');
    expect(result.warnings).toEqual([
      {
        code: 'ignore-rule-expired',
        message: 'the ignore rule for * * of team-queues expired on 2026-11-29 and hides nothing any more',
      },
    ]);
  });

  it('does not bother a stack with expired rules of others', () => {
    expect(judgePlan({}, { rules: ignoring({ stack: 'dev/*', expires: '2026-11-29' }) }).warnings).toEqual([]);
  });

  it('shows values of allowed places only', () => {
    const rules = { ...NO_RULES, allowValues: [{ address: 'aws_sqs_queue.*', path: 'delay_seconds' }] };

    expect(judgePlan(drifted('aws_sqs_queue.a'), { rules }).findings[0]?.values).toEqual({
      delay_seconds: { before: '0', after: '5' },
    });
    expect(judgePlan(drifted('aws_sqs_queue.a'))).not.toHaveProperty('findings.0.values');
  });
});

describe('warnings of judge', () => {
  it('come from the caller, the exit code, the document, the summary and the rules, in this order', () => {
    const result = judgePlan(
      { more: { complete: false } },
      {
        exitCode: 2,
        warnings: [{ code: 'source-missing', message: 'no source' }],
        summary: { add: 1, change: 0, remove: 0, import: 0, operation: 'plan' },
        rules: ignoring({ expires: '2026-01-01' }),
      },
    );

    expect(result.warnings.map(({ code }) => code)).toEqual([
      'source-missing',
      'exit-code-without-changes',
      'incomplete-plan',
      'summary-disagrees',
      'ignore-rule-expired',
    ]);
  });

  it('carry neither secrets nor control characters', () => {
    const warnings = [{ code: 'source-missing', message: 'no hunter22 in \u001b[31mred' }] as const;

    expect(judgePlan({}, { warnings, knownSecrets: ['hunter22'] }).warnings[0]?.message).toBe(
      'no (sensitive) in \\u001b[31mred',
    );
  });
});

describe('concludeFailure', () => {
  const facts = { ...JUDGE_INPUT, exitCode: 1 };

  it('makes a result that is never clean', () => {
    const location = { file: 'main.tf', line: 3, column: 1 };
    const error = new HoldfastError('PlanFailed', 'no such type', { location, hint: 'Fix it.' });

    expect(concludeFailure(facts, error, [])).toMatchObject({
      verdict: 'failed',
      complete: false,
      exitCode: 1,
      failure: { code: 'PlanFailed', message: 'no such type', location, hint: 'Fix it.' },
      fingerprint: '',
      findings: [],
    });
  });

  it('takes a locked stack for busy, not for failed (field case F4)', () => {
    expect(concludeFailure(facts, new HoldfastError('StackBusy', 'locked by ci'), []).verdict).toBe('busy');
  });

  it('keeps secrets and control characters out of message and hint', () => {
    const error = new HoldfastError('InitFailed', 'bad hunter22\n', { hint: 'change hunter22' });

    expect(concludeFailure(facts, error, ['hunter22']).failure).toEqual({
      code: 'InitFailed',
      message: 'bad (sensitive)\\u000a',
      hint: 'change (sensitive)',
    });
  });
});
