import { RemovalPolicy } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { Deployment } from '../../lib/contract/deployment.ts';
import { holdfastTemplate } from '../support/holdfast-template.ts';
import { flatten, propertiesOf } from '../support/template-values.ts';

const template = holdfastTemplate();

describe('Holdfast', () => {
  it('tells the command line where everything is', () => {
    const [parameter] = propertiesOf(template, 'AWS::SSM::Parameter');

    expect(parameter?.Name).toBe('/holdfast/acme');
    expect(Deployment.parse(JSON.parse(flatten(parameter?.Value)))).toEqual({
      region: '{AWS::Region}',
      tableName: '{HTable}',
      artifactsBucket: '{HArtifacts}',
      topicArn: '{HEvents}',
      dispatcherName: '{HDispatcherFunction}',
    });
  });

  it('tags what it makes with the deployment', () => {
    template.hasResourceProperties('AWS::DynamoDB::Table', {
      Tags: Match.arrayWith([{ Key: 'holdfast:deployment', Value: 'acme' }]),
    });
  });

  it('rotates its key', () => {
    template.hasResourceProperties('AWS::KMS::Key', { EnableKeyRotation: true });
  });

  it('is cheap where nothing else is asked for: no NAT gateway, one architecture', () => {
    template.resourceCountIs('AWS::EC2::NatGateway', 0);
    template.resourcePropertiesCountIs(
      'AWS::ECS::TaskDefinition',
      { RuntimePlatform: { CpuArchitecture: 'ARM64' } },
      2,
    );
  });

  it('limits checks as it is told', () => {
    const Variables = Match.objectLike({ MAX_CONCURRENCY: '7', MAX_CONCURRENCY_PER_ACCOUNT: '2', MAX_LAUNCHES: '3' });

    holdfastTemplate(() => ({ maxConcurrency: 7, maxConcurrencyPerAccount: 2, maxLaunches: 3 })).hasResourceProperties(
      'AWS::Lambda::Function',
      {
        Environment: { Variables },
      },
    );
  });

  it('sends alarms to the topic of their severity', () => {
    const arn = 'arn:aws:sns:eu-west-1:123456789012:pager';

    const alarms = propertiesOf(
      holdfastTemplate((stack) => ({ alarmTopics: { high: Topic.fromTopicArn(stack, 'Pager', arn) } })),
      'AWS::CloudWatch::Alarm',
    );

    const sent = alarms.filter(({ AlarmActions }) => AlarmActions !== undefined);
    expect(sent.length).toBeGreaterThan(0);
    expect(sent).toEqual(alarms.filter(({ AlarmDescription }) => String(AlarmDescription).startsWith('[high]')));
  });

  it('keeps all logs as long as it is told', () => {
    holdfastTemplate(() => ({ logRetention: RetentionDays.ONE_YEAR })).allResourcesProperties('AWS::Logs::LogGroup', {
      RetentionInDays: 365,
    });
  });

  it.each([
    'AWS::DynamoDB::Table',
    'AWS::S3::Bucket',
    'AWS::KMS::Key',
    'AWS::Logs::LogGroup',
    'AWS::SecretsManager::Secret',
  ])('keeps every %s when the stack goes', (type) => {
    template.allResources(type, { DeletionPolicy: 'Retain' });
  });

  it('takes everything along with the stack where that is asked for', () => {
    const temporary = holdfastTemplate(() => ({ removalPolicy: RemovalPolicy.DESTROY }));

    expect(JSON.stringify(temporary.toJSON())).not.toContain('"DeletionPolicy":"Retain"');
  });

  it('fails with everything that is wrong with its props', () => {
    const make = () => holdfastTemplate(() => ({ name: 'Prod', maxConcurrency: 0 }));

    expect(make).toThrow(/^Test\/H can't be made:\n- name must be .*\n- maxConcurrency must be .*$/);
  });
});
