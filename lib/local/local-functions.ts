import { createHandler as createApply } from '../../lambdas/apply-catalogue/handler.ts';
import { createHandler as createDispatch } from '../../lambdas/dispatch-checks/handler.ts';
import { createHandler as createRecord } from '../../lambdas/record-run/handler.ts';
import { createDynamoCatalogueMarkStore } from '../adapters/dynamo-catalogue-mark-store.ts';
import { createDocumentClient } from '../adapters/dynamo-client.ts';
import { createDynamoRunStore } from '../adapters/dynamo-run-store.ts';
import { createDynamoStackStore } from '../adapters/dynamo-stack-store.ts';
import { createEcsTaskLauncher } from '../adapters/ecs-task-launcher.ts';
import { createS3ArtifactStore } from '../adapters/s3-artifact-store.ts';
import { createS3CatalogueStore } from '../adapters/s3-catalogue-store.ts';
import { sha256 } from '../adapters/sha256.ts';
import { createSnsEventPublisher } from '../adapters/sns-event-publisher.ts';
import { createUlidSource } from '../adapters/ulid-source.ts';
import type { Deployment } from '../contract/deployment.ts';
import { clusterArn, taskDefinitionArn } from './ecs-protocol.ts';
import { contextOf, createSilentTelemetry } from './function-runtime.ts';
import { CHECK_FAMILY, CLUSTER } from './local-cluster.ts';
import type { LocalClients } from './local-resources.ts';
import { forgetRuns } from './local-retention.ts';

export interface LocalFunctionsDeps {
  readonly clients: LocalClients;
  readonly deployment: Deployment;
  /** Checks at the same time. */
  readonly concurrency: number;
}

export type LocalFunctions = ReturnType<typeof createLocalFunctions>;

/** The service's own Lambda handlers with its own adapters, which go to the emulators. */
export function createLocalFunctions({ clients, deployment, concurrency }: LocalFunctionsDeps) {
  const { tableName, artifactsBucket: bucket, topicArn } = deployment;
  const telemetry = createSilentTelemetry();
  const client = createDocumentClient(clients.dynamo);
  const deps = {
    telemetry,
    stacks: createDynamoStackStore({ tableName, client }),
    runs: createDynamoRunStore({ tableName, client }),
    artifacts: createS3ArtifactStore({ bucket, client: clients.s3 }),
    publisher: createSnsEventPublisher({ topicArn, client: clients.sns }),
    launcher: createEcsTaskLauncher({ ...PLACEMENT, client: clients.ecs }),
    ids: createUlidSource(),
    clock: { now: () => new Date() },
    sha256,
  };
  const dispatch = createDispatch({
    ...deps,
    limits: { mostLaunches: concurrency, mostConcurrent: concurrency, mostPerAccount: null },
  });
  const record = createRecord(deps);
  const apply = createApply({
    ...deps,
    catalogues: createS3CatalogueStore({ bucket, client: clients.s3 }),
    marks: createDynamoCatalogueMarkStore({ tableName, client }),
    // Whoever edits a catalogue at hand sees what comes of it.
    removals: 'any',
  });
  return {
    dispatchChecks: () => dispatch({}, contextOf('dispatch-checks')),
    recordRun: (event: object) => record(event, contextOf('record-run')),
    applyCatalogue: (event: object) => apply(event, contextOf('apply-catalogue')),
    forgetRuns: () => forgetRuns({ s3: clients.s3, client, deployment }, new Date(Date.now() - RETENTION_MS)),
  };
}

const PLACEMENT = {
  clusterArn: clusterArn(CLUSTER),
  taskDefinitions: { arm64: taskDefinitionArn(CHECK_FAMILY), amd64: taskDefinitionArn(CHECK_FAMILY) },
  subnetIds: ['subnet-local'],
  securityGroupIds: ['sg-local'],
  assignPublicIp: 'DISABLED',
} as const;

/** Checks come every minute or so, and nobody looks at those of yesterday. */
const RETENTION_MS = 24 * 60 * 60_000;
