import { once } from 'node:events';
import { createServer } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createS3CatalogueStore } from '../../lib/adapters/s3-catalogue-store.ts';
import { connectQueues } from '../../lib/local/demo-queues.ts';
import { type LocalEmulators, startEmulators } from '../../lib/local/local-emulators.ts';
import { openLocalFolder } from '../../lib/local/local-folder.ts';
import { createLocalClients, createResources } from '../../lib/local/local-resources.ts';
import { aFolder } from '../support/temporary-folder.ts';

async function start(root: string): Promise<LocalEmulators> {
  const emulators = await startEmulators(await openLocalFolder(root, { fresh: false }));
  onTestFinished(() => emulators.close());
  return emulators;
}

/** The emulators of one root, one after the other. */
async function inTurn<T>(root: string, work: (emulators: LocalEmulators) => Promise<T>): Promise<T> {
  const emulators = await startEmulators(await openLocalFolder(root, { fresh: false }));
  try {
    return await work(emulators);
  } finally {
    await emulators.close();
  }
}

async function withResources<T>(
  { tables, aws }: LocalEmulators,
  work: (clients: ReturnType<typeof createLocalClients>) => Promise<T>,
): Promise<T> {
  const clients = createLocalClients({ table: tables.endpoint, aws: aws.endpoint, ecs: 'http://127.0.0.1:1' });
  try {
    return await work(clients);
  } finally {
    clients.close();
  }
}

describe('startEmulators', () => {
  it('keeps items, objects and queues for the next time', async () => {
    const root = join(await aFolder(), 'state');
    const latest = { schemaVersion: 1, commit: 'c'.repeat(40), stacks: [] } as const;
    await inTurn(root, (emulators) =>
      withResources(emulators, async ({ dynamo, s3 }) => {
        await withResources(emulators, createResources);
        const client = DynamoDBDocumentClient.from(dynamo);
        await client.send(new PutCommand({ TableName: 'holdfast', Item: { pk: 'a', sk: 'b', kept: true } }));
        await createS3CatalogueStore({ bucket: 'holdfast-artifacts', client: s3 }).put(latest);
        const queues = await connectQueues(emulators.aws);
        await queues.create({ name: 'jobs', attributes: {}, tags: {} });
        queues.close();
      }),
    );

    await inTurn(root, (emulators) =>
      withResources(emulators, async ({ dynamo, s3 }) => {
        await withResources(emulators, createResources);
        const client = DynamoDBDocumentClient.from(dynamo);
        const { Item } = await client.send(new GetCommand({ TableName: 'holdfast', Key: { pk: 'a', sk: 'b' } }));
        expect(Item).toMatchObject({ kept: true });
        expect(await createS3CatalogueStore({ bucket: 'holdfast-artifacts', client: s3 }).get()).toEqual(latest);
        const queues = await connectQueues(emulators.aws);
        await queues.setAttributes('jobs', { VisibilityTimeout: '45' });
        queues.close();
      }),
    );
  });

  it('takes the port of the last time for queues, whose addresses hold it', async () => {
    const root = join(await aFolder(), 'state');
    const endpoints = [];
    for (let turn = 0; turn < 2; turn += 1) {
      endpoints.push(await inTurn(root, async ({ aws }) => aws.endpoint));
    }

    expect(endpoints[1]).toBe(endpoints[0]);
  });

  it('takes another port where that one is taken, and queues still answer', async () => {
    const root = join(await aFolder(), 'state');
    const first = await inTurn(root, async ({ aws }) => {
      const queues = await connectQueues(aws);
      await queues.create({ name: 'jobs', attributes: {}, tags: {} });
      queues.close();
      return aws.endpoint;
    });
    const intruder = createServer((_, response) => response.end('not an emulator'));
    intruder.listen(Number(new URL(first).port), '127.0.0.1');
    await once(intruder, 'listening');
    onTestFinished(() => void intruder.close());
    const { aws } = await start(root);

    expect(aws.endpoint).not.toBe(first);
    const queues = await connectQueues(aws);
    await queues.setAttributes('jobs', { VisibilityTimeout: '45' });
    queues.close();
  });

  it('listens on the loopback interface and on no other', async () => {
    const { tables, aws } = await start(join(await aFolder(), 'state'));
    const others = Object.values(networkInterfaces()).flatMap((addresses) =>
      (addresses ?? []).filter(({ internal, family }) => !internal && family === 'IPv4'),
    );
    for (const { endpoint } of [tables, aws]) {
      expect(new URL(endpoint).hostname).toBe('127.0.0.1');
      for (const { address } of others) {
        await expect(fetch(`http://${address}:${new URL(endpoint).port}`)).rejects.toThrow('fetch failed');
      }
    }
  });

  it('answers nobody once it is closed', async () => {
    const root = join(await aFolder(), 'state');
    const endpoints = await inTurn(root, async ({ tables, aws }) => [tables.endpoint, aws.endpoint]);

    for (const endpoint of endpoints) await expect(fetch(endpoint)).rejects.toThrow('fetch failed');
  });
});

describe('createResources', () => {
  it('may be called again, and names what there is', async () => {
    const emulators = await start(join(await aFolder(), 'state'));
    const first = await withResources(emulators, createResources);

    expect(await withResources(emulators, createResources)).toEqual(first);
    expect(first).toEqual({
      region: 'us-east-1',
      tableName: 'holdfast',
      artifactsBucket: 'holdfast-artifacts',
      topicArn: 'arn:aws:sns:us-east-1:000000000000:holdfast-events',
      dispatcherName: 'holdfast-dispatch-checks',
    });
  });

  it('fails where an emulator does not answer', async () => {
    const { aws } = await start(join(await aFolder(), 'state'));
    const clients = createLocalClients({ table: 'http://127.0.0.1:1', aws: aws.endpoint, ecs: 'http://127.0.0.1:1' });
    onTestFinished(() => clients.close());

    await expect(createResources(clients)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
