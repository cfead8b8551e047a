import { BatchGetCommand, type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { TABLE_KEY, type TableIndex } from '../contract/table.ts';
import { readStored } from './read-stored.ts';

export interface DynamoTable {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
}

export interface IndexQuery {
  readonly index: TableIndex;
  readonly partition: string;
  /** Only entries whose sort key is at most this. */
  readonly upTo?: string;
  /** Only entries that come after this one in the given order. */
  readonly after?: IndexEntry;
  /** @default 'ascending' */
  readonly order?: 'ascending' | 'descending';
  readonly limit: number;
}

/** An entry of an index: the key of its item, and its place. */
export interface IndexEntry {
  readonly pk: string;
  readonly sk: string;
  readonly sort: string;
}

// As many as one BatchGetItem takes.
const MOST_KEYS = 100;

/**
 * The first entries of one partition of an index. Indexes lag behind the table by up to a second or so and can't be read
 * consistently: whoever acts on an entry has to read its item first.
 */
export async function queryIndex(table: DynamoTable, query: IndexQuery): Promise<IndexEntry[]> {
  const { index, partition, upTo, order = 'ascending', limit } = query;
  const entries: IndexEntry[] = [];
  let start = query.after && startKey(query, query.after);
  while (entries.length < limit) {
    const { Items, LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.tableName,
        IndexName: index.name,
        KeyConditionExpression: upTo === undefined ? '#p = :p' : '#p = :p AND #s <= :s',
        ExpressionAttributeNames: { '#p': index.partition, ...(upTo !== undefined && { '#s': index.sort }) },
        ExpressionAttributeValues: { ':p': partition, ...(upTo !== undefined && { ':s': upTo }) },
        ScanIndexForward: order === 'ascending',
        Limit: limit - entries.length,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    entries.push(...(Items ?? []).map((item) => toEntry(index, item)));
    start = LastEvaluatedKey;
    if (start === undefined) break;
  }
  return entries;
}

function startKey({ index, partition }: IndexQuery, { pk, sk, sort }: IndexEntry): Record<string, unknown> {
  return { [index.partition]: partition, [index.sort]: sort, [TABLE_KEY.partition]: pk, [TABLE_KEY.sort]: sk };
}

function toEntry(index: TableIndex, item: unknown): IndexEntry {
  const keys = readStored(z.record(z.string(), z.string()), item, `entry of the index ${index.name}`);
  return { pk: keys.pk ?? '', sk: keys.sk ?? '', sort: keys[index.sort] ?? '' };
}

/** The items behind index entries, in the order of these, read consistently. Those that are gone meanwhile are left out. */
export async function getItems(table: DynamoTable, entries: readonly IndexEntry[]): Promise<unknown[]> {
  const found = new Map<unknown, unknown>();
  for (let at = 0; at < entries.length; at += MOST_KEYS) {
    const items = await getBatch(
      table,
      entries.slice(at, at + MOST_KEYS).map(({ pk, sk }) => ({ pk, sk })),
    );
    for (const item of items) found.set(item.pk, item);
  }
  return entries.flatMap(({ pk }) => found.get(pk) ?? []);
}

/** An answer holds 16 MB at most; what is left of the keys is asked for again. */
async function getBatch(
  { client, tableName }: DynamoTable,
  keys: readonly Record<string, unknown>[],
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let left: readonly Record<string, unknown>[] | undefined = keys;
  while (left !== undefined && left.length > 0) {
    const { Responses, UnprocessedKeys }: BatchAnswer = await client.send(
      new BatchGetCommand({ RequestItems: { [tableName]: { Keys: [...left], ConsistentRead: true } } }),
    );
    items.push(...(Responses?.[tableName] ?? []));
    left = UnprocessedKeys?.[tableName]?.Keys;
  }
  return items;
}

// The loop feeds an answer into the next request, which TypeScript can't infer.
interface BatchAnswer {
  readonly Responses?: Record<string, Record<string, unknown>[]> | undefined;
  readonly UnprocessedKeys?: Record<string, { readonly Keys: Record<string, unknown>[] | undefined }> | undefined;
}
