import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { Construct } from 'constructs';
import { ARTIFACTS_BUCKET, TABLE_NAME, TOPIC_ARN } from '../contract/env.ts';
import type { ArtifactBucket } from './artifact-bucket.ts';
import type { CheckTasks } from './check-tasks.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { EventTopic } from './event-topic.ts';
import type { RunnerCluster } from './runner-cluster.ts';
import type { ServiceContext } from './service-context.ts';
import { ServiceFunction } from './service-function.ts';
import type { StateTable } from './state-table.ts';
import { TaskStateRule } from './task-state-rule.ts';

export interface RecorderProps {
  readonly context: ServiceContext;
  readonly table: StateTable;
  readonly artifacts: ArtifactBucket;
  readonly events: EventTopic;
  readonly cluster: RunnerCluster;
  readonly checks: CheckTasks;
}

/** Takes over what a check has found, or why it found nothing, once its task has stopped. */
export class Recorder extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, { context, table, artifacts, events, cluster, checks }: RecorderProps) {
    super(scope, id);
    const { queue } = new DeadLetterQueue(this, 'DeadLetters', {
      monitoring: context.monitoring,
      alarm: {
        name: 'record-dead-letters',
        severity: 'medium',
        summary:
          'The end of a run could not be recorded; the dispatcher makes up for it after the deadline of the run.',
      },
    });
    this.service = new ServiceFunction(this, 'Function', {
      context,
      name: 'record-run',
      severity: 'high',
      onFailure: new SqsDestination(queue),
      environment: {
        [TABLE_NAME]: table.table.tableName,
        [ARTIFACTS_BUCKET]: artifacts.bucket.bucketName,
        [TOPIC_ARN]: events.topic.topicArn,
      },
    });
    table.grantReadWrite(this.service.role);
    artifacts.grantReadResults(this.service.role);
    events.grantPublish(this.service.role);
    new TaskStateRule(this, 'TaskStopped', { cluster, checks, target: this.service.function, deadLetters: queue });
  }
}
