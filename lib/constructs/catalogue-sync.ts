import { Duration } from 'aws-cdk-lib';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import {
  ARTIFACTS_BUCKET,
  CATALOGUE_PATH,
  CATALOGUE_REF,
  CATALOGUE_REMOVALS,
  CATALOGUE_URL,
  GIT_CREDENTIALS,
  MODE,
  TABLE_NAME,
  TOPIC_ARN,
} from '../contract/env.ts';
import type { ArtifactBucket } from './artifact-bucket.ts';
import { CatalogueRule } from './catalogue-rule.ts';
import { CatalogueSchedule } from './catalogue-schedule.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import type { EventTopic } from './event-topic.ts';
import { gitHost } from './git-host.ts';
import type { CatalogueLocation, CatalogueRemovals, RunnerArchitecture } from './holdfast-props.ts';
import type { RunnerCluster } from './runner-cluster.ts';
import type { RunnerImage } from './runner-image.ts';
import { RunnerTask } from './runner-task.ts';
import { secretIds } from './secret-ids.ts';
import type { ServiceContext } from './service-context.ts';
import { ServiceFunction } from './service-function.ts';
import { makeServiceRole } from './service-role.ts';
import type { StateTable } from './state-table.ts';

export interface CatalogueSyncProps {
  readonly context: ServiceContext;
  readonly table: StateTable;
  readonly artifacts: ArtifactBucket;
  readonly events: EventTopic;
  readonly cluster: RunnerCluster;
  /** The first one is used. */
  readonly architectures: readonly RunnerArchitecture[];
  readonly image: RunnerImage;
  readonly catalogue: CatalogueLocation;
  readonly gitCredentials: Readonly<Record<string, ISecret>>;
  readonly catalogueRemovals: CatalogueRemovals;
  readonly syncInterval: Duration;
}

/** Reads the catalogue from Git at an interval, by a task, and takes it over into the table, by a function. */
export class CatalogueSync extends Construct {
  readonly service: ServiceFunction;

  constructor(scope: Construct, id: string, props: CatalogueSyncProps) {
    super(scope, id);
    const { context, cluster, syncInterval: interval } = props;
    const task = this.#makeTask(props);
    new CatalogueSchedule(this, 'Schedule', { context, cluster, task, interval });
    this.service = this.#makeFunction(props);
    context.monitoring.alarm(this, {
      name: 'catalogue-stale',
      severity: 'medium',
      summary: 'The catalogue was not read for three intervals: changes to it have no effect.',
      metric: this.service.function.metricInvocations({ period: Duration.minutes(interval.toMinutes() * 3) }),
      threshold: 1,
      watches: 'silence',
    });
  }

  #makeTask({
    context,
    cluster,
    architectures,
    image,
    artifacts,
    catalogue,
    gitCredentials,
  }: CatalogueSyncProps): RunnerTask {
    const role = makeServiceRole(this, 'TaskRole', 'ecs-tasks');
    const host = gitHost(catalogue.url)?.name;
    const credentials = Object.entries(gitCredentials).filter(([name]) => name.replace(/:\d+$/, '') === host);
    for (const [, secret] of credentials) secret.grantRead(role);
    artifacts.grantWriteCatalogue(role);
    return new RunnerTask(this, 'Task', {
      context,
      cluster,
      name: 'sync-catalogue',
      architecture: architectures[0] ?? 'arm64',
      image,
      role,
      cpu: 256,
      memoryMiB: 512,
      environment: {
        [MODE]: 'sync-catalogue',
        [ARTIFACTS_BUCKET]: artifacts.bucket.bucketName,
        [CATALOGUE_URL]: catalogue.url,
        [CATALOGUE_REF]: catalogue.ref ?? 'HEAD',
        [CATALOGUE_PATH]: catalogue.path ?? '.',
        [GIT_CREDENTIALS]: secretIds(this, Object.fromEntries(credentials)),
      },
      secrets: {},
    });
  }

  #makeFunction({ context, table, artifacts, events, catalogueRemovals }: CatalogueSyncProps): ServiceFunction {
    const { queue } = new DeadLetterQueue(this, 'DeadLetters', {
      monitoring: context.monitoring,
      alarm: {
        name: 'apply-dead-letters',
        severity: 'low',
        summary: 'A catalogue could not be taken over; the next reading tries it again.',
      },
    });
    const service = new ServiceFunction(this, 'Function', {
      context,
      name: 'apply-catalogue',
      severity: 'medium',
      // Ten thousand stacks are as many conditional writes.
      timeout: Duration.minutes(5),
      onFailure: new SqsDestination(queue),
      environment: {
        [TABLE_NAME]: table.table.tableName,
        [ARTIFACTS_BUCKET]: artifacts.bucket.bucketName,
        [TOPIC_ARN]: events.topic.topicArn,
        [CATALOGUE_REMOVALS]: catalogueRemovals,
      },
    });
    table.grantReadWrite(service.role);
    artifacts.grantReadCatalogue(service.role);
    events.grantPublish(service.role);
    new CatalogueRule(this, 'Read', { artifacts, target: service.function, deadLetters: queue });
    return service;
  }
}
