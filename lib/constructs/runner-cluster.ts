import { Stack } from 'aws-cdk-lib';
import { type ISecurityGroup, SecurityGroup } from 'aws-cdk-lib/aws-ec2';
import { Cluster, ContainerInsights } from 'aws-cdk-lib/aws-ecs';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { ASSIGN_PUBLIC_IP, CLUSTER_ARN, SECURITY_GROUP_IDS, SUBNET_IDS } from '../contract/env.ts';
import { acknowledge } from './acknowledge.ts';
import { allow } from './allow.ts';
import type { BoundNetwork, Network } from './network.ts';
import type { ServiceContext } from './service-context.ts';
import { makeLogGroup } from './service-log-group.ts';

export interface RunnerClusterProps {
  readonly context: ServiceContext;
  readonly network: Network;
}

/** Where tasks run: cluster, network, and what ECS itself needs to start them. */
export class RunnerCluster extends Construct {
  readonly cluster: Cluster;
  readonly network: BoundNetwork;
  readonly securityGroup: ISecurityGroup;
  /** ECS pulls images and writes logs with it; the programs in a task never see it. */
  readonly executionRole: Role;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, { context, network }: RunnerClusterProps) {
    super(scope, id);
    this.network = network.bind(this, context);
    const { vpc } = this.network;
    // Not 'Resource', as elsewhere: CDK names a child of the cluster after it, and that name is taken.
    this.cluster = new Cluster(this, 'Cluster', {
      vpc,
      // Spot for checks: one that is interrupted is run again.
      enableFargateCapacityProviders: true,
      containerInsightsV2: ContainerInsights.DISABLED,
    });
    acknowledge(
      this.cluster,
      'ECS4',
      'Insights bill every short task, and each run reports its duration and peak memory itself.',
    );
    this.securityGroup = new SecurityGroup(this, 'SecurityGroup', {
      vpc,
      description: `Holdfast ${context.deployment}: tasks reach out, nothing comes in`,
    });
    this.logGroup = makeLogGroup(this, 'Logs', context);
    this.executionRole = this.#makeExecutionRole();
  }

  /** Variables by which a function knows where to run tasks. */
  get environment(): Readonly<Record<string, string>> {
    return {
      [CLUSTER_ARN]: this.cluster.clusterArn,
      [SUBNET_IDS]: this.network.subnets.map(({ subnetId }) => subnetId).join(','),
      [SECURITY_GROUP_IDS]: this.securityGroup.securityGroupId,
      [ASSIGN_PUBLIC_IP]: this.network.assignPublicIp ? 'ENABLED' : 'DISABLED',
    };
  }

  /** Allows to see and stop the tasks of this cluster, and to tag those that are started. */
  grantControl(role: Role): void {
    const { clusterName, clusterArn } = this.cluster;
    const tasks = Stack.of(this).formatArn({ service: 'ecs', resource: 'task', resourceName: `${clusterName}/*` });
    const wildcard = 'ECS gives tasks their ids when it starts them; the cluster is named.';
    allow(role, {
      actions: ['ecs:DescribeTasks', 'ecs:StopTask'],
      resources: [tasks],
      conditions: { ArnEquals: { 'ecs:cluster': clusterArn } },
      wildcard,
    });
    allow(role, {
      actions: ['ecs:TagResource'],
      resources: [tasks],
      conditions: { StringEquals: { 'ecs:CreateAction': 'RunTask' } },
      wildcard,
    });
  }

  #makeExecutionRole(): Role {
    const role = new Role(this, 'ExecutionRole', { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') });
    this.logGroup.grantWrite(role);
    acknowledge(
      role,
      'IAM5[Resource::*]',
      'ecr:GetAuthorizationToken takes no resource; images are pulled from the one repository only.',
    );
    return role;
  }
}
