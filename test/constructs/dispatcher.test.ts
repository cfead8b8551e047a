import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { holdfastTemplate } from '../support/holdfast-template.ts';
import { permissionsOf } from '../support/template-values.ts';

const template = holdfastTemplate();
const SCHEDULE = 'AWS::Scheduler::Schedule';
const ecs = 'arn:{AWS::Partition}:ecs:{AWS::Region}:{AWS::AccountId}';
const inCluster = '{ArnEquals: {ecs:cluster: {HCluster}}}';
const toTasks = '{StringEquals: {iam:PassedToService: ecs-tasks.amazonaws.com}}';

describe('Dispatcher', () => {
  it('is woken every minute', () => {
    template.hasResourceProperties(SCHEDULE, {
      ScheduleExpression: 'rate(1 minute)',
      Target: { Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^HDispatcherFunction'), 'Arn'] } },
    });
  });

  it('leaves a minute that could not be delivered to its own queue', () => {
    template.hasResourceProperties(SCHEDULE, {
      ScheduleExpression: 'rate(1 minute)',
      Target: {
        DeadLetterConfig: {
          Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^HDispatcherSchedule.*DeadLetters'), 'Arn'] },
        },
        RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 2 },
      },
    });
  });

  it('is over before it is woken again, and does not repeat a failed minute', () => {
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: Match.stringLikeRegexp('dispatch-checks'),
      Timeout: 55,
    });
    template.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
      FunctionName: { Ref: Match.stringLikeRegexp('^HDispatcherFunction') },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  });

  it('raises the alarm when it has not run for five minutes', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'acme-dispatcher-silent',
      MetricName: 'Invocations',
      Period: 300,
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      TreatMissingData: 'breaching',
    });
  });

  it('may do what it does and nothing else', () => {
    expect(permissionsOf(template, 'HDispatcherFunctionRole')).toEqual([
      'dynamodb:BatchGetItem {HTable}',
      'dynamodb:DeleteItem {HTable}',
      'dynamodb:GetItem {HTable}',
      'dynamodb:PutItem {HTable}',
      'dynamodb:Query {HTable}/index/byOutbox',
      'dynamodb:Query {HTable}/index/byStack',
      'dynamodb:Query {HTable}/index/byTime',
      'dynamodb:UpdateItem {HTable}',
      `ecs:DescribeTasks ${ecs}:task/{HCluster}/* ${inCluster}`,
      `ecs:RunTask ${ecs}:task-definition/acme-check-arm64:* ${inCluster}`,
      `ecs:StopTask ${ecs}:task/{HCluster}/* ${inCluster}`,
      `ecs:TagResource ${ecs}:task/{HCluster}/* {StringEquals: {ecs:CreateAction: RunTask}}`,
      `iam:PassRole {HChecksRole} ${toTasks}`,
      `iam:PassRole {HClusterExecutionRole} ${toTasks}`,
      'kms:Decrypt {HKey}',
      'kms:GenerateDataKey {HKey}',
      'logs:CreateLogStream {HDispatcherFunctionLogs}',
      'logs:PutLogEvents {HDispatcherFunctionLogs}',
      's3:GetObject {HArtifacts}/runs/*/*/result.json',
      's3:ListBucket {HArtifacts}',
      's3:PutObject {HArtifacts}/runs/*/*/spec.json',
      'sns:Publish {HEvents}',
      'xray:PutTelemetryRecords *',
      'xray:PutTraceSegments *',
    ]);
  });

  it('is invoked by a role that can do nothing else', () => {
    expect(permissionsOf(template, 'HDispatcherScheduleTimerRole')).toEqual([
      'lambda:InvokeFunction {HDispatcherFunction}',
      'sqs:SendMessage {HDispatcherScheduleTimerDeadLetters}',
    ]);
  });
});
