import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentClient } from '../../lib/adapters/dynamo-client.ts';
import { createDynamoRunStore } from '../../lib/adapters/dynamo-run-store.ts';
import { type LocalEmulators, startEmulators } from '../../lib/local/local-emulators.ts';
import { openLocalFolder } from '../../lib/local/local-folder.ts';
import { createLocalClients, createResources, type LocalClients } from '../../lib/local/local-resources.ts';
import { forgetRuns } from '../../lib/local/local-retention.ts';
import { aRun } from '../support/run-builder.ts';

const Bucket = 'holdfast-artifacts';

describe('forgetRuns', () => {
  let folder: string;
  let emulators: LocalEmulators;
  let clients: LocalClients;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
    emulators = await startEmulators(await openLocalFolder(join(folder, 'state'), { fresh: false }));
    clients = createLocalClients({
      table: emulators.tables.endpoint,
      aws: emulators.aws.endpoint,
      ecs: 'http://127.0.0.1:1',
    });
  });

  afterAll(async () => {
    clients?.close();
    await emulators?.close();
    await rm(folder, { recursive: true });
  });

  it('takes files and records of old runs away, and nothing else', async () => {
    const deployment = await createResources(clients);
    const client = createDocumentClient(clients.dynamo);
    const runs = createDynamoRunStore({ tableName: deployment.tableName, client });
    await runs.create(aRun({ runId: 'run-1', stackId: 'prod/network' }));
    await runs.create(aRun({ runId: 'run-2', stackId: 'prod/network' }));
    for (const Key of [
      'runs/prod/network/run-1/spec.json',
      'runs/prod/network/run-1/result.json',
      'catalogue/latest.json',
    ]) {
      await clients.s3.send(new PutObjectCommand({ Bucket, Key, Body: '{}' }));
    }
    const isThere = (Key: string) =>
      clients.s3.send(new HeadObjectCommand({ Bucket, Key })).then(
        () => true,
        () => false,
      );
    const retention = { s3: clients.s3, client, deployment };

    expect(await forgetRuns(retention, new Date(Date.now() - 60_000))).toBe(0);
    expect(await isThere('runs/prod/network/run-1/spec.json')).toBe(true);

    expect(await forgetRuns(retention, new Date(Date.now() + 60_000))).toBe(2);
    expect(await isThere('runs/prod/network/run-1/spec.json')).toBe(false);
    expect(await isThere('catalogue/latest.json')).toBe(true);
    expect(await runs.get('run-1')).toBeUndefined();
    expect(await runs.get('run-2')).toBeDefined();
  });
});
