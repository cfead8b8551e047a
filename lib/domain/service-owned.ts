import { matchesPattern, type ServiceOwnedRule } from './rules.ts';

const owned = (type: string, ...paths: readonly string[]): ServiceOwnedRule[] =>
  paths.map((path) => ({ type, path, owned: true }));

/**
 * Attributes that scalers, clocks and services move (field case C8). They are noise only where the plan leaves them
 * alone: an attribute that Terraform would put back is drift, whoever moved it.
 */
export const SERVICE_OWNED: readonly ServiceOwnedRule[] = [
  ...owned('aws_autoscaling_group', 'desired_capacity'),
  ...owned('aws_ecs_service', 'desired_count'),
  ...owned('aws_appautoscaling_target', 'min_capacity', 'max_capacity'),
  ...owned('aws_dynamodb_table', 'read_capacity', 'write_capacity'),
  ...owned('aws_eks_node_group', 'scaling_config*'),
  ...owned('aws_eks_*', 'platform_version'),
  ...owned('aws_ecs_*', 'platform_version', 'task_definition'),
  ...owned('aws_*', 'latest_restorable_time', 'last_modified*', 'last_updated*', 'last_change*', 'etag', 'version_id'),
  ...owned('aws_acm_certificate', 'status', 'not_after', 'not_before', 'renewal_*', 'pending_renewal'),
  ...owned('aws_lambda_*', 'qualified_arn', 'qualified_invoke_arn', 'version', 'source_code_size'),
  ...owned('aws_instance', 'instance_state', 'public_ip', 'public_dns', 'password_data'),
  ...owned('aws_cognito_user_pool', 'estimated_number_of_users'),
  ...owned('aws_launch_template', 'latest_version'),
  ...owned('kubernetes_*', 'metadata[0].resource_version', 'metadata[0].generation'),
  ...owned('google_*', 'etag', 'fingerprint', 'metadata_fingerprint', 'tags_fingerprint', 'label_fingerprint'),
];

/** True where the attribute is the service's to move; a team's own rules come first. */
export function isServiceOwned(own: readonly ServiceOwnedRule[], type: string, path: string): boolean {
  const rule = [...own, ...SERVICE_OWNED].find(
    (candidate) => matchesPattern(candidate.type, type) && matchesPattern(candidate.path, path),
  );
  return rule?.owned === true;
}
