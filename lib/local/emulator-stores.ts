import type { buildApp } from 'fauxqs';

type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;

interface Keeper {
  load(sqs: Stores['sqsStore'], sns: Stores['snsStore'], s3: Stores['s3Store']): void;
  close(): void;
}

export interface KeptStores {
  readonly stores: Stores;
  close(): void;
}

/**
 * Stores of fauxqs that write everything to a database in a folder, with what it holds already. The package offers this
 * only together with a server that listens on every interface of the machine, so its parts are taken one by one.
 */
export async function openKeptStores(folder: string): Promise<KeptStores> {
  const part = (path: string) => import(new URL(path, import.meta.resolve('fauxqs')).href);
  const { SqsStore }: { SqsStore: new () => Stores['sqsStore'] } = await part('./sqs/sqsStore.js');
  const { SnsStore }: { SnsStore: new () => Stores['snsStore'] } = await part('./sns/snsStore.js');
  const { S3Store }: { S3Store: new () => Stores['s3Store'] } = await part('./s3/s3Store.js');
  const { PersistenceManager }: { PersistenceManager: new (folder: string) => Keeper } = await part('./persistence.js');
  const stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const keeper = new PersistenceManager(folder);
  // Loading comes first: a store that writes while it is loaded would delete the messages of the queues it finds.
  keeper.load(stores.sqsStore, stores.snsStore, stores.s3Store);
  for (const keeping of [...Object.values(stores), ...stores.sqsStore.allQueues()]) {
    Object.assign(keeping, { persistence: keeper });
  }
  return { stores, close: () => keeper.close() };
}
