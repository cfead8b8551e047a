import { afterAll, describe, expect, it } from 'vitest';
import { createDynamoCatalogueMarkStore } from '../../lib/adapters/dynamo-catalogue-mark-store.ts';
import { createMemoryCatalogueMarkStore } from '../../lib/adapters/memory-catalogue-mark-store.ts';
import type { CatalogueMarkStore } from '../../lib/ports/catalogue-marks.ts';
import { startDynalite } from '../support/dynalite.ts';

const dynalite = await startDynalite();
afterAll(() => dynalite.close());

const makers: readonly { readonly name: string; create(): Promise<CatalogueMarkStore> }[] = [
  { name: 'memory', create: async () => createMemoryCatalogueMarkStore() },
  {
    name: 'DynamoDB',
    create: async () => createDynamoCatalogueMarkStore({ client: dynalite.client, tableName: await dynalite.table() }),
  },
];

describe.each(makers)('the $name catalogue mark store', ({ create }) => {
  it('knows nothing at first', async () => {
    expect(await (await create()).get()).toEqual({ applied: null, announced: [] });
  });

  it('keeps the marks it got last', async () => {
    const store = await create();
    await store.put({ applied: null, announced: ['c1', 'c2'] });
    expect(await store.get()).toEqual({ applied: null, announced: ['c1', 'c2'] });
    await store.put({ applied: 'd1', announced: [] });
    expect(await store.get()).toEqual({ applied: 'd1', announced: [] });
  });
});
