import { EMULATOR_REGION, type Emulator } from './emulator.ts';

/** What somebody with a console and no Terraform can do to queues. */
export interface Queues {
  /** Returns the URL of the new queue. */
  create(queue: NewQueue): Promise<string>;
  setAttributes(name: string, attributes: Readonly<Record<string, string>>): Promise<void>;
  remove(name: string): Promise<void>;
  close(): void;
}

export interface NewQueue {
  readonly name: string;
  /** As the SQS API names them. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
}

export async function connectQueues({ endpoint, env }: Omit<Emulator, 'close'>): Promise<Queues> {
  // Loaded here, because only the demo needs it.
  const sqs = await import('@aws-sdk/client-sqs');
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = env;
  const client = new sqs.SQSClient({
    endpoint,
    region: EMULATOR_REGION,
    credentials: { accessKeyId, secretAccessKey },
    // The address of a queue is a name only, and may be of a time when the emulator was at another port.
    useQueueUrlAsEndpoint: false,
  });
  const urlOf = async (name: string): Promise<string | undefined> =>
    (await client.send(new sqs.GetQueueUrlCommand({ QueueName: name }))).QueueUrl;
  return {
    async create({ name, attributes, tags }) {
      const answer = await client.send(
        new sqs.CreateQueueCommand({ QueueName: name, Attributes: { ...attributes }, tags: { ...tags } }),
      );
      return answer.QueueUrl ?? '';
    },
    async setAttributes(name, attributes) {
      const QueueUrl = await urlOf(name);
      await client.send(new sqs.SetQueueAttributesCommand({ QueueUrl, Attributes: { ...attributes } }));
    },
    async remove(name) {
      await client.send(new sqs.DeleteQueueCommand({ QueueUrl: await urlOf(name) }));
    },
    close: () => client.destroy(),
  };
}
