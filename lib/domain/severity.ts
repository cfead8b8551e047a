import { SEVERITIES, type Severity } from './finding.ts';
import { matchesPattern, type Selectable, type SeverityRule, selects } from './rules.ts';

/** True where `severity` is as bad as `threshold` or worse. */
export function isAtLeast(severity: Severity, threshold: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);
}

export function worst(severities: readonly Severity[]): Severity {
  return SEVERITIES.find((severity) => severities.includes(severity)) ?? 'info';
}

interface PlaceRule {
  readonly type: string;
  readonly path: string;
}

const everyPathOf = (...types: readonly string[]): PlaceRule[] => types.map((type) => ({ type, path: '*' }));
const onEveryType = (...paths: readonly string[]): PlaceRule[] => paths.map((path) => ({ type: '*', path }));

/** Who may do what, who may reach what, and whether it is encrypted. */
const SECURITY_RELEVANT: readonly PlaceRule[] = [
  ...everyPathOf(
    'aws_security_group_rule',
    'aws_vpc_security_group_*',
    'aws_network_acl*',
    'aws_default_network_acl',
    'aws_iam_*',
    'aws_kms_*',
    'aws_lambda_permission',
    'aws_s3_bucket_acl',
    'aws_s3_bucket_public_access_block',
    'aws_s3_account_public_access_block',
    'aws_s3_bucket_server_side_encryption_configuration',
    'google_*_iam_*',
    'google_compute_firewall',
    'azurerm_network_security_*',
    'azurerm_role_assignment',
  ),
  ...onEveryType('ingress*', 'egress*', 'security_groups*', 'security_group_ids*', 'vpc_security_group_ids*'),
  ...onEveryType(
    'policy',
    '*_policy',
    '*_policies*',
    'inline_policy*',
    'managed_policy_arns*',
    'iam_*',
    '*principals*',
  ),
  ...onEveryType('acl', 'grant*', '*public*', 'authorization_type', 'auth_type', '*authorization*'),
  ...onEveryType('kms_*', '*kms_key*', '*encrypt*', '*_sse_*', 'transit_encryption*', '*minimum_protocol_version*'),
];

// Terraform gives queues and topics a redrive policy: it moves messages, it lets nobody in.
const NOT_SECURITY_RELEVANT: readonly PlaceRule[] = onEveryType(
  'redrive_policy',
  'lifecycle_policy*',
  'scaling_policy*',
  'kms_data_key_reuse_period_seconds',
);

/** True where a change decides who may reach or do what (DESIGN §4). `path` is empty for a whole resource. */
export function isSecurityRelevant(type: string, path: string): boolean {
  if (isTag(path) || isIn(NOT_SECURITY_RELEVANT, type, path)) return false;
  return isIn(SECURITY_RELEVANT, type, path);
}

function isTag(path: string): boolean {
  return /^(tags|tags_all|labels|effective_labels|terraform_labels)\b/.test(path);
}

function isIn(rules: readonly PlaceRule[], type: string, path: string): boolean {
  return rules.some((rule) => matchesPattern(rule.type, type) && matchesPattern(rule.path, path));
}

/** Severity of one changed place: the team's rules first, then DESIGN §4's. */
export function severityOf(
  own: readonly SeverityRule[],
  type: string,
  place: Selectable,
  byClass: Severity | undefined,
): Severity {
  const rule = own.find((candidate) => selects(candidate, place));
  if (rule !== undefined) return rule.severity;
  if (byClass !== undefined) return byClass;
  if (isTag(place.path)) return 'low';
  return isSecurityRelevant(type, place.path) ? 'high' : 'medium';
}
