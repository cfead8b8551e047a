import { Stack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** A role that a service may take on for this account only, so that it can't be made to use it for another. */
export function makeServiceRole(scope: Construct, id: string, service: 'ecs-tasks' | 'scheduler'): Role {
  const { account } = Stack.of(scope);
  return new Role(scope, id, {
    assumedBy: new ServicePrincipal(`${service}.amazonaws.com`, {
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  });
}
