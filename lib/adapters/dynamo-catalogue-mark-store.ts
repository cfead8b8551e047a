import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { CATALOGUE_MARKS_KEY } from '../contract/keys.ts';
import type { CatalogueMarkStore, CatalogueMarks } from '../ports/catalogue-marks.ts';
import { createDocumentClient } from './dynamo-client.ts';
import type { DynamoTable } from './dynamo-read.ts';
import { readStored } from './read-stored.ts';

export interface DynamoCatalogueMarkStoreOptions extends Pick<DynamoTable, 'tableName'> {
  readonly client?: DynamoTable['client'];
}

const Marks = z.object({
  applied: z.string().nullable(),
  announced: z.array(z.string()),
}) satisfies z.ZodType<CatalogueMarks>;

/** Throws `ItemUnreadable` for an item that is not as it should be. */
export function createDynamoCatalogueMarkStore({
  tableName,
  client = createDocumentClient(),
}: DynamoCatalogueMarkStoreOptions): CatalogueMarkStore {
  return {
    async get() {
      const { Item } = await client.send(
        new GetCommand({ TableName: tableName, Key: CATALOGUE_MARKS_KEY, ConsistentRead: true }),
      );
      return Item === undefined ? { applied: null, announced: [] } : readStored(Marks, Item, 'catalogue marks');
    },
    async put({ applied, announced }) {
      await client.send(new PutCommand({ TableName: tableName, Item: { ...CATALOGUE_MARKS_KEY, applied, announced } }));
    },
  };
}
