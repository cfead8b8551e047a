import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { holdfastTemplate } from '../support/holdfast-template.ts';
import { flatten, permissionsOf, propertiesOf } from '../support/template-values.ts';

const template = holdfastTemplate(() => ({ architectures: ['arm64', 'amd64'] }));
const deadLetters = { 'Fn::GetAtt': [Match.stringLikeRegexp('^HRecorderDeadLetters'), 'Arn'] };

describe('Recorder', () => {
  it('hears of checks of its cluster that have stopped, and of no other task', () => {
    const [pattern] = propertiesOf(template, 'AWS::Events::Rule')
      .map(({ EventPattern }) => flatten(EventPattern))
      .filter((text) => text.includes('aws.ecs'));

    const task = 'arn:{AWS::Partition}:ecs:{AWS::Region}:{AWS::AccountId}:task-definition';
    expect(pattern).toBe(
      '{source: [aws.ecs], detail-type: [ECS Task State Change], detail: {clusterArn: [{HCluster}], lastStatus: [STOPPED], ' +
        `taskDefinitionArn: [{prefix: ${task}/acme-check-arm64:}, {prefix: ${task}/acme-check-amd64:}]}}`,
    );
  });

  it('leaves what could not be delivered to its own queue', () => {
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: Match.objectLike({ source: ['aws.ecs'] }),
      Targets: [Match.objectLike({ DeadLetterConfig: { Arn: deadLetters } })],
    });
  });

  it('leaves what fails every time to the same queue', () => {
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('^HRecorderFunction') },
      DestinationConfig: { OnFailure: { Destination: deadLetters } },
    });
  });

  it('may do what it does and nothing else', () => {
    expect(permissionsOf(template, 'HRecorderFunctionRole')).toEqual([
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
      'logs:CreateLogStream {HRecorderFunctionLogs}',
      'logs:PutLogEvents {HRecorderFunctionLogs}',
      's3:GetObject {HArtifacts}/runs/*/*/result.json',
      's3:ListBucket {HArtifacts}',
      'sns:Publish {HEvents}',
      'sqs:GetQueueAttributes {HRecorderDeadLetters}',
      'sqs:GetQueueUrl {HRecorderDeadLetters}',
      'sqs:SendMessage {HRecorderDeadLetters}',
      'xray:PutTelemetryRecords *',
      'xray:PutTraceSegments *',
    ]);
  });
});
