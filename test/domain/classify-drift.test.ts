import { describe, expect, it } from 'vitest';
import { NO_RULES } from '../../lib/domain/rules.ts';
import { classifyPlan, type Entry, summarise, update } from '../support/plan-builder.ts';

const queue = 'aws_sqs_queue.a';
const drift = (before: Record<string, unknown>, after: Record<string, unknown>) => update(queue, before, after);
const quiet: Entry = { address: queue };
const configuredPolicy = { [queue]: { policy: { references: ['data.aws_iam_policy_document.p.json'] } } };

describe('a resource changed outside', () => {
  it('is changed-outside where the plan puts it back', () => {
    const reading = classifyPlan({
      drift: [drift({ delay: 30 }, { delay: 99 })],
      changes: [update(queue, { delay: 99 }, { delay: 30 })],
    });
    expect(summarise(reading)).toEqual([`${queue} changed-outside drift [delay] outside-change`]);
  });

  it.each([
    ['replaces it', ['delete', 'create']],
    ['destroys it, because the configuration is gone', ['delete']],
    ['forgets it', ['forget']],
    ['does something unheard of', ['transmogrify']],
  ])('is changed-outside where the plan %s', (_, actions) => {
    const reading = classifyPlan({
      drift: [drift({ delay: 30 }, { delay: 99 })],
      changes: [{ address: queue, actions, before: { delay: 99 }, after: { delay: 30 } }],
    });
    expect(summarise(reading)[0]).toBe(`${queue} changed-outside drift [delay] outside-change`);
  });

  it('carries the actions of the plan', () => {
    const { drafts } = classifyPlan({
      drift: [drift({ delay: 30 }, { delay: 99 })],
      changes: [update(queue, { delay: 99 }, { delay: 30 })],
    });
    expect(drafts[0]?.actions).toEqual(['update']);
  });

  it('splits into two findings where the plan puts back one place and leaves another', () => {
    const reading = classifyPlan({
      drift: [drift({ delay: 30, policy: '' }, { delay: 99, policy: '{"Statement":[]}' })],
      changes: [update(queue, { delay: 99 }, { delay: 30 })],
      config: { [queue]: { delay: { constant_value: 30 } } },
    });
    expect(summarise(reading)).toEqual([
      `${queue} changed-outside drift [delay] outside-change`,
      `${queue} changed-outside-unmanaged drift [policy] unconfigured-attribute`,
    ]);
  });

  it('is told apart from a deposed object at the same address', () => {
    const reading = classifyPlan({
      drift: [{ ...drift({ delay: 30 }, { delay: 99 }), deposed: 'ab12' }],
      changes: [update(queue, { delay: 99 }, { delay: 30 })],
    });
    expect(summarise(reading)).toEqual([
      `${queue} changed-outside-unmanaged informational [delay] unconfigured-attribute?`,
      `${queue} pending-config pending [delay] no-baseline?`,
    ]);
  });
});

describe('a resource deleted outside', () => {
  it.each([
    ['creates it again', [{ address: queue, actions: ['create'], before: null, after: { delay: 1 } }]],
    ['does nothing, because the configuration is gone too', []],
    ['says no-op', [quiet]],
  ])('is deleted-outside where the plan %s', (_, changes) => {
    const reading = classifyPlan({
      drift: [{ address: queue, actions: ['delete'], before: { delay: 1 }, after: null }],
      changes,
    });
    expect(summarise(reading)).toEqual([`${queue} deleted-outside drift [] outside-change`]);
  });

  it('is the only finding where the plan removes what is left of it', () => {
    const reading = classifyPlan({
      drift: [{ address: queue, actions: ['delete'], before: { delay: 1 }, after: null }],
      changes: [{ address: queue, actions: ['delete'], before: { delay: 1 }, after: null }],
    });
    expect(summarise(reading)).toEqual([`${queue} deleted-outside drift [] outside-change`]);
  });
});

describe('an outside change that the plan leaves alone', () => {
  it('counts as drift where it decides who may reach the resource', () => {
    const reading = classifyPlan({
      drift: [drift({ policy: '' }, { policy: '{"a":1}' })],
      changes: [quiet],
      config: { [queue]: {} },
    });
    expect(summarise(reading)).toEqual([`${queue} changed-outside-unmanaged drift [policy] unconfigured-attribute`]);
  });

  it('is informational elsewhere', () => {
    const reading = classifyPlan({
      drift: [drift({ delay: 1 }, { delay: 2 })],
      changes: [quiet],
      config: { [queue]: {} },
    });
    expect(summarise(reading)).toEqual([
      `${queue} changed-outside-unmanaged informational [delay] unconfigured-attribute`,
    ]);
  });

  it('splits by what counts', () => {
    const reading = classifyPlan({
      drift: [drift({ delay: 1, policy: '' }, { delay: 2, policy: '{"a":1}' })],
      changes: [quiet],
      config: { [queue]: {} },
    });
    expect(summarise(reading)).toEqual([
      `${queue} changed-outside-unmanaged informational [delay] unconfigured-attribute`,
      `${queue} changed-outside-unmanaged drift [policy] unconfigured-attribute`,
    ]);
  });

  it('counts with an inferred cause where the document does not say what is configured', () => {
    const reading = classifyPlan({ drift: [drift({ policy: '' }, { policy: '{"a":1}' })], changes: [quiet] });
    expect(summarise(reading)).toEqual([`${queue} changed-outside-unmanaged drift [policy] unconfigured-attribute?`]);
  });

  it('is informational where the files say ignore_changes', () => {
    const reading = classifyPlan(
      { drift: [drift({ policy: '' }, { policy: '{"a":1}' })], changes: [quiet], config: { [queue]: {} } },
      { ignoreChanges: new Map([[queue, ['policy']]]) },
    );
    expect(summarise(reading)).toEqual([`${queue} changed-outside-unmanaged informational [policy] ignore-changes`]);
  });

  it('is taken for ignored where it is configured and there are no files to look in', () => {
    const reading = classifyPlan({
      drift: [drift({ policy: '' }, { policy: '{"a":1}' })],
      changes: [quiet],
      config: configuredPolicy,
    });
    expect(summarise(reading)).toEqual([`${queue} changed-outside-unmanaged informational [policy] ignore-changes?`]);
  });

  it('is taken for adopted where it is configured and the files do not ignore it', () => {
    const reading = classifyPlan(
      { drift: [drift({ policy: '' }, { policy: '{"a":1}' })], changes: [quiet], config: configuredPolicy },
      { ignoreChanges: new Map() },
    );
    expect(summarise(reading)).toEqual([
      `${queue} changed-outside-unmanaged informational [policy] adopted-in-config?`,
    ]);
  });

  it.each([
    ['adopted where the configured literal is the new value', 2, 'adopted-in-config?'],
    ['ignored where the configured literal is another', 1, 'ignore-changes?'],
  ])('is %s', (_, literal, cause) => {
    const reading = classifyPlan({
      drift: [drift({ delay: 1 }, { delay: 2 })],
      changes: [quiet],
      config: { [queue]: { delay: { constant_value: literal } } },
    });
    expect(summarise(reading)).toEqual([`${queue} changed-outside-unmanaged informational [delay] ${cause}`]);
  });

  it('is noise where the service moves it by itself', () => {
    const group = 'aws_autoscaling_group.g';
    const { drafts, noise } = classifyPlan({
      drift: [update(group, { desired_capacity: 50 }, { desired_capacity: 36 })],
      changes: [{ address: group }],
    });
    expect(drafts).toEqual([]);
    expect(noise).toEqual([{ address: group, paths: ['desired_capacity'], reason: 'moved-by-service' }]);
  });

  it('is a finding again where the team takes it out of the built-in list', () => {
    const group = 'aws_autoscaling_group.g';
    const reading = classifyPlan(
      { drift: [update(group, { desired_capacity: 50 }, { desired_capacity: 36 })], changes: [{ address: group }] },
      { rules: { ...NO_RULES, serviceOwned: [{ type: 'aws_autoscaling_group', path: 'desired_*', owned: false }] } },
    );
    expect(summarise(reading)).toEqual([
      `${group} changed-outside-unmanaged informational [desired_capacity] unconfigured-attribute?`,
    ]);
  });

  it('is noise where another resource of the stack manages the attribute', () => {
    const { drafts, noise } = classifyPlan({
      drift: [drift({ id: 'q', policy: '' }, { id: 'q', policy: '{"a":1}' })],
      changes: [quiet, { address: 'aws_sqs_queue_policy.p', before: { queue_url: 'q', policy: '{"a":1}' } }],
      config: { [queue]: {} },
    });
    expect(drafts).toEqual([]);
    expect(noise).toEqual([{ address: queue, paths: ['policy'], reason: 'mirrors-resource' }]);
  });

  it('stands beside an unrelated planned change of the same resource', () => {
    const reading = classifyPlan({
      drift: [drift({ policy: '' }, { policy: '{"a":1}' })],
      changes: [update(queue, { delay: 1 }, { delay: 2 })],
      config: { [queue]: { delay: { constant_value: 2 } } },
    });
    expect(summarise(reading)).toEqual([
      `${queue} changed-outside-unmanaged drift [policy] unconfigured-attribute`,
      `${queue} pending-config pending [delay] no-baseline?`,
    ]);
  });
});

describe('drift that means nothing', () => {
  it.each([
    ['null and an empty map', { tags: null }, { tags: {} }, 'empty-flip'],
    ['JSON in another form', { policy: '{"a":1,"b":2}' }, { policy: '{ "b": 2, "a": 1 }' }, 'same-json'],
    [
      'a policy in another order',
      { policy: '{"Statement":[{"Action":["a","b"]}]}' },
      { policy: '{"Statement":[{"Action":["b","a"]}]}' },
      'same-policy',
    ],
  ])('is noise: %s', (_, before, after, reason) => {
    const { drafts, noise } = classifyPlan({ drift: [drift(before, after)], changes: [quiet] });
    expect(drafts).toEqual([]);
    expect(noise).toEqual([{ address: queue, paths: Object.keys(before), reason }]);
  });

  it('leaves the planned change of the same resource to be explained by itself', () => {
    const { drafts, noise } = classifyPlan({
      drift: [drift({ tags: null, delay: 1 }, { tags: {}, delay: 1 })],
      changes: [update(queue, { delay: 1 }, { delay: 2 })],
    });
    expect(summarise({ drafts, noise })).toEqual([`${queue} pending-config pending [delay] no-baseline?`]);
    expect(noise).toHaveLength(1);
  });

  it('says nothing about data sources', () => {
    const reading = classifyPlan({
      drift: [{ ...drift({ a: 1 }, { a: 2 }), address: 'data.aws_ami.a', mode: 'data' }],
    });
    expect(reading).toEqual({ drafts: [], noise: [] });
  });
});

describe('a refresh-only plan', () => {
  const refreshOnly = { mode: 'refresh-only' } as const;
  const noChanges = { more: { resource_changes: undefined } };

  it('counts what is configured as drift', () => {
    const reading = classifyPlan(
      {
        ...noChanges,
        drift: [drift({ delay: 1 }, { delay: 2 })],
        config: { [queue]: { delay: { constant_value: 1 } } },
      },
      refreshOnly,
    );
    expect(summarise(reading)).toEqual([`${queue} changed-outside drift [delay] outside-change`]);
  });

  it('counts what may be configured as drift', () => {
    const reading = classifyPlan({ ...noChanges, drift: [drift({ delay: 1 }, { delay: 2 })] }, refreshOnly);
    expect(summarise(reading)).toEqual([`${queue} changed-outside drift [delay] outside-change`]);
  });

  it('counts blocks as drift: a dynamic one is missing from the configuration of a document', () => {
    const reading = classifyPlan(
      { ...noChanges, drift: [drift({ rule: [{ port: 1 }] }, { rule: [{ port: 2 }] })], config: { [queue]: {} } },
      refreshOnly,
    );
    expect(summarise(reading)).toEqual([`${queue} changed-outside drift [rule[0].port] outside-change`]);
  });

  it('holds what is not configured against the same rules as a plan', () => {
    const reading = classifyPlan(
      {
        ...noChanges,
        drift: [drift({ delay: 1, policy: '' }, { delay: 2, policy: '{"a":1}' })],
        config: { [queue]: {} },
      },
      refreshOnly,
    );
    expect(summarise(reading)).toEqual([
      `${queue} changed-outside-unmanaged informational [delay] unconfigured-attribute`,
      `${queue} changed-outside-unmanaged drift [policy] unconfigured-attribute`,
    ]);
  });

  it('honours ignore_changes, which Terraform does not in this mode', () => {
    const reading = classifyPlan(
      {
        ...noChanges,
        drift: [drift({ delay: 1 }, { delay: 2 })],
        config: { [queue]: { delay: { constant_value: 1 } } },
      },
      { ...refreshOnly, ignoreChanges: new Map([[queue, 'all' as const]]) },
    );
    expect(summarise(reading)).toEqual([`${queue} changed-outside-unmanaged informational [delay] ignore-changes`]);
  });

  it('leaves to the service what the service moves', () => {
    const group = 'aws_autoscaling_group.g';
    const { drafts, noise } = classifyPlan(
      { ...noChanges, drift: [update(group, { desired_capacity: 5 }, { desired_capacity: 6 })] },
      refreshOnly,
    );
    expect(drafts).toEqual([]);
    expect(noise).toHaveLength(1);
  });

  it('shows a move, and no drift', () => {
    const moved: Entry = { address: queue, from: 'aws_sqs_queue.old', actions: ['no-op'], before: { delay: 1 } };
    const reading = classifyPlan({ ...noChanges, drift: [moved] }, refreshOnly);
    expect(summarise(reading)).toEqual([`${queue} moved pending [] moved-in-config`]);
  });
});
