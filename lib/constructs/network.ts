import {
  FlowLogDestination,
  GatewayVpcEndpointAwsService,
  type ISubnet,
  type IVpc,
  type SubnetConfiguration,
  type SubnetSelection,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import type { Construct } from 'constructs';
import type { ServiceContext } from './service-context.ts';
import { makeLogGroup } from './service-log-group.ts';

/** Where the runner's tasks go. */
export interface BoundNetwork {
  readonly vpc: IVpc;
  readonly subnets: readonly ISubnet[];
  /** Tasks in public subnets reach the internet only with a public address of their own. */
  readonly assignPublicIp: boolean;
}

export interface NatNetworkProps {
  /**
   * NAT gateways, each billed by the hour. With fewer than there are zones, one zone's outage stops checks in others.
   *
   * @default 1
   */
  readonly natGateways?: number;
}

export interface ExistingNetworkProps {
  readonly vpc: IVpc;

  /**
   * Which subnets of that kind.
   *
   * @default - all, in every zone
   */
  readonly subnets?: SubnetSelection;
}

/**
 * The network that checks run in. They need a way out: to Git hosts, to the APIs of everything the stacks manage, and to
 * backends. Nothing comes in.
 *
 * ## Limitations
 *
 * VPC endpoints alone do not do: few services have one, and Git hosts have none.
 */
export class Network {
  readonly #bind: (scope: Construct, context: ServiceContext) => BoundNetwork;

  private constructor(bind: (scope: Construct, context: ServiceContext) => BoundNetwork) {
    this.#bind = bind;
  }

  /** A new VPC with public subnets and no NAT gateway: costs nothing while no check runs. */
  static publicSubnets(): Network {
    return new Network((scope, context) => {
      const vpc = makeVpc(scope, context, {
        natGateways: 0,
        subnets: [{ name: 'Runner', subnetType: SubnetType.PUBLIC }],
      });
      return { vpc: vpc as IVpc, subnets: vpc.publicSubnets, assignPublicIp: true };
    });
  }

  /** A new VPC with private subnets: checks come from the fixed addresses of its NAT gateways, which allow-lists can name. */
  static natGateway({ natGateways = 1 }: NatNetworkProps = {}): Network {
    return new Network((scope, context) => {
      const vpc = makeVpc(scope, context, {
        natGateways,
        subnets: [
          { name: 'Nat', subnetType: SubnetType.PUBLIC, cidrMask: 24 },
          { name: 'Runner', subnetType: SubnetType.PRIVATE_WITH_EGRESS },
        ],
      });
      return { vpc: vpc as IVpc, subnets: vpc.privateSubnets, assignPublicIp: false };
    });
  }

  /** Public subnets of a VPC that is there already: tasks get public addresses. */
  static existingPublic({ vpc, subnets = { subnetType: SubnetType.PUBLIC } }: ExistingNetworkProps): Network {
    return new Network(() => ({ vpc, subnets: vpc.selectSubnets(subnets).subnets, assignPublicIp: true }));
  }

  /** Private subnets of a VPC that is there already, with a way out. */
  static existingPrivate({
    vpc,
    subnets = { subnetType: SubnetType.PRIVATE_WITH_EGRESS },
  }: ExistingNetworkProps): Network {
    return new Network(() => ({ vpc, subnets: vpc.selectSubnets(subnets).subnets, assignPublicIp: false }));
  }

  /** Makes what there is to make, below `scope`. */
  bind(scope: Construct, context: ServiceContext): BoundNetwork {
    return this.#bind(scope, context);
  }
}

interface VpcShape {
  readonly natGateways: number;
  readonly subnets: SubnetConfiguration[];
}

function makeVpc(scope: Construct, context: ServiceContext, { natGateways, subnets }: VpcShape): Vpc {
  const vpc = new Vpc(scope, 'Vpc', {
    maxAzs: 3,
    natGateways,
    subnetConfiguration: subnets.map((subnet) =>
      subnet.subnetType === SubnetType.PUBLIC ? { ...subnet, mapPublicIpOnLaunch: false } : subnet,
    ),
    // Nothing uses the default group, and emptying it takes a custom resource with a function of its own.
    restrictDefaultSecurityGroup: false,
    // Free of charge, and keeps the bulk of a check's traffic off the NAT gateway.
    gatewayEndpoints: {
      S3: { service: GatewayVpcEndpointAwsService.S3 },
      DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
    },
  });
  vpc.addFlowLog('FlowLog', {
    destination: FlowLogDestination.toCloudWatchLogs(makeLogGroup(vpc, 'FlowLogs', context)),
  });
  return vpc;
}
