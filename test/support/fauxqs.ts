import { S3Client } from '@aws-sdk/client-s3';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { buildApp } from 'fauxqs';

export interface Fauxqs {
  /** Base URL of S3, SNS and SQS, on the loopback interface. */
  readonly endpoint: string;
  readonly s3: S3Client;
  readonly sns: SNSClient;
  readonly sqs: SQSClient;
  close(): Promise<void>;
}

const PRECONDITION_FAILED =
  '<Error><Code>PreconditionFailed</Code><Message>At least one of the pre-conditions you specified did not hold</Message></Error>';

/**
 * Starts an emulator of S3, SNS and SQS inside this process. What it lacks of S3 is added: `If-None-Match` on a write,
 * which it would ignore.
 */
export async function startFauxqs(): Promise<Fauxqs> {
  const app = buildApp({ logger: false });
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'PUT' || request.headers['if-none-match'] !== '*') return;
    const { statusCode } = await app.inject({ method: 'HEAD', url: request.url });
    if (statusCode === 200) await reply.code(412).type('application/xml').send(PRECONDITION_FAILED);
  });
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const config = { endpoint, region: 'us-east-1', credentials, maxAttempts: 1 };
  const clients = { s3: new S3Client(config), sns: new SNSClient(config), sqs: new SQSClient(config) };
  return {
    endpoint,
    ...clients,
    async close() {
      for (const client of Object.values(clients)) client.destroy();
      await app.close();
    },
  };
}
