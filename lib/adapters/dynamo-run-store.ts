import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { runKey, runsOfStack } from '../contract/keys.ts';
import { BY_STACK } from '../contract/table.ts';
import type { RunOutcome, RunRecord } from '../domain/run.ts';
import type { RunStore } from '../ports/run-store.ts';
import { createDocumentClient } from './dynamo-client.ts';
import { onCondition, updateOf } from './dynamo-expressions.ts';
import { type DynamoTable, getItems, queryIndex } from './dynamo-read.ts';
import { fitOutcome } from './fit-item.ts';
import { readStored } from './read-stored.ts';
import { runNotFound, statusOf, toRunItem } from './run-item.ts';
import { OutcomeSchema, RunRecordSchema } from './run-schema.ts';

export interface DynamoRunStoreOptions extends Pick<DynamoTable, 'tableName'> {
  readonly client?: DynamoTable['client'];
  /**
   * How long after its creation a run is remembered.
   *
   * @default 90 days
   */
  readonly retentionMs?: number;
}

const NINETY_DAYS_MS = 90 * 24 * 60 * 60_000;

/** DynamoDB deletes expired runs within days, so a run may be seen a little longer than it has to be. */
export function createDynamoRunStore({
  tableName,
  client = createDocumentClient(),
  retentionMs = NINETY_DAYS_MS,
}: DynamoRunStoreOptions): RunStore {
  const table = { tableName, client };
  return {
    create: async (run) => {
      const condition = { ConditionExpression: 'attribute_not_exists(pk)' };
      await onCondition(
        client.send(new PutCommand({ TableName: tableName, Item: toRunItem(run, retentionMs), ...condition })),
      );
    },
    get: (runId) => getRun(table, runId),
    listForStack: async (stackId, limit) => {
      const query = { index: BY_STACK, partition: runsOfStack(stackId), order: 'descending', limit } as const;
      return (await getItems(table, await queryIndex(table, query))).map(fromRunItem);
    },
    started: (runId, taskArn) => started(table, runId, taskArn),
    finish: (runId, outcome, at) => finish(table, runId, outcome, at),
  };
}

async function getRun({ client, tableName }: DynamoTable, runId: string): Promise<RunRecord | undefined> {
  const { Item } = await client.send(
    new GetCommand({ TableName: tableName, Key: runKey(runId), ConsistentRead: true }),
  );
  return Item && fromRunItem(Item);
}

async function started(table: DynamoTable, runId: string, taskArn: string): Promise<void> {
  if (await updateUnfinished(table, runId, { status: 'running', taskArn })) return;
  // The news of the end may come before this. Which task it was is worth knowing all the same.
  if (await update(table, runId, { taskArn }, 'attribute_exists(pk)')) return;
  throw runNotFound(runId);
}

async function finish(
  table: DynamoTable,
  runId: string,
  outcome: RunOutcome,
  at: Date,
): Promise<'finished' | 'already-finished'> {
  const end = {
    status: statusOf(outcome),
    finishedAt: at.toISOString(),
    outcome: JSON.stringify(fitOutcome(outcome)),
  };
  if (await updateUnfinished(table, runId, end)) return 'finished';
  if ((await getRun(table, runId)) === undefined) throw runNotFound(runId);
  return 'already-finished';
}

function updateUnfinished(table: DynamoTable, runId: string, attributes: object): Promise<boolean> {
  return update(table, runId, attributes, 'attribute_type(finishedAt, :null)', { ':null': 'NULL' });
}

/** False where the condition does not hold. */
function update(
  { client, tableName }: DynamoTable,
  runId: string,
  attributes: object,
  condition: string,
  values: Readonly<Record<string, unknown>> = {},
): Promise<boolean> {
  const { ExpressionAttributeValues, ...expression } = updateOf({ ...attributes });
  return onCondition(
    client.send(
      new UpdateCommand({
        TableName: tableName,
        Key: runKey(runId),
        ...expression,
        ConditionExpression: condition,
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ...values },
      }),
    ),
  );
}

const StoredRun = RunRecordSchema.extend({ outcome: z.string().nullable() });

function fromRunItem(item: unknown): RunRecord {
  const { outcome, ...run } = readStored(StoredRun, item, 'run');
  return { ...run, outcome: outcome === null ? null : readStored(OutcomeSchema, outcome, `outcome of ${run.runId}`) };
}
