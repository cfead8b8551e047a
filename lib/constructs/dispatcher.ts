import { Duration } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import {
  ARTIFACTS_BUCKET,
  MAX_CONCURRENCY,
  MAX_CONCURRENCY_PER_ACCOUNT,
  MAX_LAUNCHES,
  TABLE_NAME,
  TOPIC_ARN,
} from '../contract/env.ts';
import type { ArtifactBucket } from './artifact-bucket.ts';
import type { CheckTasks } from './check-tasks.ts';
import { DispatchSchedule } from './dispatch-schedule.ts';
import type { EventTopic } from './event-topic.ts';
import type { RunnerCluster } from './runner-cluster.ts';
import type { ServiceContext } from './service-context.ts';
import { ServiceFunction } from './service-function.ts';
import type { StateTable } from './state-table.ts';

export interface DispatcherProps {
  readonly context: ServiceContext;
  readonly table: StateTable;
  readonly artifacts: ArtifactBucket;
  readonly events: EventTopic;
  readonly cluster: RunnerCluster;
  readonly checks: CheckTasks;
  readonly maxConcurrency: number;
  readonly maxConcurrencyPerAccount: number | undefined;
  readonly maxLaunches: number;
}

/** Starts the checks that are due, every minute, and looks after runs that got stuck. */
export class Dispatcher extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, props: DispatcherProps) {
    super(scope, id);
    const { context, table, artifacts, events, cluster, checks, maxConcurrencyPerAccount: perAccount } = props;
    this.service = new ServiceFunction(this, 'Function', {
      context,
      name: 'dispatch-checks',
      severity: 'high',
      // Over before the next one begins, which makes up for it.
      timeout: Duration.seconds(55),
      retryAttempts: 0,
      maxEventAge: Duration.minutes(1),
      environment: {
        [TABLE_NAME]: table.table.tableName,
        [ARTIFACTS_BUCKET]: artifacts.bucket.bucketName,
        [TOPIC_ARN]: events.topic.topicArn,
        [MAX_CONCURRENCY]: String(props.maxConcurrency),
        ...(perAccount && { [MAX_CONCURRENCY_PER_ACCOUNT]: String(perAccount) }),
        [MAX_LAUNCHES]: String(props.maxLaunches),
        ...cluster.environment,
        ...checks.environment,
      },
    });
    table.grantReadWrite(this.service.role);
    artifacts.grantWriteSpecs(this.service.role);
    // Of runs whose end it records, because no event told of it.
    artifacts.grantReadResults(this.service.role);
    events.grantPublish(this.service.role);
    cluster.grantControl(this.service.role);
    checks.grantRun(this.service.role);
    new DispatchSchedule(this, 'Schedule', { context, target: this.service.function });
    this.#watchOverIt(context);
  }

  #watchOverIt({ monitoring }: ServiceContext): void {
    monitoring.alarm(this, {
      name: 'dispatcher-silent',
      severity: 'high',
      summary: 'The dispatcher has not run for 5 minutes: no stack is checked.',
      metric: this.service.function.metricInvocations({ period: Duration.minutes(5) }),
      threshold: 1,
      watches: 'silence',
    });
  }
}
