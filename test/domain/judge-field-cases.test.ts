import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../lib/domain/finding.ts';
import { judgePlan, summariseFindings } from '../support/judged-plan.ts';
import { type PlanParts, update } from '../support/plan-builder.ts';

/** The verdict, then the findings. */
const told = (result: CheckResult) => [result.verdict, ...summariseFindings(result)];

describe('field cases about exit codes and "no change"', () => {
  it('A1: exit code 2 for an output alone is no drift', () => {
    const parts = { changes: [{ address: 'x.y' }], outputs: { arn: ['update'] } };

    expect(told(judgePlan(parts, { exitCode: 2 }))).toEqual(['pending', 'output.arn outputs-only info []']);
  });

  it('A2: outputs that are listed and stay are no change', () => {
    expect(told(judgePlan({ outputs: { a: ['no-op'], b: ['no-op'] } }, { exitCode: 0 }))).toEqual(['in-sync']);
  });

  it('A3: exit code 2 of a refresh-only plan that shows nothing is not drift', () => {
    const parts = { more: { resource_changes: undefined, applyable: true } };
    const result = judgePlan(parts, { exitCode: 2, mode: 'refresh-only' });

    expect(told(result)).toEqual(['in-sync']);
    expect(result.warnings.map(({ code }) => code)).toEqual(['exit-code-without-changes']);
  });

  it('A4: drift beside exit code 0 is found, and judged by rule', () => {
    const parts = (attribute: string): PlanParts => ({
      changes: [{ address: 'aws_sqs_queue.a' }],
      drift: [update('aws_sqs_queue.a', { [attribute]: 'x' }, { [attribute]: 'y' })],
      config: { 'aws_sqs_queue.a': {} },
    });

    expect(told(judgePlan(parts('policy'), { exitCode: 0 }))).toEqual([
      'drifted',
      'aws_sqs_queue.a changed-outside-unmanaged high [policy]',
    ]);
    expect(told(judgePlan(parts('delay_seconds'), { exitCode: 0 }))).toEqual([
      'in-sync',
      'aws_sqs_queue.a changed-outside-unmanaged info [delay_seconds]',
    ]);
  });

  it('A4: what an autoscaler moves is noise', () => {
    const parts = {
      changes: [{ address: 'aws_autoscaling_group.a' }],
      drift: [update('aws_autoscaling_group.a', { desired_capacity: 50 }, { desired_capacity: 36 })],
    };
    const result = judgePlan(parts, { exitCode: 0 });

    expect(told(result)).toEqual(['in-sync']);
    expect(result.noise).toEqual([
      { address: 'aws_autoscaling_group.a', paths: ['desired_capacity'], reason: 'moved-by-service' },
    ]);
  });

  it('A5: a data source that is read during every apply is no drift', () => {
    const read = {
      address: 'data.http.health',
      mode: 'data',
      actions: ['read'],
      reason: 'read_because_check_nested',
    } as const;

    expect(told(judgePlan({ changes: [read, { address: 'x.y' }] }, { exitCode: 2 }))).toEqual([
      'in-sync',
      'data.http.health read info []',
    ]);
  });

  it('A7: a move in a refresh-only plan is no drifted resource', () => {
    const parts = {
      drift: [{ address: 'x.new', from: 'x.old', before: { a: 1 } }],
      more: { resource_changes: undefined, applyable: false },
    };

    expect(told(judgePlan(parts, { exitCode: 0, mode: 'refresh-only' }))).toEqual(['pending', 'x.new moved info []']);
  });

  it('A9: exit code 2 for the destruction of nothing is not drift', () => {
    expect(judgePlan({ changes: [] }, { exitCode: 2 }).verdict).toBe('in-sync');
  });

  it.each([0, 1])('A10: changes beside exit code %i, as a wrapper makes of 2, are never clean', (exitCode) => {
    const parts = { changes: [update('x.y', { a: 1 }, { a: 2 })] };

    expect(judgePlan(parts, { exitCode }).verdict).toBe('failed');
  });

  it.each([137, 143, -9, 139])('A11: exit code %i is a failed run, never "no drift"', (exitCode) => {
    expect(judgePlan({}, { exitCode }).verdict).toBe('failed');
  });

  it('A12: the verdict needs nothing but the document', () => {
    expect(judgePlan({}).verdict).toBe('in-sync');
    expect(judgePlan({ changes: [update('x.y', { a: 1 }, { a: 2 })] }).verdict).toBe('pending');
  });
});

describe('field cases about the form of plan documents', () => {
  it.each([['forget'], ['create', 'forget'], ['forget', 'create']])(
    'B2: %s tells what leaves management',
    (...actions) => {
      const result = judgePlan({ changes: [{ address: 'x.y', actions }] }, { exitCode: 2 });

      expect(told(result)).toEqual(['pending', 'x.y forgotten medium []']);
      expect(result.counts.forget).toBe(1);
    },
  );

  it('B2: an unknown action asks for a review', () => {
    expect(told(judgePlan({ changes: [{ address: 'x.y', actions: ['transmute'] }] }))).toEqual([
      'pending',
      'x.y pending-config high []',
    ]);
  });

  it('B3: flags that are not there change nothing', () => {
    const parts = { changes: [update('x.y', { a: 1 }, { a: 2 })] };
    const flags = { applyable: true, complete: true, errored: false };

    expect(judgePlan(parts, { exitCode: 2 })).toEqual(judgePlan({ ...parts, more: flags }, { exitCode: 2 }));
  });

  it('B4: an errored plan is never clean, whatever the exit code', () => {
    const more = { errored: true, complete: false, applyable: false };

    for (const exitCode of [null, 0, 1, 2]) expect(judgePlan({ more }, { exitCode }).failure?.code).toBe('PlanErrored');
  });

  it('B6, B11: what it does not read changes nothing', () => {
    const ghost = {
      root_module: { resources: [{ address: 'x.gone', mode: 'managed', type: 'x', values: { a: null } }] },
    };

    expect(judgePlan({ more: { planned_values: ghost, something_new: 1 } })).toEqual(judgePlan({}));
  });

  it('B7: attributes Terraform calls relevant hide no drift', () => {
    const drift: PlanParts = {
      drift: [update('x.y', { a: 1 }, { a: 2 })],
      changes: [update('x.y', { a: 2 }, { a: 1 })],
    };

    expect(judgePlan({ ...drift, relevant: ['x.other'] })).toEqual(judgePlan(drift));
  });

  it('B9: what is put off is shown, and counts as no instance', () => {
    const deferred = { resource_change: { address: 'x.y[*]', type: 'x', change: { actions: ['create'] } } };
    const result = judgePlan({ more: { complete: false, deferred_changes: [deferred] } }, { exitCode: 2 });

    expect(told(result)).toEqual(['pending', 'x.y[*] pending-config info []']);
    expect(result).toMatchObject({ complete: false, counts: { add: 0, deferred: 1 } });
  });

  it('B10: an action alone is something to apply', () => {
    const more = { action_invocations: [{ address: 'action.aws_lambda_invoke.warm' }], applyable: true };

    expect(told(judgePlan({ more }, { exitCode: 2 }))).toEqual([
      'pending',
      'action.aws_lambda_invoke.warm action medium []',
    ]);
  });

  it.each([
    [['delete', 'create'], 'replace_because_tainted', 'tainted'],
    [['create', 'delete'], 'replace_by_request', 'replace-requested'],
    [['create', 'delete'], undefined, 'no-baseline'],
  ])('B15: %j for %s is a replacement with the cause %s, also without paths', (actions, reason, cause) => {
    const entry = { address: 'x.y', actions, ...(reason === undefined ? {} : { reason }) };
    const result = judgePlan({ changes: [entry] });

    expect(result.counts).toMatchObject({ add: 1, remove: 1 });
    expect(result.findings[0]).toMatchObject({ actions, cause: { kind: cause } });
  });

  it('B16: the words of Terraform mean nothing in a value', () => {
    const words = 'No changes. Your infrastructure matches the configuration.';
    const parts = {
      drift: [update('x.y', { a: words }, { a: '' })],
      changes: [update('x.y', { a: '' }, { a: words })],
    };

    expect(judgePlan(parts).verdict).toBe('drifted');
  });

  it('B17: thousands of resources are one result', () => {
    const addresses = Array.from({ length: 3000 }, (_, index) => `aws_sqs_queue.q[${index}]`);
    const result = judgePlan({ changes: addresses.map((address) => ({ address, actions: ['create'], before: null })) });

    expect(result.findings).toHaveLength(3000);
    expect(result.counts.add).toBe(3000);
  });
});
