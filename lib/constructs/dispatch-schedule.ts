import { Duration } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { allow } from './allow.ts';
import type { ServiceContext } from './service-context.ts';
import { Timer } from './timer.ts';

export interface DispatchScheduleProps {
  readonly context: ServiceContext;
  readonly target: IFunction;
}

/** Wakes the dispatcher every minute. */
export class DispatchSchedule extends Construct {
  constructor(scope: Construct, id: string, { context, target }: DispatchScheduleProps) {
    super(scope, id);
    const { role } = new Timer(this, 'Timer', {
      monitoring: context.monitoring,
      description: `Holdfast ${context.deployment}: starts the checks that are due`,
      interval: Duration.minutes(1),
      target: { arn: target.functionArn },
      // The next minute makes up for a missed one.
      retry: { attempts: 2, within: Duration.minutes(1) },
      alarm: {
        name: 'dispatch-dead-letters',
        severity: 'low',
        summary: 'The scheduler could not invoke the dispatcher at some minute.',
      },
    });
    allow(role, { actions: ['lambda:InvokeFunction'], resources: [target.functionArn] });
  }
}
