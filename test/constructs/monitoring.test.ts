import { Match } from 'aws-cdk-lib/assertions';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, it } from 'vitest';
import type { AlarmDefinition, AlarmSeverity } from '../../lib/constructs/monitoring.ts';
import { aContext, templateOf } from '../support/construct-template.ts';

const synth = (over: Partial<AlarmDefinition> = {}, topicFor?: AlarmSeverity) =>
  templateOf((stack) => {
    const topics = topicFor ? { [topicFor]: Topic.fromTopicArn(stack, 'Topic', 'arn:aws:sns:eu-west-1:1:pager') } : {};
    aContext(stack, { topics }).monitoring.alarm(stack, {
      name: 'pump-silent',
      severity: 'high',
      summary: 'The pump stands still.',
      metric: new Metric({ namespace: 'Test', metricName: 'Beats' }),
      threshold: 3,
      ...over,
    });
  });

const ALARM = 'AWS::CloudWatch::Alarm';

describe('Monitoring', () => {
  it('names the deployment and the section of the runbook', () => {
    synth().hasResourceProperties(ALARM, {
      AlarmName: 'acme-pump-silent',
      AlarmDescription: '[high] The pump stands still. Runbook: https://acme.example/runbook#pump-silent',
    });
  });

  it('alarms at the threshold, and takes silence for good', () => {
    synth().hasResourceProperties(ALARM, {
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 3,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
    });
  });

  it('alarms below the threshold, and on no data at all, where silence is watched for', () => {
    synth({ watches: 'silence' }).hasResourceProperties(ALARM, {
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'breaching',
    });
  });

  it('waits for as many periods as it is told', () => {
    synth({ periods: 4 }).hasResourceProperties(ALARM, { EvaluationPeriods: 4 });
  });

  it('tells the topic of its severity when it goes off and when it is over', () => {
    synth({ severity: 'medium' }, 'medium').hasResourceProperties(ALARM, {
      AlarmActions: ['arn:aws:sns:eu-west-1:1:pager'],
      OKActions: ['arn:aws:sns:eu-west-1:1:pager'],
    });
  });

  it('tells nobody where its severity has no topic', () => {
    synth({ severity: 'low' }, 'medium').hasResourceProperties(ALARM, { AlarmActions: Match.absent() });
  });
});
