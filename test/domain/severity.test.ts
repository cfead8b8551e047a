import { describe, expect, it } from 'vitest';
import type { Selectable, SeverityRule } from '../../lib/domain/rules.ts';
import { isAtLeast, isSecurityRelevant, severityOf, worst } from '../../lib/domain/severity.ts';

describe('isAtLeast', () => {
  it.each([
    ['critical', 'high', true],
    ['high', 'high', true],
    ['medium', 'high', false],
    ['info', 'low', false],
    ['info', 'info', true],
  ] as const)('%s is at least %s: %s', (severity, threshold, expected) => {
    expect(isAtLeast(severity, threshold)).toBe(expected);
  });
});

describe('worst', () => {
  it('takes the worst of several', () => {
    expect(worst(['low', 'high', 'medium'])).toBe('high');
  });

  it('takes nothing for harmless', () => {
    expect(worst([])).toBe('info');
  });
});

describe('isSecurityRelevant', () => {
  it.each([
    ['aws_security_group', 'ingress'],
    ['aws_security_group', 'egress[0].cidr_blocks'],
    ['aws_security_group_rule', 'cidr_blocks'],
    ['aws_vpc_security_group_ingress_rule', 'cidr_ipv4'],
    ['aws_instance', 'vpc_security_group_ids'],
    ['aws_iam_role', 'assume_role_policy'],
    ['aws_iam_role', 'max_session_duration'],
    ['aws_iam_policy_attachment', ''],
    ['aws_kms_key', 'enable_key_rotation'],
    ['aws_s3_bucket', 'policy'],
    ['aws_s3_bucket', 'acl'],
    ['aws_s3_bucket_public_access_block', 'block_public_acls'],
    ['aws_sqs_queue', 'policy'],
    ['aws_sqs_queue', 'redrive_allow_policy'],
    ['aws_sqs_queue', 'kms_master_key_id'],
    ['aws_sns_topic', 'policy'],
    ['aws_db_instance', 'publicly_accessible'],
    ['aws_db_instance', 'storage_encrypted'],
    ['aws_lambda_permission', 'principal'],
    ['aws_apigatewayv2_route', 'authorization_type'],
    ['google_project_iam_member', 'role'],
    ['azurerm_role_assignment', 'scope'],
  ])('holds for %s %j', (type, path) => {
    expect(isSecurityRelevant(type, path)).toBe(true);
  });

  it.each([
    ['aws_sqs_queue', 'visibility_timeout_seconds'],
    ['aws_sqs_queue', 'redrive_policy'],
    ['aws_sqs_queue', 'kms_data_key_reuse_period_seconds'],
    ['aws_efs_file_system', 'lifecycle_policy[0].transition_to_ia'],
    ['aws_sqs_queue', ''],
    // A tag may be called anything, and a role's tags let nobody in.
    ['aws_iam_role', 'tags.team'],
    ['aws_s3_bucket', 'tags["public"]'],
    ['aws_s3_bucket', 'tags_all.policy'],
    ['google_compute_instance', 'labels.public'],
  ])('does not hold for %s %j', (type, path) => {
    expect(isSecurityRelevant(type, path)).toBe(false);
  });
});

describe('severityOf', () => {
  const place = (path: string): Selectable => ({
    stack: 'prod/queues',
    address: 'aws_sqs_queue.jobs',
    path,
    value: '',
    class: 'changed-outside',
  });
  const severity = (path: string, own: readonly SeverityRule[] = [], byClass?: 'critical') =>
    severityOf(own, 'aws_sqs_queue', place(path), byClass);

  it('is high for what opens a door, low for tags, medium for the rest', () => {
    expect(['policy', 'tags.team', 'tags_all', 'delay_seconds'].map((path) => severity(path))).toEqual([
      'high',
      'low',
      'low',
      'medium',
    ]);
  });

  it("follows the class's own severity before the path", () => {
    expect(severity('tags.team', [], 'critical')).toBe('critical');
  });

  it("follows a team's first matching rule before anything else", () => {
    const own: SeverityRule[] = [
      { stack: '*', address: '*', path: 'policy', severity: 'medium' },
      { stack: '*', address: 'aws_sqs_queue.*', path: 'delay_*', severity: 'info' },
      { stack: '*', address: '*', path: 'delay_seconds', severity: 'critical' },
    ];

    expect(severity('delay_seconds', own, 'critical')).toBe('info');
  });
});
