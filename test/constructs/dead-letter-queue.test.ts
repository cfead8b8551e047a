import { Match } from 'aws-cdk-lib/assertions';
import { describe, it } from 'vitest';
import { DeadLetterQueue } from '../../lib/constructs/dead-letter-queue.ts';
import { aContext, templateOf } from '../support/construct-template.ts';

const synth = () =>
  templateOf((stack) => {
    const alarm = { name: 'left-overs', severity: 'low', summary: 'Something was left over.' } as const;
    new DeadLetterQueue(stack, 'DeadLetters', { monitoring: aContext(stack).monitoring, alarm });
  });

describe('DeadLetterQueue', () => {
  it('keeps messages as long as SQS can', () => {
    synth().hasResourceProperties('AWS::SQS::Queue', { MessageRetentionPeriod: 14 * 24 * 60 * 60 });
  });

  it('is encrypted', () => {
    synth().hasResourceProperties('AWS::SQS::Queue', { SqsManagedSseEnabled: true });
  });

  it('refuses requests without TLS', () => {
    const denied = Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } });

    synth().hasResourceProperties('AWS::SQS::QueuePolicy', { PolicyDocument: { Statement: [denied] } });
  });

  it('alarms on the first message', () => {
    synth().hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'acme-left-overs',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Threshold: 1,
    });
  });
});
