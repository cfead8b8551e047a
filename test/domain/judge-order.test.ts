import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CheckResult } from '../../lib/domain/finding.ts';
import { judgePlan } from '../support/judged-plan.ts';
import type { Entry, PlanParts } from '../support/plan-builder.ts';

const values = fc.record(
  {
    size: fc.constantFrom(1, 2),
    policy: fc.constantFrom('a', 'b', ''),
    tags: fc.constantFrom(null, {}, { team: 'x' }, { team: 'y' }),
    desired_capacity: fc.constantFrom(1, 2),
  },
  { requiredKeys: [] },
);

const address = fc.constantFrom(
  'aws_sqs_queue.a',
  'aws_sqs_queue.b["k"]',
  'aws_autoscaling_group.c',
  'module.m[0].aws_iam_role.d',
  'data.aws_ami.e',
);

const entryWith = (...actions: readonly (readonly string[])[]): fc.Arbitrary<Entry> =>
  fc
    .record(
      {
        address,
        actions: fc.constantFrom(...actions),
        before: values,
        after: values,
        deposed: fc.constantFrom('1', '2'),
        from: fc.constant('aws_sqs_queue.before'),
        importing: fc.boolean(),
      },
      { requiredKeys: ['address', 'actions', 'before', 'after'] },
    )
    .map((entry) => ({ ...entry, mode: entry.address.startsWith('data.') ? 'data' : 'managed' }));

const planned = entryWith(
  ['no-op'],
  ['update'],
  ['create'],
  ['delete'],
  ['delete', 'create'],
  ['read'],
  ['forget'],
  ['x'],
);
const drift = entryWith(['update'], ['delete'], ['no-op']);
const objectOf = ({ address: name, deposed }: Entry) => `${name} ${deposed}`;

const anyPlan = fc.record({
  changes: fc.uniqueArray(planned, { maxLength: 6, selector: objectOf }),
  drift: fc.uniqueArray(drift, { maxLength: 6, selector: objectOf }),
  outputs: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom(['no-op'], ['update'])),
  relevant: fc.subarray(['aws_sqs_queue.a', 'module.m.aws_iam_role.d']),
});

const shuffled = anyPlan.chain((plan) => {
  const mix = <Item>(items: readonly Item[]) => fc.shuffledSubarray([...items], { minLength: items.length });
  const mixed = fc.record({
    changes: mix(plan.changes),
    drift: mix(plan.drift),
    outputs: mix(Object.entries(plan.outputs)).map((outputs) => Object.fromEntries(outputs)),
    relevant: mix(plan.relevant),
  });
  return fc.tuple(fc.constant(plan), mixed);
});

/** Noise and what is suppressed come as the document lists them. */
const unordered = (result: CheckResult) => ({
  ...result,
  noise: result.noise.map((entry) => JSON.stringify(entry)).sort(),
  suppressed: result.suppressed.map((entry) => JSON.stringify(entry)).sort(),
});

it.each(['none', 'same'] as const)('finds the same whatever order a document lists things in, baseline %s', (kind) => {
  const conclude = (parts: PlanParts) => unordered(judgePlan(parts, { baseline: { kind } }));

  fc.assert(
    fc.property(shuffled, ([plan, mixed]) => {
      expect(conclude(mixed)).toEqual(conclude(plan));
    }),
  );
});
