import { Duration, type Stack } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { describe, expect, it } from 'vitest';
import { holdfastTemplate } from '../support/holdfast-template.ts';
import { flatten, permissionsOf, propertiesOf } from '../support/template-values.ts';

const secret = (stack: Stack, name: string) => Secret.fromSecretNameV2(stack, name, name);

const template = holdfastTemplate((stack) => ({
  catalogue: { url: 'https://git.acme.example:8443/catalogue', ref: 'main', path: 'stacks' },
  gitCredentials: { 'git.acme.example:8443': secret(stack, 'own'), 'github.com': secret(stack, 'other') },
  syncInterval: Duration.minutes(10),
}));

const SYNC = { Family: 'acme-sync-catalogue' };

describe('CatalogueSync', () => {
  it('starts the task at the interval', () => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(10 minutes)',
      Target: {
        Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^HCluster'), 'Arn'] },
        EcsParameters: {
          LaunchType: 'FARGATE',
          TaskDefinitionArn: { Ref: Match.stringLikeRegexp('^HCatalogueTask') },
          NetworkConfiguration: { AwsvpcConfiguration: Match.objectLike({ AssignPublicIp: 'ENABLED' }) },
        },
      },
    });
  });

  it('leaves a task that could not be started to its own queue', () => {
    template.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'rate(10 minutes)',
      Target: {
        DeadLetterConfig: {
          Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^HCatalogueSchedule.*DeadLetters'), 'Arn'] },
        },
      },
    });
  });

  it.each([
    ['HOLDFAST_MODE', 'sync-catalogue'],
    ['HOLDFAST_CATALOGUE_URL', 'https://git.acme.example:8443/catalogue'],
    ['HOLDFAST_CATALOGUE_REF', 'main'],
    ['HOLDFAST_CATALOGUE_PATH', 'stacks'],
  ])('gives the task %s=%s', (Name, Value) => {
    template.hasResourceProperties('AWS::ECS::TaskDefinition', {
      ...SYNC,
      ContainerDefinitions: [Match.objectLike({ Environment: Match.arrayWith([{ Name, Value }]) })],
    });
  });

  it('lets the task write the catalogue and read the credentials of its host, and nothing else', () => {
    const own = 'arn:{AWS::Partition}:secretsmanager:{AWS::Region}:{AWS::AccountId}:secret:own-??????';

    expect(permissionsOf(template, 'HCatalogueTaskRole')).toEqual([
      'kms:GenerateDataKey {HKey}',
      's3:PutObject {HArtifacts}/catalogue/latest.json',
      `secretsmanager:DescribeSecret ${own}`,
      `secretsmanager:GetSecretValue ${own}`,
    ]);
  });

  it.each([
    ['https://github.com/acme/catalogue', 'github.com'],
    ['ssh://git@git.acme.example:2222/catalogue', 'git.acme.example'],
    ['git@github.com:acme/catalogue', 'github.com'],
  ])('gives the task that reads %s the credentials for %s', (url, host) => {
    const synthesised = holdfastTemplate((stack) => ({
      catalogue: { url },
      gitCredentials: { [host]: secret(stack, 'own'), 'gitlab.com': secret(stack, 'other') },
    }));

    const readable = permissionsOf(synthesised, 'HCatalogueTaskRole').filter((line) => line.includes('GetSecretValue'));
    expect(readable).toEqual([expect.stringMatching(/:secret:own-/)]);
  });

  it('takes the catalogue over when it was written, and at nothing else in the bucket', () => {
    const [pattern] = propertiesOf(template, 'AWS::Events::Rule')
      .map(({ EventPattern }) => flatten(EventPattern))
      .filter((text) => text.includes('aws.s3'));

    expect(pattern).toBe(
      '{source: [aws.s3], detail-type: [Object Created], detail: ' +
        '{bucket: {name: [{HArtifacts}]}, object: {key: [catalogue/latest.json]}}}',
    );
  });

  it('lets the function do what it does and nothing else', () => {
    expect(permissionsOf(template, 'HCatalogueFunctionRole')).toEqual([
      'dynamodb:BatchGetItem {HTable}',
      'dynamodb:DeleteItem {HTable}',
      'dynamodb:GetItem {HTable}',
      'dynamodb:PutItem {HTable}',
      'dynamodb:Query {HTable}/index/byOutbox',
      'dynamodb:Query {HTable}/index/byStack',
      'dynamodb:Query {HTable}/index/byTime',
      'dynamodb:UpdateItem {HTable}',
      'kms:Decrypt {HKey}',
      'kms:GenerateDataKey {HKey}',
      'logs:CreateLogStream {HCatalogueFunctionLogs}',
      'logs:PutLogEvents {HCatalogueFunctionLogs}',
      's3:GetObject {HArtifacts}/catalogue/latest.json',
      'sns:Publish {HEvents}',
      'sqs:GetQueueAttributes {HCatalogueDeadLetters}',
      'sqs:GetQueueUrl {HCatalogueDeadLetters}',
      'sqs:SendMessage {HCatalogueDeadLetters}',
      'xray:PutTelemetryRecords *',
      'xray:PutTraceSegments *',
    ]);
  });

  it.each(['guarded', 'any'] as const)('tells the function that removals are %s', (catalogueRemovals) => {
    holdfastTemplate(() => ({ catalogueRemovals })).hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ CATALOGUE_REMOVALS: catalogueRemovals }) },
    });
  });

  it('raises the alarm when the catalogue was not read for three intervals', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'acme-catalogue-stale',
      MetricName: 'Invocations',
      Period: 30 * 60,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });
});
