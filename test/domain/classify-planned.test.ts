import { describe, expect, it } from 'vitest';
import { classifyPlan, type Entry, type PlanParts, summarise, update } from '../support/plan-builder.ts';

const queue = 'aws_sqs_queue.a';
const other = 'aws_sqs_queue.b';
const same = { baseline: { kind: 'same' } } as const;
const differs = { baseline: { kind: 'differs', changed: ['config', 'providers'] } } as const;
const change = update(queue, { delay: 1 }, { delay: 2 });
const fedBy = (...references: string[]): PlanParts => ({
  changes: [change],
  config: { [queue]: { delay: { references } } },
});

describe('a planned change without drift', () => {
  it.each([
    ['pending without a baseline', {}, 'pending-config pending [delay] no-baseline?'],
    ['pending where the inputs differ from the baseline', differs, 'pending-config pending [delay] config-changed?'],
    ['absorbed drift where nothing differs from the baseline', same, 'absorbed drift [delay] accepted-into-state?'],
  ])('is %s', (_, context, expected) => {
    expect(summarise(classifyPlan({ changes: [change] }, context))).toEqual([`${queue} ${expected}`]);
  });

  it('names what differs from the baseline', () => {
    const { drafts } = classifyPlan({ changes: [change] }, differs);
    expect(drafts[0]?.cause.changed).toEqual(['config', 'providers']);
  });

  it.each<[string, Entry, string]>([
    [
      'a resource missing from the state',
      { address: queue, actions: ['create'], before: null },
      'absorbed drift [] accepted-into-state?',
    ],
    [
      'a tainted one',
      { address: queue, actions: ['delete', 'create'], reason: 'replace_because_tainted' },
      'pending-config pending [] tainted',
    ],
    [
      'one asked to be replaced',
      { address: queue, actions: ['delete', 'create'], reason: 'replace_by_request' },
      'pending-config pending [] replace-requested',
    ],
    [
      'one that a trigger replaces',
      { address: queue, actions: ['create', 'delete'], reason: 'replace_by_triggers' },
      'pending-config pending [] replace-triggered',
    ],
    [
      'a deposed object',
      { address: queue, actions: ['delete'], deposed: 'ab12' },
      'pending-config pending [] deposed-object',
    ],
    ['an unknown action', { address: queue, actions: ['transmogrify'] }, 'pending-config pending [] unknown-action'],
    ['no action at all', { address: queue, actions: [] }, 'pending-config pending [] unknown-action'],
    [
      'an unknown combination',
      { address: queue, actions: ['create', 'read', 'update'] },
      'pending-config pending [] unknown-action',
    ],
    [
      'other marks only',
      { ...update(queue, { a: 1 }, { a: 1 }), afterSensitive: { a: true } },
      'pending-config pending [] state-form',
    ],
    [
      'a replacement',
      { ...update(queue, { delay: 1 }, { delay: 2 }), actions: ['delete', 'create'] },
      'absorbed drift [delay] accepted-into-state?',
    ],
  ])('is classified by what Terraform states: %s', (_, entry, expected) => {
    expect(summarise(classifyPlan({ changes: [entry] }, same))).toEqual([`${queue} ${expected}`]);
  });

  it.each([
    ['a removal', ['delete'], 'medium'],
    ['a replacement', ['delete', 'create'], 'medium'],
    ['a creation', ['create'], 'info'],
    ['an unknown action', ['transmogrify'], 'high'],
  ])('gives %s its own severity', (_, actions, severity) => {
    expect(classifyPlan({ changes: [{ address: queue, actions }] }).drafts[0]?.severity).toBe(severity);
  });

  it('is noise where every new value is known only after apply', () => {
    const entry = {
      ...update(queue, { delay: 1, tags: { a: 'x' } }, { tags: {} }),
      unknown: { delay: true, tags: { a: true } },
    };
    const { drafts, noise } = classifyPlan({ changes: [entry] });
    expect(drafts).toEqual([]);
    expect(noise).toEqual([{ address: queue, paths: ['delay', 'tags.a'], reason: 'unknown-only' }]);
  });

  it('is noise where only the form of a policy changes', () => {
    const { drafts, noise } = classifyPlan({
      changes: [update(queue, { policy: '{"a":1}' }, { policy: '{ "a": 1 }' })],
    });
    expect(drafts).toEqual([]);
    expect(noise).toEqual([{ address: queue, paths: ['policy'], reason: 'same-json' }]);
  });

  it('keeps the removal of the last element, which in drift would be noise', () => {
    const entry = update(queue, { rules: [] }, { rules: null });
    expect(summarise(classifyPlan({ changes: [entry] }))).toEqual([
      `${queue} pending-config pending [rules] no-baseline?`,
    ]);
  });
});

describe('a planned change beside drift of the same resource', () => {
  it('is a finding of its own at another place', () => {
    const reading = classifyPlan({
      drift: [update(queue, { delay: 30, size: 1 }, { delay: 99, size: 1 })],
      changes: [update(queue, { delay: 99, size: 1 }, { delay: 30, size: 2 })],
    });
    expect(summarise(reading)).toEqual([
      `${queue} changed-outside drift [delay] outside-change`,
      `${queue} pending-config pending [size] no-baseline?`,
    ]);
  });

  it('is a finding of its own at the same place, where it goes on to a new value', () => {
    const reading = classifyPlan({
      drift: [update(queue, { delay: 30 }, { delay: 99 })],
      changes: [update(queue, { delay: 99 }, { delay: 60 })],
    });
    expect(summarise(reading)).toEqual([
      `${queue} changed-outside drift [delay] outside-change`,
      `${queue} pending-config pending [delay] no-baseline?`,
    ]);
  });

  it('is none where a list goes back, whatever positions its elements have', () => {
    const rule = (port: number) => ({ port, description: '' });
    const reading = classifyPlan({
      drift: [update(queue, { ingress: [rule(443)] }, { ingress: [rule(22), rule(443)] })],
      changes: [update(queue, { ingress: [rule(22), rule(443)] }, { ingress: [{ port: 443, description: null }] })],
    });
    expect(summarise(reading)).toEqual([`${queue} changed-outside drift [ingress] outside-change`]);
  });

  it('is none where what was added outside goes away again', () => {
    const reading = classifyPlan({
      drift: [update(queue, { delay: 30 }, { delay: 30, size: 1 })],
      changes: [update(queue, { delay: 30, size: 1 }, { delay: 30 })],
    });
    expect(summarise(reading)).toEqual([`${queue} changed-outside drift [size] outside-change`]);
  });

  it('is pending where the configuration of the drifted resource is gone', () => {
    const reading = classifyPlan({
      drift: [update(queue, { delay: 30 }, { delay: 99 })],
      changes: [{ address: queue, actions: ['delete'], before: { delay: 99 }, after: null }],
    });
    expect(summarise(reading)).toEqual([
      `${queue} changed-outside drift [delay] outside-change`,
      `${queue} pending-config pending [] no-baseline?`,
    ]);
  });

  it('is noise where only the form of the outside change would be another', () => {
    const reading = classifyPlan({
      drift: [update(queue, { redrive: '' }, { redrive: '{"a": 1}' })],
      changes: [update(queue, { redrive: '{"a": 1}' }, { redrive: '{"a":1}' })],
    });
    expect(summarise(reading)).toEqual([
      `${queue} changed-outside-unmanaged informational [redrive] unconfigured-attribute?`,
    ]);
    expect(reading.noise).toEqual([{ address: queue, paths: ['redrive'], reason: 'same-json' }]);
  });

  it('leaves out what is known only after apply', () => {
    const reading = classifyPlan({
      drift: [update(queue, { delay: 30, etag: 'a' }, { delay: 99, etag: 'b' })],
      changes: [{ ...update(queue, { delay: 99, etag: 'b' }, { delay: 30 }), unknown: { etag: true } }],
    });
    expect(summarise(reading)).toEqual([`${queue} changed-outside drift [delay,etag] outside-change`]);
  });
});

describe('what feeds a planned change', () => {
  const drifted: PlanParts = { drift: [{ address: other, actions: ['delete'], before: { url: 'x' }, after: null }] };

  it('makes it an echo where a drifted resource feeds every changed place', () => {
    const reading = classifyPlan({ ...fedBy('aws_sqs_queue.b.url', 'aws_sqs_queue.b'), ...drifted }, same);
    expect(summarise(reading)).toContain(`${queue} data-driven informational [delay] follows-drift?`);
    expect(reading.drafts.at(-1)?.cause.from).toEqual([other]);
  });

  it('makes it pending where what it echoes does not count as drift', () => {
    const reading = classifyPlan({
      ...fedBy('aws_sqs_queue.b.url', 'aws_sqs_queue.b'),
      drift: [update(other, { url: 'x' }, { url: 'y' })],
    });
    expect(summarise(reading)).toEqual([
      `${other} changed-outside-unmanaged informational [url] unconfigured-attribute?`,
      `${queue} data-driven pending [delay] follows-drift?`,
    ]);
  });

  it('leaves it a change of its own where one place is fed by nothing that drifted', () => {
    const reading = classifyPlan({
      ...drifted,
      changes: [update(queue, { delay: 1, size: 1 }, { delay: 2, size: 2 })],
      config: { [queue]: { delay: { references: ['aws_sqs_queue.b.url'] }, size: { constant_value: 2 } } },
    });
    expect(summarise(reading)).toContain(`${queue} pending-config pending [delay,size] no-baseline?`);
  });

  it('follows replace_paths where every changed value is unknown', () => {
    const reading = classifyPlan({
      drift: [{ address: other, actions: ['delete'], before: { url: 'x' }, after: null }],
      changes: [
        {
          address: queue,
          actions: ['delete', 'create'],
          before: { delay: 1 },
          after: {},
          unknown: { delay: true },
          replacePaths: [['delay']],
        },
      ],
      config: { [queue]: { delay: { references: ['aws_sqs_queue.b.url'] } } },
    });
    expect(summarise(reading)).toContain(`${queue} data-driven informational [] follows-drift?`);
  });

  it('takes the list of relevant attributes as a hint behind a local', () => {
    const reading = classifyPlan({ ...fedBy('local.url'), ...drifted, relevant: ['aws_sqs_queue.b', queue] }, same);
    expect(summarise(reading)).toContain(`${queue} data-driven informational [delay] follows-drift?`);
  });

  it('is never the resource itself', () => {
    const reading = classifyPlan({
      ...fedBy('local.url'),
      drift: [update(queue, { x: 1 }, { x: 2 })],
      relevant: [queue],
    });
    expect(summarise(reading).at(-1)).toBe(`${queue} pending-config pending [delay] no-baseline?`);
  });

  it('makes it data-driven where a data source feeds it and nothing else changed', () => {
    const reading = classifyPlan(fedBy('data.aws_ami.base.id', 'data.aws_ami.base'), same);
    expect(summarise(reading)).toEqual([`${queue} data-driven pending [delay] data-source?`]);
    expect(reading.drafts[0]?.cause.from).toEqual(['data.aws_ami.base']);
  });

  it('counts a changed configuration before a data source', () => {
    expect(summarise(classifyPlan(fedBy('data.aws_ami.base.id'), differs))).toEqual([
      `${queue} pending-config pending [delay] config-changed?`,
    ]);
  });

  it('looks at for_each for resources that come and go', () => {
    const reading = classifyPlan(
      {
        changes: [{ address: 'aws_sqs_queue.a["x"]', actions: ['create'], before: null, after: { delay: 1 } }],
        config: { [queue]: { for_each_expression: { references: ['data.aws_subnets.all.ids'] } } },
      },
      same,
    );
    expect(summarise(reading)).toEqual(['aws_sqs_queue.a["x"] data-driven pending [] data-source?']);
  });

  it.each([
    ['behind a local', fedBy('local.delay')],
    [
      'of a sensitive place',
      { changes: [{ ...change, afterSensitive: { delay: true } }], config: { [queue]: { delay: {} } } },
    ],
  ])('is never called absorbed by a document alone %s', (_, parts) => {
    expect(summarise(classifyPlan(parts, { ...same, basis: 'document' }))).toEqual([
      expect.stringMatching(/^aws_sqs_queue.a pending-config pending .* config-changed\?$/),
    ]);
  });

  it('is called absorbed by a document that holds everything', () => {
    const parts = { changes: [change], config: { [queue]: { delay: { constant_value: 2 } } } };
    expect(summarise(classifyPlan(parts, { ...same, basis: 'document' }))).toEqual([
      `${queue} absorbed drift [delay] accepted-into-state?`,
    ]);
  });
});

describe('what shows by its shape', () => {
  it.each<[string, PlanParts, readonly string[]]>([
    [
      'a move hidden in a no-op',
      { changes: [{ address: queue, from: other }] },
      [`${queue} moved pending [] moved-in-config`],
    ],
    [
      'a move with a change',
      { changes: [{ ...change, from: other }] },
      [`${queue} moved pending [] moved-in-config`, `${queue} pending-config pending [delay] no-baseline?`],
    ],
    [
      'an import hidden in a no-op',
      { changes: [{ address: queue, importing: true }] },
      [`${queue} imported pending [] import-block`],
    ],
    [
      'an import with a change',
      { changes: [{ ...change, importing: true }] },
      [`${queue} imported pending [] import-block`, `${queue} pending-config pending [delay] no-baseline?`],
    ],
    [
      'a forgotten resource',
      { changes: [{ address: queue, actions: ['forget'] }] },
      [`${queue} forgotten pending [] removed-block`],
    ],
    [
      'a resource replaced without destroying, in the order of OpenTofu',
      { changes: [{ address: queue, actions: ['forget', 'create'] }] },
      [`${queue} forgotten pending [] removed-block`],
    ],
    [
      'a data source read during apply',
      { changes: [{ address: 'data.aws_ami.a', mode: 'data', actions: ['read'], before: null }] },
      ['data.aws_ami.a read informational [] read-during-apply'],
    ],
    ['a data source that leaves', { changes: [{ address: 'data.aws_ami.a', mode: 'data', actions: ['delete'] }] }, []],
    ['a previous address equal to the address', { changes: [{ address: queue, from: queue }] }, []],
    [
      'an output',
      { outputs: { url: ['update'], same: ['no-op'] } },
      ['output.url outputs-only pending [] output-changed'],
    ],
    [
      'an action',
      { more: { action_invocations: [{ address: 'action.bufo_print.success', type: 'bufo_print' }] } },
      ['action.bufo_print.success action pending [] action-invocation'],
    ],
    [
      'a deferred change',
      {
        more: {
          deferred_changes: [
            {
              reason: 'instance_count_unknown',
              resource_change: { address: 'aws_x.y[*]', type: 'aws_x', change: { actions: ['create'] } },
            },
          ],
        },
      },
      ['aws_x.y[*] pending-config pending [] deferred'],
    ],
    [
      'checks that fail or err',
      {
        more: {
          checks: ['fail', 'error', 'pass', 'unknown'].map((status) => ({
            status,
            address: { to_display: `check.${status}` },
          })),
        },
      },
      ['check.fail check-failing check [] check-failed', 'check.error check-failing check [] check-failed'],
    ],
  ])('is found: %s', (_, parts, expected) => {
    expect(summarise(classifyPlan(parts))).toEqual(expected);
  });
});

describe('an output beside other changes', () => {
  const outputs = { outputs: { url: ['update'] } };
  const root = (references: string[]) => ({ rootModule: { outputs: { url: { expression: { references } } } } });

  it('is no finding where a changed resource feeds it', () => {
    expect(summarise(classifyPlan({ changes: [change], ...outputs, ...root(['aws_sqs_queue.a.url']) }))).toEqual([
      `${queue} pending-config pending [delay] no-baseline?`,
    ]);
  });

  it('is no finding where a local may hide a changed resource', () => {
    expect(summarise(classifyPlan({ changes: [change], ...outputs, ...root(['local.url']) }))).toHaveLength(1);
  });

  it('is a finding where nothing that changed feeds it', () => {
    expect(summarise(classifyPlan({ changes: [change], ...outputs, ...root(['aws_sqs_queue.b.url']) }))).toContain(
      'output.url outputs-only pending [] output-changed',
    );
  });
});
