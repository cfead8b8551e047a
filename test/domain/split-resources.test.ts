import { describe, expect, it } from 'vitest';
import { readPlanDocument } from '../../lib/domain/plan-document.ts';
import { indexSplits } from '../../lib/domain/split-resources.ts';
import { type Entry, planText, update } from '../support/plan-builder.ts';

/** Whether the siblings account for the change of the first drift entry. */
function explains(attribute: string, drift: readonly Entry[], siblings: readonly Entry[]): boolean {
  const document = readPlanDocument(planText({ drift, changes: siblings }));
  const [entry] = document.drift;
  if (entry === undefined) throw new Error('no drift entry');
  return indexSplits(document.changes, document.drift).explains(entry, attribute);
}

const standing = (address: string, before: Record<string, unknown>): Entry => ({ address, before });

describe('an attribute that one other resource manages', () => {
  const bucket = update('aws_s3_bucket.b', { bucket: 'b', policy: '' }, { bucket: 'b', policy: '{}' });

  it.each([
    ['by name', standing('aws_s3_bucket_policy.p', { bucket: 'b' }), true],
    ['of another bucket', standing('aws_s3_bucket_policy.p', { bucket: 'c' }), false],
    ['of another kind', standing('aws_s3_bucket_acl.p', { bucket: 'b' }), false],
    [
      'that is not there yet',
      { address: 'aws_s3_bucket_policy.p', actions: ['create'], before: null, after: { bucket: 'b' } },
      false,
    ],
    ['that is a data source', { ...standing('aws_s3_bucket_policy.p', { bucket: 'b' }), mode: 'data' as const }, false],
  ])('is explained by a sibling %s: %s', (_, sibling, expected) => {
    expect(explains('policy', [bucket], [sibling])).toBe(expected);
  });

  it('is explained by a sibling that was removed outside: that one tells', () => {
    const removed: Entry = {
      address: 'aws_s3_bucket_policy.p',
      actions: ['delete'],
      before: { bucket: 'b' },
      after: null,
    };
    expect(explains('policy', [bucket, removed], [])).toBe(true);
  });

  it('is never explained where no resource can manage it', () => {
    expect(explains('bucket', [bucket], [standing('aws_s3_bucket_policy.p', { bucket: 'b' })])).toBe(false);
  });

  it('is not explained by a sibling without a parent where the parent has no name', () => {
    const nameless = update('aws_s3_bucket.b', { policy: '' }, { policy: '{}' });
    expect(explains('policy', [nameless], [standing('aws_s3_bucket_policy.p', {})])).toBe(false);
  });
});

describe('the rules of a security group', () => {
  const rule = (port: number, more: Record<string, unknown>) => ({
    protocol: 'tcp',
    from_port: port,
    to_port: port,
    ...more,
  });
  const group = (before: readonly unknown[], after: readonly unknown[]) =>
    update('aws_security_group.g', { id: 'sg-1', ingress: before }, { id: 'sg-1', ingress: after });
  const single = (more: Record<string, unknown>) =>
    standing('aws_security_group_rule.r', { security_group_id: 'sg-1', type: 'ingress', ...more });

  it.each([
    [
      'CIDR blocks, merged by the provider',
      rule(443, { cidr_blocks: ['10.0.0.0/8', '10.1.0.0/16'] }),
      [single(rule(443, { cidr_blocks: ['10.0.0.0/8'] })), single(rule(443, { cidr_blocks: ['10.1.0.0/16'] }))],
    ],
    [
      'another group',
      rule(5432, { security_groups: ['sg-2'] }),
      [single(rule(5432, { source_security_group_id: 'sg-2' }))],
    ],
    ['the group itself', rule(22, { self: true }), [single(rule(22, { self: true }))]],
    ['a prefix list', rule(443, { prefix_list_ids: ['pl-1'] }), [single(rule(443, { prefix_list_ids: ['pl-1'] }))]],
    [
      'all ports',
      { protocol: '-1', from_port: 0, to_port: 0, cidr_blocks: ['10.0.0.0/8'] },
      [single({ protocol: '-1', from_port: null, to_port: null, cidr_blocks: ['10.0.0.0/8'] })],
    ],
    [
      'a rule resource of the newer kind',
      rule(443, { ipv6_cidr_blocks: ['::/0'] }),
      [
        standing('aws_vpc_security_group_ingress_rule.r', {
          security_group_id: 'sg-1',
          ip_protocol: 'tcp',
          from_port: 443,
          to_port: 443,
          cidr_ipv6: '::/0',
          cidr_ipv4: '',
        }),
      ],
    ],
  ])('are explained by rule resources: %s', (_, added, siblings) => {
    expect(explains('ingress', [group([], [added])], siblings)).toBe(true);
  });

  it.each([
    ['another port', single(rule(80, { cidr_blocks: ['0.0.0.0/0'] }))],
    ['another source', single(rule(22, { cidr_blocks: ['10.0.0.0/8'] }))],
    ['the other direction', single({ ...rule(22, { cidr_blocks: ['0.0.0.0/0'] }), type: 'egress' })],
  ])('stand out where a rule resource has only %s', (_, sibling) => {
    expect(explains('ingress', [group([], [rule(22, { cidr_blocks: ['0.0.0.0/0'] })])], [sibling])).toBe(false);
  });

  it('stand out where one was added by hand beside those of rule resources', () => {
    const after = [rule(443, { cidr_blocks: ['10.0.0.0/8'] }), rule(22, { cidr_blocks: ['0.0.0.0/0'] })];
    expect(explains('ingress', [group([], after)], [single(rule(443, { cidr_blocks: ['10.0.0.0/8'] }))])).toBe(false);
  });

  it('are explained where the state knows of none on either side', () => {
    const unknown = update('aws_security_group.g', { id: 'sg-1' }, { id: 'sg-1' });
    expect(explains('ingress', [unknown], [single(rule(443, {}))])).toBe(true);
  });

  it('are explained where one went with its rule resource, and stand out where one went alone', () => {
    const gone = rule(443, { cidr_blocks: ['10.0.0.0/8'] });
    const removed: Entry = { ...single(gone), actions: ['delete'], after: null };
    const remaining = single(rule(80, { cidr_blocks: ['10.0.0.0/8'] }));
    expect(explains('ingress', [group([gone], []), removed], [])).toBe(true);
    expect(explains('ingress', [group([gone], [])], [remaining])).toBe(false);
  });
});

describe('parts told apart by a key', () => {
  it.each([
    [
      'managed policies of a role',
      'aws_iam_role.r',
      'managed_policy_arns',
      ['arn:1'],
      'aws_iam_role_policy_attachment.p',
      { role: 'r', policy_arn: 'arn:1' },
    ],
    [
      'inline policies of a role',
      'aws_iam_role.r',
      'inline_policy',
      [{ name: 'p', policy: '{}' }],
      'aws_iam_role_policy.p',
      { role: 'r', name: 'p' },
    ],
    [
      'routes',
      'aws_route_table.r',
      'route',
      [{ cidr_block: '0.0.0.0/0', ipv6_cidr_block: '' }],
      'aws_route.p',
      { route_table_id: 'r', destination_cidr_block: '0.0.0.0/0' },
    ],
  ])('are explained by their resources: %s', (_, parent, attribute, added, sibling, values) => {
    const drift = [update(parent, { id: 'r', [attribute]: [] }, { id: 'r', [attribute]: added })];
    expect(explains(attribute, drift, [standing(sibling, values)])).toBe(true);
    expect(
      explains(attribute, drift, [
        standing(sibling, { ...values, policy_arn: 'x', name: 'x', destination_cidr_block: 'x' }),
      ]),
    ).toBe(false);
  });

  it('stand out where somebody changed what one holds that no resource manages', () => {
    const policies = (manual: string) => [
      { name: 'managed', policy: '{}' },
      { name: 'manual', policy: manual },
    ];
    const drift = update(
      'aws_iam_role.r',
      { id: 'r', inline_policy: policies('{}') },
      { id: 'r', inline_policy: policies('{"a":1}') },
    );
    const sibling = (name: string) => standing(`aws_iam_role_policy.${name}`, { role: 'r', name });
    expect(explains('inline_policy', [drift], [sibling('managed')])).toBe(false);
    expect(explains('inline_policy', [drift], [sibling('managed'), sibling('manual')])).toBe(true);
  });
});
