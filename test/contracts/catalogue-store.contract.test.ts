import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, describe, expect, it } from 'vitest';
import { createMemoryCatalogueStore } from '../../lib/adapters/memory-catalogue-store.ts';
import { createS3CatalogueStore } from '../../lib/adapters/s3-catalogue-store.ts';
import { PreciseNumber } from '../../lib/domain/json.ts';
import type { CatalogueStore, LatestCatalogue } from '../../lib/ports/catalogue-store.ts';
import { startFauxqs } from '../support/fauxqs.ts';
import { aSpec } from '../support/stack-builder.ts';

const fauxqs = await startFauxqs();
afterAll(() => fauxqs.close());

interface Made {
  readonly store: CatalogueStore;
  /** Writes past the store. */
  write(text: string): Promise<unknown>;
}

let buckets = 0;
const makers: readonly { readonly name: string; create(): Promise<Made> }[] = [
  {
    name: 'memory',
    create: async () => {
      const objects: { latest?: string } = {};
      return {
        store: createMemoryCatalogueStore(objects),
        write: async (text) => {
          objects.latest = text;
        },
      };
    },
  },
  {
    name: 'S3',
    create: async () => {
      buckets += 1;
      const Bucket = `catalogues-${buckets}`;
      await fauxqs.s3.send(new CreateBucketCommand({ Bucket }));
      return {
        store: createS3CatalogueStore({ bucket: Bucket, client: fauxqs.s3 }),
        write: (text) =>
          fauxqs.s3.send(new PutObjectCommand({ Bucket, Key: 'catalogue/latest.json', Body: Buffer.from(text) })),
      };
    },
  },
];

const COMMIT = 'a'.repeat(40);

describe.each(makers)('the $name catalogue store', ({ create }) => {
  it('has none before the first', async () => {
    const { store } = await create();
    expect(await store.get()).toBeUndefined();
  });

  it('gives back the stacks it was given last, to the last digit', async () => {
    const { store } = await create();
    const vars = { size: new PreciseNumber('12345678901234567890.5'), name: '水' };
    const latest: LatestCatalogue = { schemaVersion: 1, commit: COMMIT, stacks: [aSpec({ vars })] };
    await store.put({ schemaVersion: 1, commit: 'b'.repeat(40), stacks: [] });
    await store.put(latest);
    expect(await store.get()).toEqual(latest);
  });

  it.each([COMMIT, null])('gives back why there are none, at commit %s', async (commit) => {
    const { store } = await create();
    const location = { file: 'catalogue.yaml', line: 3, column: 5 };
    const failure = { code: 'CatalogueInvalid', message: 'no id', location, hint: 'give it one' };
    await store.put({ schemaVersion: 1, commit, failure });
    expect(await store.get()).toEqual({ schemaVersion: 1, commit, failure });
  });

  it.each(['', '{"schemaVersion":1,"commit":"a","sta', '{"schemaVersion":2,"commit":"a","stacks":[]}', '{}'])(
    'fails on %j, and never takes it for none',
    async (text) => {
      const { store, write } = await create();
      await write(text);
      await expect(store.get()).rejects.toThrow(expect.objectContaining({ code: 'ResultUnreadable' }));
    },
  );
});

describe('the S3 catalogue store', () => {
  it('fails where the bucket refuses, and never takes it for none', async () => {
    const store = createS3CatalogueStore({ bucket: 'no-such-bucket', client: fauxqs.s3 });
    await expect(store.get()).rejects.toThrow(expect.objectContaining({ name: 'NoSuchBucket' }));
  });
});
