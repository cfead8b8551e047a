import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from './acknowledge.ts';
import type { AlarmDefinition, Monitoring } from './monitoring.ts';

export type DeadLetterAlarm = Pick<AlarmDefinition, 'name' | 'severity' | 'summary'>;

export interface DeadLetterQueueProps {
  readonly monitoring: Monitoring;
  /** Goes off while the queue holds anything. */
  readonly alarm: DeadLetterAlarm;
}

/** Keeps what could not be delivered or handled, for as long as SQS can, and says so. */
export class DeadLetterQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { monitoring, alarm }: DeadLetterQueueProps) {
    super(scope, id);
    this.queue = new Queue(this, 'Resource', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    acknowledge(
      this.queue,
      'SQS3',
      'It is a dead-letter queue: of a schedule, a rule or a function, which the check does not see.',
    );
    monitoring.alarm(this, {
      ...alarm,
      metric: this.queue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      threshold: 1,
    });
  }
}
