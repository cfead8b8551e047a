import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { readAppSettings } from '../../lib/stacks/app-settings.ts';
import { HoldfastStack } from '../../lib/stacks/holdfast-stack.ts';
import { synthesise } from '../support/construct-template.ts';
import { permissionsOf } from '../support/template-values.ts';

const synth = (over: object = {}) =>
  synthesise((app) => {
    const nodeDigest = `sha256:${'0f'.repeat(32)}`;
    const settings = readAppSettings({ catalogue: { url: 'https://github.com/acme/catalogue' }, nodeDigest, ...over });
    return new HoldfastStack(app, 'Drift', { settings });
  });

const { template } = synth();
const hasSubnets = (expected: object, over: object) =>
  synth(over).template.hasResourceProperties('AWS::Scheduler::Schedule', {
    Target: { EcsParameters: { NetworkConfiguration: { AwsvpcConfiguration: Match.objectLike(expected) } } },
  });

describe('HoldfastStack', () => {
  it.each(['RunnerRoleArn', 'RunnerRoleName', 'TopicArn', 'DeploymentParameter', 'DashboardName'])(
    'puts out %s',
    (name) => {
      template.hasOutput(name, { Value: Match.anyValue(), Description: Match.anyValue() });
    },
  );

  it('depends on no account and no region', () => {
    template.templateMatches({ Mappings: Match.absent() });
    expect(JSON.stringify(template.toJSON())).not.toMatch(/\b\d{12}\b/);
  });

  it('can make private subnets', () => {
    synth({ network: 'nat' }).template.resourceCountIs('AWS::EC2::NatGateway', 1);
  });

  it('can use public subnets that are there', () => {
    const network = { vpcId: 'vpc-1', publicSubnetIds: ['subnet-1', 'subnet-2'] };

    hasSubnets({ Subnets: ['subnet-1', 'subnet-2'], AssignPublicIp: 'ENABLED' }, { network });
  });

  it('can use private subnets that are there', () => {
    const network = { vpcId: 'vpc-1', privateSubnetIds: ['subnet-1'] };

    hasSubnets({ Subnets: ['subnet-1'], AssignPublicIp: 'DISABLED' }, { network });
  });

  it('lets checks read what it names', () => {
    const named = synth({
      gitCredentials: { 'github.com': 'git', 'gitlab.com': 'git' },
      secrets: ['git', 'database'],
      parameters: ['/db/user'],
    });

    const readable = permissionsOf(named.template, 'HoldfastChecksRole')
      .filter((line) => /^(secretsmanager:GetSecretValue|ssm:GetParameter) /.test(line))
      .map((line) => line.replace(/.*:(?=secret:|parameter)/, ''));
    expect(readable).toEqual(['secret:database-??????', 'secret:git-??????', 'parameter/db/user']);
  });

  it('sends alarms of several severities to one topic', () => {
    const arn = 'arn:aws:sns:eu-west-1:111122223333:pager';

    const { template } = synth({ alarmTopics: { high: arn, medium: arn } });

    template.hasResourceProperties('AWS::CloudWatch::Alarm', { AlarmActions: [arn] });
  });

  it('warns while the catalogue is the example', () => {
    const { annotations } = synth({ catalogue: { url: 'https://git.example.com/platform/catalogue' } });

    annotations.hasWarning('/Drift/Holdfast', Match.stringLikeRegexp('catalogue.url is an example'));
  });

  it.each(['public', 'nat', { vpcId: 'vpc-1', privateSubnetIds: ['subnet-1'] }])(
    'warns of nothing else: %o',
    (network) => {
      synth({ network }).annotations.hasNoWarning('*', Match.anyValue());
    },
  );
});
