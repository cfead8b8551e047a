import type { Duration } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { Schedule, ScheduleExpression, type ScheduleTargetConfig } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import { allow } from './allow.ts';
import { type DeadLetterAlarm, DeadLetterQueue } from './dead-letter-queue.ts';
import type { Monitoring } from './monitoring.ts';
import { makeServiceRole } from './service-role.ts';

export interface TimerProps {
  readonly monitoring: Monitoring;
  readonly description: string;
  readonly interval: Duration;
  readonly target: Pick<ScheduleTargetConfig, 'arn' | 'ecsParameters'>;

  /** How often, and for how long, the scheduler tries again to reach the target. */
  readonly retry: { readonly attempts: number; readonly within: Duration };

  /** Goes off when the target was not reached. */
  readonly alarm: DeadLetterAlarm;
}

/** A schedule at a fixed interval. Its role may do nothing but report failures: whoever makes a timer allows the rest. */
export class Timer extends Construct {
  readonly role: Role;

  constructor(scope: Construct, id: string, { monitoring, alarm, ...props }: TimerProps) {
    super(scope, id);
    const { queue } = new DeadLetterQueue(this, 'DeadLetters', { monitoring, alarm });
    this.role = makeServiceRole(this, 'Role', 'scheduler');
    allow(this.role, { actions: ['sqs:SendMessage'], resources: [queue.queueArn] });
    const config: ScheduleTargetConfig = {
      ...props.target,
      role: this.role,
      deadLetterConfig: { arn: queue.queueArn },
      retryPolicy: {
        maximumRetryAttempts: props.retry.attempts,
        maximumEventAgeInSeconds: props.retry.within.toSeconds(),
      },
    };
    new Schedule(this, 'Resource', {
      description: props.description,
      schedule: ScheduleExpression.rate(props.interval),
      // CDK's own targets allow all versions of a function, and public addresses only in subnets it made itself.
      target: { bind: () => config },
    });
  }
}
