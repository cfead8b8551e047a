import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectQueues } from '../../lib/local/demo-queues.ts';
import { type Emulator, startEmulator } from '../../lib/local/emulator.ts';

describe('startEmulator', () => {
  let emulator: Emulator;

  beforeEach(async () => {
    emulator = await startEmulator();
  });

  afterEach(() => emulator.close());

  it('listens on a free port of the loopback interface', async () => {
    const other = await startEmulator();
    expect(emulator.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(other.endpoint).not.toBe(emulator.endpoint);
    await other.close();
  });

  it('listens on the port it is given', async () => {
    await emulator.close();
    const port = Number(new URL(emulator.endpoint).port);
    emulator = await startEmulator({ port });
    expect(emulator.endpoint).toBe(`http://127.0.0.1:${port}`);
  });

  it('fails on a port that is taken', async () => {
    await expect(startEmulator({ port: Number(new URL(emulator.endpoint).port) })).rejects.toThrow('EADDRINUSE');
  });

  it('gives an environment that AWS clients can work with', async () => {
    const queues = await connectQueues(emulator);
    const QueueUrl = await queues.create({ name: 'jobs', attributes: { VisibilityTimeout: '45' }, tags: {} });
    const { AWS_REGION = '', AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '', AWS_ENDPOINT_URL = '' } = emulator.env;
    const client = new SQSClient({
      region: AWS_REGION,
      endpoint: AWS_ENDPOINT_URL,
      credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
    });
    const answer = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
    expect(answer.Attributes).toMatchObject({ VisibilityTimeout: '45' });
    client.destroy();
    queues.close();
  });

  it('answers nobody once it is closed', async () => {
    await emulator.close();
    await expect(fetch(emulator.endpoint)).rejects.toThrow('fetch failed');
  });
});
