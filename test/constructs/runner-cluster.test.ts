import { Match } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import { Network } from '../../lib/constructs/network.ts';
import { RunnerCluster } from '../../lib/constructs/runner-cluster.ts';
import { aContext, templateOf } from '../support/construct-template.ts';
import { flatten, permissionsOf } from '../support/template-values.ts';

const synth = (use: (cluster: RunnerCluster) => void = () => {}, network = Network.publicSubnets()) =>
  templateOf((stack) => use(new RunnerCluster(stack, 'Cluster', { context: aContext(stack), network })));

const environment = (network: Network) => {
  let found: Readonly<Record<string, string>> = {};
  synth((cluster) => {
    found = Object.fromEntries(
      Object.entries(cluster.environment).map(([name, value]) => [name, flatten(cluster.cluster.stack.resolve(value))]),
    );
  }, network);
  return found;
};

describe('RunnerCluster', () => {
  it('offers Spot and on-demand capacity', () => {
    synth().hasResourceProperties('AWS::ECS::ClusterCapacityProviderAssociations', {
      CapacityProviders: ['FARGATE', 'FARGATE_SPOT'],
    });
  });

  it('lets nothing in', () => {
    synth().hasResourceProperties('AWS::EC2::SecurityGroup', { SecurityGroupIngress: Match.absent() });
  });

  it('tells the dispatcher where tasks go', () => {
    expect(environment(Network.publicSubnets())).toEqual({
      CLUSTER_ARN: '{Cluster}',
      SUBNET_IDS: '{ClusterVpcRunnerSubnet1Subnet},{ClusterVpcRunnerSubnet2Subnet}',
      SECURITY_GROUP_IDS: '{ClusterSecurityGroup}',
      ASSIGN_PUBLIC_IP: 'ENABLED',
    });
  });

  it('gives tasks no public address in private subnets', () => {
    expect(environment(Network.natGateway())).toMatchObject({ ASSIGN_PUBLIC_IP: 'DISABLED' });
  });

  it('allows to see, stop and tag its own tasks only', () => {
    const template = synth((cluster) =>
      cluster.grantControl(
        new Role(cluster.cluster.stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }),
      ),
    );

    const tasks = 'arn:{AWS::Partition}:ecs:{AWS::Region}:{AWS::AccountId}:task/{Cluster}/*';
    const inCluster = '{ArnEquals: {ecs:cluster: {Cluster}}}';
    expect(permissionsOf(template, 'Role')).toEqual([
      `ecs:DescribeTasks ${tasks} ${inCluster}`,
      `ecs:StopTask ${tasks} ${inCluster}`,
      `ecs:TagResource ${tasks} {StringEquals: {ecs:CreateAction: RunTask}}`,
    ]);
  });
});
