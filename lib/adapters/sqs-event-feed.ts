import { randomUUID } from 'node:crypto';
import { SNSClient, SubscribeCommand, UnsubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { EventFeed, PublishedEvent } from '../ports/event-feed.ts';
import { readPublishedEvent } from './published-event.ts';

export interface SqsEventFeedOptions {
  readonly topicArn: string;
  readonly sns?: SNSClient;
  readonly sqs?: SQSClient;
}

interface Subscription {
  readonly queueUrl: string;
  readonly subscriptionArn: string;
}

/** Follows the topic by a queue of its own, made for the time somebody listens. */
export function createSqsEventFeed({
  topicArn,
  sns = new SNSClient({}),
  // The address of a queue is a name only: requests go to where the client goes.
  sqs = new SQSClient({ useQueueUrlAsEndpoint: false }),
}: SqsEventFeedOptions): EventFeed {
  return {
    async follow(signal) {
      signal.throwIfAborted();
      const queueUrl = await createQueue(sqs, topicArn);
      try {
        const subscription = { queueUrl, subscriptionArn: await subscribe({ sns, sqs }, topicArn, queueUrl) };
        return receive({ sns, sqs }, subscription, signal);
      } catch (error) {
        await sqs.send(new DeleteQueueCommand({ QueueUrl: queueUrl }));
        throw error;
      }
    },
  };
}

interface Clients {
  readonly sns: SNSClient;
  readonly sqs: SQSClient;
}

async function createQueue(sqs: SQSClient, topicArn: string): Promise<string> {
  const [, partition, , region, account, topic = ''] = topicArn.split(':');
  // Names of queues have 80 characters at most.
  const name = `${topic.slice(0, 60)}-follow-${randomUUID().slice(0, 8)}`;
  const policy = {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'sns.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: `arn:${partition}:sqs:${region}:${account}:${name}`,
        Condition: { ArnEquals: { 'aws:SourceArn': topicArn } },
      },
    ],
  };
  const { QueueUrl } = await sqs.send(
    new CreateQueueCommand({
      QueueName: name,
      // Nobody is left to read what a process that was killed has not read: it goes away by itself soon.
      Attributes: { Policy: JSON.stringify(policy), MessageRetentionPeriod: '300' },
      tags: { 'holdfast:temporary': 'a follower of events; may be deleted' },
    }),
  );
  return QueueUrl ?? '';
}

async function subscribe({ sns, sqs }: Clients, topicArn: string, queueUrl: string): Promise<string> {
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ['QueueArn'] }),
  );
  const { SubscriptionArn } = await sns.send(
    new SubscribeCommand({
      TopicArn: topicArn,
      Protocol: 'sqs',
      Endpoint: Attributes?.QueueArn,
      Attributes: { RawMessageDelivery: 'true' },
      ReturnSubscriptionArn: true,
    }),
  );
  return SubscriptionArn ?? '';
}

async function* receive(
  clients: Clients,
  { queueUrl, subscriptionArn }: Subscription,
  signal: AbortSignal,
): AsyncIterable<PublishedEvent> {
  try {
    while (!signal.aborted) yield* await receiveSome(clients.sqs, queueUrl, signal);
  } finally {
    await clients.sns.send(new UnsubscribeCommand({ SubscriptionArn: subscriptionArn }));
    await clients.sqs.send(new DeleteQueueCommand({ QueueUrl: queueUrl }));
  }
}

const LONGEST_WAIT_S = 20;

async function receiveSome(sqs: SQSClient, queueUrl: string, signal: AbortSignal): Promise<readonly PublishedEvent[]> {
  const request = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: 10,
    WaitTimeSeconds: LONGEST_WAIT_S,
  });
  try {
    const { Messages = [] } = await sqs.send(request, { abortSignal: signal });
    if (Messages.length > 0) await forget(sqs, queueUrl, Messages);
    return Messages.flatMap(({ Body }) => readPublishedEvent(Body ?? '') ?? []);
  } catch (error) {
    // Being told to stop is how following ends.
    if (signal.aborted) return [];
    throw error;
  }
}

async function forget(sqs: SQSClient, queueUrl: string, messages: readonly Message[]): Promise<void> {
  const entries = messages.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle }));
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries: entries }));
}
