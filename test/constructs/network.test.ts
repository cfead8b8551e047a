import { Stack } from 'aws-cdk-lib';
import { Subnet, Vpc } from 'aws-cdk-lib/aws-ec2';
import { describe, expect, it } from 'vitest';
import { type BoundNetwork, Network } from '../../lib/constructs/network.ts';
import { aContext, templateOf } from '../support/construct-template.ts';

const bind = (network: Network) => {
  let bound: BoundNetwork | undefined;
  const template = templateOf((stack) => {
    bound = network.bind(stack, aContext(stack));
  });
  return { template, bound };
};

const existing = (make: (stack: Stack) => Network) => {
  const stack = new Stack();
  return make(stack).bind(stack, aContext(stack));
};

const importedVpc = (stack: Stack) =>
  Vpc.fromVpcAttributes(stack, 'Vpc', {
    vpcId: 'vpc-1',
    availabilityZones: ['a'],
    publicSubnetIds: ['subnet-public'],
    privateSubnetIds: ['subnet-private'],
  });

const subnetIds = ({ subnets }: BoundNetwork) => subnets.map(({ subnetId }) => subnetId);

describe('Network.publicSubnets', () => {
  it('has no NAT gateway', () => {
    bind(Network.publicSubnets()).template.resourceCountIs('AWS::EC2::NatGateway', 0);
  });

  it('gives tasks public addresses', () => {
    expect(bind(Network.publicSubnets()).bound?.assignPublicIp).toBe(true);
  });

  it('gives nothing else in its subnets a public address', () => {
    bind(Network.publicSubnets()).template.allResourcesProperties('AWS::EC2::Subnet', { MapPublicIpOnLaunch: false });
  });

  it('logs what goes in and out', () => {
    bind(Network.publicSubnets()).template.hasResourceProperties('AWS::EC2::FlowLog', { TrafficType: 'ALL' });
  });

  it('reaches S3 and DynamoDB by gateway endpoints', () => {
    bind(Network.publicSubnets()).template.resourcePropertiesCountIs(
      'AWS::EC2::VPCEndpoint',
      { VpcEndpointType: 'Gateway' },
      2,
    );
  });
});

describe('Network.natGateway', () => {
  it('has one NAT gateway', () => {
    bind(Network.natGateway()).template.resourceCountIs('AWS::EC2::NatGateway', 1);
  });

  it('has as many NAT gateways as it is told', () => {
    bind(Network.natGateway({ natGateways: 2 })).template.resourceCountIs('AWS::EC2::NatGateway', 2);
  });

  it('gives tasks no public addresses', () => {
    expect(bind(Network.natGateway()).bound?.assignPublicIp).toBe(false);
  });
});

describe('Network.existingPublic', () => {
  it('takes the public subnets and gives tasks public addresses', () => {
    const bound = existing((stack) => Network.existingPublic({ vpc: importedVpc(stack) }));

    expect({ ...bound, subnets: subnetIds(bound) }).toMatchObject({ subnets: ['subnet-public'], assignPublicIp: true });
  });
});

describe('Network.existingPrivate', () => {
  it('takes the private subnets and gives tasks no public addresses', () => {
    const bound = existing((stack) => Network.existingPrivate({ vpc: importedVpc(stack) }));

    expect({ ...bound, subnets: subnetIds(bound) }).toMatchObject({
      subnets: ['subnet-private'],
      assignPublicIp: false,
    });
  });

  it('takes the subnets that it is told', () => {
    const bound = existing((stack) =>
      Network.existingPrivate({
        vpc: importedVpc(stack),
        subnets: { subnets: [Subnet.fromSubnetId(stack, 'One', 'subnet-one')] },
      }),
    );

    expect(subnetIds(bound)).toEqual(['subnet-one']);
  });
});
