import { CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import { type ISubnet, Subnet, Vpc } from 'aws-cdk-lib/aws-ec2';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { Holdfast } from '../constructs/holdfast.ts';
import { Network } from '../constructs/network.ts';
import type { AppSettings, NetworkSettings } from './app-settings.ts';

export interface HoldfastStackProps extends StackProps {
  readonly settings: AppSettings;
}

/** One deployment of Holdfast, made from settings. */
export class HoldfastStack extends Stack {
  constructor(scope: Construct, id: string, { settings, ...props }: HoldfastStackProps) {
    super(scope, id, { description: 'Holdfast: drift detection for Terraform', ...props });
    const { network, ...plain } = settings;
    const holdfast = new Holdfast(this, 'Holdfast', {
      ...plain,
      ...this.#lookUp(settings),
      network: makeNetwork(this, network),
    });
    if (URL.parse(settings.catalogue.url)?.hostname.endsWith('example.com')) {
      const message = 'catalogue.url is an example: name your own in cdk.json, under context.holdfast';
      Validations.of(holdfast).addWarning('ExampleCatalogue', message);
    }
    this.#announce(holdfast);
  }

  /** Makes constructs of what settings name. */
  #lookUp({ gitCredentials, secrets, parameters, alarmTopics }: AppSettings) {
    const secret = once((name): ISecret => Secret.fromSecretNameV2(this, `Secret ${name}`, name));
    const parameter = once((name) => StringParameter.fromStringParameterName(this, `Parameter ${name}`, name));
    const topic = once((arn): ITopic => Topic.fromTopicArn(this, `Topic ${arn}`, arn));
    return {
      gitCredentials: mapValues(gitCredentials, secret),
      secrets: secrets.map(secret),
      parameters: parameters.map(parameter),
      alarmTopics: mapValues(alarmTopics, topic),
    };
  }

  #announce({ runnerRole, topic, parameter, dashboard }: Holdfast): void {
    const output = (name: string, value: string, description: string) =>
      new CfnOutput(this, name, { value, description });
    output('RunnerRoleName', runnerRole.roleName, 'For "holdfast spoke-roles --runner-role".');
    output('RunnerRoleArn', runnerRole.roleArn, 'Plan roles in the accounts that are checked have to trust it.');
    output('TopicArn', topic.topicArn, 'Subscribe to it to hear of drift.');
    output('DeploymentParameter', parameter.parameterName, 'Tells the command line where everything is.');
    output('DashboardName', dashboard.dashboardName, 'In CloudWatch.');
  }
}

/** Makes one construct for a name, however often it is named. */
function once<T>(make: (name: string) => T): (name: string) => T {
  const made = new Map<string, T>();
  return (name) => {
    const known = made.get(name) ?? make(name);
    made.set(name, known);
    return known;
  };
}

function mapValues<T>(names: Readonly<Record<string, string>>, make: (name: string) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, make(name)]));
}

function makeNetwork(scope: Construct, settings: NetworkSettings): Network {
  if (settings === 'public') return Network.publicSubnets();
  if (settings === 'nat') return Network.natGateway();
  // Subnets are named one by one, so nothing asks for the zones; CDK wants one.
  const vpc = Vpc.fromVpcAttributes(scope, 'Vpc', { vpcId: settings.vpcId, availabilityZones: ['any'] });
  const subnets = (ids: readonly string[]) => ({ subnets: ids.map((id) => importSubnet(scope, id)) });
  return 'publicSubnetIds' in settings
    ? Network.existingPublic({ vpc, subnets: subnets(settings.publicSubnetIds) })
    : Network.existingPrivate({ vpc, subnets: subnets(settings.privateSubnetIds) });
}

function importSubnet(scope: Construct, id: string): ISubnet {
  const subnet = Subnet.fromSubnetId(scope, id, id);
  Validations.of(subnet).acknowledge({
    id: '@aws-cdk/aws-ec2:noSubnetRouteTableId',
    reason: 'Tasks are put into the subnet; nothing asks for its route table.',
  });
  return subnet;
}
