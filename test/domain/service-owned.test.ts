import { describe, expect, it } from 'vitest';
import { isServiceOwned } from '../../lib/domain/service-owned.ts';

describe('isServiceOwned', () => {
  it.each([
    ['aws_autoscaling_group', 'desired_capacity'],
    ['aws_ecs_service', 'desired_count'],
    ['aws_eks_node_group', 'scaling_config[0].desired_size'],
    ['aws_eks_cluster', 'platform_version'],
    ['aws_db_instance', 'latest_restorable_time'],
    ['aws_s3_object', 'etag'],
    ['aws_lambda_function', 'last_modified'],
    ['kubernetes_deployment', 'metadata[0].resource_version'],
  ])('knows that services move %s %s', (type, path) => {
    expect(isServiceOwned([], type, path)).toBe(true);
  });

  it.each([
    ['aws_autoscaling_group', 'max_size'],
    ['aws_sqs_queue', 'policy'],
    ['aws_sqs_queue', 'desired_capacity'],
    ['azurerm_storage_account', 'etag'],
  ])('leaves %s %s to people', (type, path) => {
    expect(isServiceOwned([], type, path)).toBe(false);
  });

  it("takes a team's own attributes too", () => {
    const own = [{ type: 'acme_*', path: 'build', owned: true }];

    expect(isServiceOwned(own, 'acme_job', 'build')).toBe(true);
    expect(isServiceOwned(own, 'acme_job', 'name')).toBe(false);
  });

  it("lets a team's own rules come first", () => {
    const own = [
      { type: 'aws_ecs_service', path: 'desired_count', owned: false },
      { type: 'aws_ecs_service', path: '*', owned: true },
    ];

    expect(isServiceOwned(own, 'aws_ecs_service', 'desired_count')).toBe(false);
    expect(isServiceOwned(own, 'aws_ecs_service', 'name')).toBe(true);
  });
});
