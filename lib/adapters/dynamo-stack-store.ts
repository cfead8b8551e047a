import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  ALL_STACKS,
  duePartition,
  outboxPartition,
  SHARDS,
  stackIdOf,
  stackKey,
  watchPartition,
} from '../contract/keys.ts';
import { BY_OUTBOX, BY_STACK, BY_TIME } from '../contract/table.ts';
import type { StackSpec } from '../domain/stack-spec.ts';
import type { StackState } from '../domain/stack-state.ts';
import type { StackPage, StackStore, StoredStack } from '../ports/stack-store.ts';
import { createDocumentClient } from './dynamo-client.ts';
import { onCondition, updateOf } from './dynamo-expressions.ts';
import { type DynamoTable, getItems, type IndexEntry, type IndexQuery, queryIndex } from './dynamo-read.ts';
import { fitState, specText } from './fit-item.ts';
import { fromStackItem, sameSpec, stateAttributes, toStackItem, withNewSpec } from './stack-item.ts';

export interface DynamoStackStoreOptions extends Pick<DynamoTable, 'tableName'> {
  readonly client?: DynamoTable['client'];
  /**
   * Stacks on a page of `list`, at most 100.
   *
   * @default 100
   */
  readonly pageSize?: number;
}

/**
 * Keeps each stack as one item. `due`, `stuck` and `withOutbox` read indexes, which lag behind: read a stack again before
 * acting on it. A save whose answer got lost is repeated by the SDK, and then a conflict with itself.
 *
 * Throws `ItemTooLarge` for a spec or a state that would not fit, `ItemUnreadable` for an item that is not as it should
 * be; errors of DynamoDB itself come through as they are.
 */
export function createDynamoStackStore({
  tableName,
  client = createDocumentClient(),
  pageSize = 100,
}: DynamoStackStoreOptions): StackStore {
  const table = { tableName, client };
  return {
    get: (stackId) => getStack(table, stackId),
    list: (page) => listStacks(table, pageSize, page),
    putSpec: (spec, initial) => putSpec(table, spec, initial),
    remove: async (stackId) => {
      await client.send(new DeleteCommand({ TableName: tableName, Key: stackKey(stackId) }));
    },
    saveState: async (state) => {
      return (await updateStack(table, stateAttributes(fitState(state)), state)) ? 'saved' : 'conflict';
    },
    due: (now, limit) => queryShards(table, duePartition, { index: BY_TIME, upTo: now.toISOString(), limit }),
    stuck: (now, limit) => queryShards(table, watchPartition, { index: BY_TIME, upTo: now.toISOString(), limit }),
    withOutbox: (limit) => queryShards(table, outboxPartition, { index: BY_OUTBOX, limit }),
  };
}

async function getStack({ client, tableName }: DynamoTable, stackId: string): Promise<StoredStack | undefined> {
  const { Item } = await client.send(
    new GetCommand({ TableName: tableName, Key: stackKey(stackId), ConsistentRead: true }),
  );
  return Item && fromStackItem(Item);
}

async function listStacks(table: DynamoTable, limit: number, page: string | undefined): Promise<StackPage> {
  const after = page === undefined ? {} : { after: { ...stackKey(page), sort: page } };
  const entries = await queryIndex(table, { index: BY_STACK, partition: ALL_STACKS, limit, ...after });
  const items = await getItems(table, entries);
  // A full page may be the last one: then the next is empty.
  const next = entries.length === limit ? entries.at(-1)?.sort : undefined;
  return { stacks: items.map(fromStackItem), next };
}

// Each round loses only to a write that somebody else got done, so this ends.
async function putSpec(table: DynamoTable, spec: StackSpec, initial: StackState): ReturnType<StackStore['putSpec']> {
  for (;;) {
    const known = await getStack(table, spec.id);
    if (known === undefined) {
      if (await createStack(table, { spec, state: initial })) return 'created';
    } else {
      if (sameSpec(known.spec, spec)) return 'unchanged';
      const state = fitState(withNewSpec(known.state, initial));
      if (await updateStack(table, { spec: specText(spec), ...stateAttributes(state) }, state)) return 'updated';
    }
  }
}

/** False where there is one already. */
function createStack({ client, tableName }: DynamoTable, { spec, state }: StoredStack): Promise<boolean> {
  const Item = toStackItem({ spec, state: fitState(state) });
  const condition = { ConditionExpression: 'attribute_not_exists(pk)' };
  return onCondition(client.send(new PutCommand({ TableName: tableName, Item, ...condition })));
}

/** False where the item is gone, or has another version than the one the state was made from. */
function updateStack({ client, tableName }: DynamoTable, attributes: object, state: StackState): Promise<boolean> {
  const { ExpressionAttributeValues, ...update } = updateOf({ ...attributes });
  return onCondition(
    client.send(
      new UpdateCommand({
        TableName: tableName,
        Key: stackKey(state.stackId),
        ...update,
        ConditionExpression: '#version = :before',
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ':before': state.version - 1 },
      }),
    ),
  );
}

/** Ids from all shards of an index, earliest first. */
async function queryShards(
  table: DynamoTable,
  partitionOf: (shard: number) => string,
  query: Omit<IndexQuery, 'partition'>,
): Promise<readonly string[]> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => partitionOf(shard));
  const entries = await Promise.all(shards.map((partition) => queryIndex(table, { ...query, partition })));
  return entries
    .flat()
    .sort(byPlace)
    .slice(0, query.limit)
    .map(({ pk }) => stackIdOf(pk));
}

function byPlace(left: IndexEntry, right: IndexEntry): number {
  if (left.sort !== right.sort) return left.sort < right.sort ? -1 : 1;
  return left.pk < right.pk ? -1 : 1;
}
