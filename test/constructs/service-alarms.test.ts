import { describe, expect, it } from 'vitest';
import { METRICS } from '../../lib/contract/metrics.ts';
import { holdfastTemplate } from '../support/holdfast-template.ts';
import { propertiesOf } from '../support/template-values.ts';

const template = holdfastTemplate();
const alarms = propertiesOf(template, 'AWS::CloudWatch::Alarm');

const OWN = { Namespace: 'Holdfast', Dimensions: [{ Name: 'service', Value: 'acme' }] };

describe('ServiceAlarms', () => {
  it.each([
    ['stacks-overdue', METRICS.stacksOverdue, { Statistic: 'Maximum', Threshold: 1, EvaluationPeriods: 3 }],
    ['catalogue-invalid', METRICS.catalogueInvalid, { Statistic: 'Maximum', Threshold: 1, EvaluationPeriods: 1 }],
    ['launches-refused', METRICS.launchRefused, { Statistic: 'Sum', Threshold: 1, EvaluationPeriods: 1 }],
    ['launches-delayed', METRICS.launchRetries, { Statistic: 'Sum', Threshold: 1, EvaluationPeriods: 6 }],
    ['runs-lost', METRICS.runsLost, { Statistic: 'Sum', Threshold: 5, Period: 900 }],
    ['events-unpublished', METRICS.outboxBacklog, { Statistic: 'Maximum', Threshold: 1, EvaluationPeriods: 3 }],
  ])('has %s on %s', (name, MetricName, rest) => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: `acme-${name}`,
      MetricName,
      ...OWN,
      ...rest,
    });
  });

  it('has one on events that reach no subscriber', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'acme-events-undelivered',
      Namespace: 'AWS/SNS',
      MetricName: 'NumberOfNotificationsFailed',
    });
  });

  it('has one on throttling of any function', () => {
    const throttled = alarms.find(({ AlarmName }) => AlarmName === 'acme-functions-throttled');

    expect(throttled?.Metrics).toHaveLength(4);
    expect(throttled?.Metrics).toContainEqual(
      expect.objectContaining({ Expression: 'throttles0 + throttles1 + throttles2', ReturnData: true }),
    );
  });

  it('says of every alarm how severe it is and where to read on', () => {
    for (const { AlarmName, AlarmDescription } of alarms) {
      const section = String(AlarmName).replace('acme-', '');

      expect(AlarmDescription).toMatch(
        new RegExp(`^\\[(high|medium|low)\\] \\S.*\\. Runbook: docs/runbook\\.md#${section}$`),
      );
    }
  });
});
