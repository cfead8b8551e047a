/**
 * A global secondary index with keys only: writing an item costs it nothing unless one of its own keys moves. Sparse: an
 * item is in it only while it has both attributes.
 */
export interface TableIndex {
  readonly name: string;
  readonly partition: string;
  readonly sort: string;
}

/** What has to be looked at, and when. */
export const BY_TIME = { name: 'byTime', partition: 'timePk', sort: 'timeSk' } as const satisfies TableIndex;
/** Stacks with events to publish, by the time of the oldest. */
export const BY_OUTBOX = { name: 'byOutbox', partition: 'outboxPk', sort: 'outboxSk' } as const satisfies TableIndex;
/** All stacks, and the runs of each. */
export const BY_STACK = { name: 'byStack', partition: 'stackPk', sort: 'stackSk' } as const satisfies TableIndex;

export const TABLE_INDEXES: readonly TableIndex[] = [BY_TIME, BY_OUTBOX, BY_STACK];
/** Like those of the indexes, both attributes are strings. */
export const TABLE_KEY = { partition: 'pk', sort: 'sk' } as const;

/** Seconds since 1970 after which DynamoDB deletes an item; only runs have it. */
export const EXPIRY_ATTRIBUTE = 'expiresAt';

/** Input of DynamoDB's `CreateTable` for the one table. Expiry is switched on apart from it, where there is such a thing. */
export function createTableInput(tableName: string) {
  const names = [TABLE_KEY, ...TABLE_INDEXES].flatMap(({ partition, sort }) => [partition, sort]);
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST' as const,
    AttributeDefinitions: names.map((name) => ({ AttributeName: name, AttributeType: 'S' as const })),
    KeySchema: keySchema(TABLE_KEY),
    GlobalSecondaryIndexes: TABLE_INDEXES.map(({ name, ...key }) => ({
      IndexName: name,
      KeySchema: keySchema(key),
      Projection: { ProjectionType: 'KEYS_ONLY' as const },
    })),
  };
}

function keySchema({ partition, sort }: { readonly partition: string; readonly sort: string }) {
  return [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
}
