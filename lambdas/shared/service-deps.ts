import { createDocumentClient } from '../../lib/adapters/dynamo-client.ts';
import { createDynamoRunStore } from '../../lib/adapters/dynamo-run-store.ts';
import { createDynamoStackStore } from '../../lib/adapters/dynamo-stack-store.ts';
import { sha256 } from '../../lib/adapters/sha256.ts';
import { createSnsEventPublisher } from '../../lib/adapters/sns-event-publisher.ts';
import { createUlidSource } from '../../lib/adapters/ulid-source.ts';
import { TABLE_NAME, TOPIC_ARN } from '../../lib/contract/env.ts';
import { requireEnv } from './env.ts';
import { createTelemetry } from './telemetry.ts';

/** What every function of the service is made of. Made once, when the function starts: clients keep their connections. */
export function createServiceDeps() {
  const table = { tableName: requireEnv(TABLE_NAME), client: createDocumentClient() };
  return {
    telemetry: createTelemetry(),
    table,
    stacks: createDynamoStackStore(table),
    runs: createDynamoRunStore(table),
    publisher: createSnsEventPublisher({ topicArn: requireEnv(TOPIC_ARN) }),
    ids: createUlidSource(),
    clock: { now: () => new Date() },
    sha256,
  };
}
