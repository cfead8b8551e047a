import { CreateTopicCommand, SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSnsEventPublisher } from '../../lib/adapters/sns-event-publisher.ts';
import type { CatalogueEvent, DriftEvent } from '../../lib/domain/drift-event.ts';
import { startFauxqs } from '../support/fauxqs.ts';
import { type Moto, startMoto } from '../support/moto.ts';
import { aDriftedSummary, aSpec, aStack, result, runOnce, START } from '../support/stack-builder.ts';
import { describeInWorld } from '../support/world.ts';

const fauxqs = await startFauxqs();
afterAll(() => fauxqs.close());

interface Clients {
  readonly sns: SNSClient;
  readonly sqs: SQSClient;
}

let topics = 0;

/** A topic with a queue that gets what a filter policy lets through, raw as it was published. */
async function aTopic(filter?: object, { sns, sqs }: Clients = fauxqs) {
  topics += 1;
  const { TopicArn = '' } = await sns.send(new CreateTopicCommand({ Name: `events-${topics}` }));
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: `queue-${topics}` }));
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
  const policy: Record<string, string> = filter === undefined ? {} : { FilterPolicy: JSON.stringify(filter) };
  const Endpoint = Attributes?.QueueArn ?? '';
  await sns.send(
    new SubscribeCommand({
      TopicArn,
      Protocol: 'sqs',
      Endpoint,
      Attributes: { RawMessageDelivery: 'true', ...policy },
    }),
  );
  const receive = async (): Promise<Message[]> => {
    const input = { QueueUrl, MaxNumberOfMessages: 10, MessageAttributeNames: ['All'] };
    return (await sqs.send(new ReceiveMessageCommand(input))).Messages ?? [];
  };
  return { publisher: createSnsEventPublisher({ topicArn: TopicArn, client: sns }), receive };
}

function anEvent(over: Partial<DriftEvent> = {}): DriftEvent {
  const spec = aSpec({ labels: ['env:prod', 'team:network'] });
  const { state } = runOnce(aStack(spec), result(aDriftedSummary('a'.repeat(64), { severity: 'high' })), START);
  return { ...(state.outbox[0] ?? expect.fail('no event')), ...over };
}

const CATALOGUE: CatalogueEvent = {
  schemaVersion: 1,
  type: 'catalogue.invalid',
  at: START.toISOString(),
  commit: null,
  failure: {
    code: 'CatalogueInvalid',
    message: 'stacks.yaml: unknown field',
    location: { file: 'stacks.yaml', line: 3 },
  },
};

const attributesOf = (message: Message | undefined) =>
  Object.fromEntries(
    Object.entries(message?.MessageAttributes ?? {}).map(([name, { DataType, StringValue }]) => [
      name,
      `${DataType} ${StringValue}`,
    ]),
  );

describe('the SNS event publisher', () => {
  it('publishes an event as JSON with attributes to select by', async () => {
    const { publisher, receive } = await aTopic();
    await publisher.publish(anEvent());
    const [message] = await receive();
    expect(JSON.parse(message?.Body ?? '')).toEqual(anEvent());
    expect(attributesOf(message)).toEqual({
      type: 'String drift.detected',
      stackId: 'String prod/network',
      severity: 'String high',
      verdict: 'String drifted',
      labels: 'String.Array ["env:prod","team:network"]',
    });
  });

  it('leaves out the attributes that an event has not', async () => {
    const { publisher, receive } = await aTopic();
    await publisher.publish(anEvent({ type: 'check.overdue', severity: null, verdict: null, labels: [] }));
    await publisher.publish(CATALOGUE);
    const messages = await receive();
    expect(messages.map(attributesOf)).toEqual([
      { type: 'String check.overdue', stackId: 'String prod/network' },
      { type: 'String catalogue.invalid' },
    ]);
    expect(JSON.parse(messages[1]?.Body ?? '')).toEqual(CATALOGUE);
  });

  it.each([
    { policy: { severity: ['critical', 'high'], type: [{ prefix: 'drift.' }] }, passes: true },
    { policy: { severity: ['critical'] }, passes: false },
    { policy: { stackId: [{ prefix: 'prod/' }], verdict: ['drifted'] }, passes: true },
    { policy: { type: ['catalogue.invalid'] }, passes: false },
  ])('lets subscribers select by $policy', async ({ policy, passes }) => {
    const { publisher, receive } = await aTopic(policy);
    await publisher.publish(anEvent());
    expect(await receive()).toHaveLength(passes ? 1 : 0);
  });

  it('stays below the limit of SNS, whatever an event is made of', async () => {
    const { publisher, receive } = await aTopic();
    const text = '\u0001'.repeat(100_000);
    const finding = {
      address: '水'.repeat(1000),
      class: 'absorbed',
      severity: 'low',
      paths: Array(30).fill(text),
    } as const;
    const failure = { code: 'InitFailed', message: '🙂'.repeat(100_000), hint: text, location: { file: text } };
    await publisher.publish(anEvent({ topFindings: Array(10).fill(finding), failure }));
    await publisher.publish({ ...CATALOGUE, failure });
    const messages = await receive();
    expect(messages).toHaveLength(2);
    for (const { Body = '' } of messages) expect(Buffer.byteLength(Body)).toBeLessThan(80 * 1024);
    expect(JSON.parse(messages[0]?.Body ?? '')).toMatchObject({ stackId: 'prod/network', topFindings: [] });
  });

  it('publishes addresses with characters that queues refuse', async () => {
    const { publisher, receive } = await aTopic();
    const address = 'aws_sqs_queue.a["\u0000\u001b\ufffe\uffff\ud800🙂"]';
    const topFindings = [{ address, class: 'changed-outside', severity: 'high', paths: [] }] as const;
    await publisher.publish(anEvent({ topFindings, labels: ['a\uffff'] }));
    const [message] = await receive();
    expect(message?.Body).not.toMatch(/[\ufffe\uffff]/);
    expect(JSON.parse(message?.Body ?? '')).toMatchObject({ topFindings, labels: ['a\uffff'] });
  });

  it('fails where the topic refuses', async () => {
    const topicArn = 'arn:aws:sns:us-east-1:000000000000:none';
    const publisher = createSnsEventPublisher({ topicArn, client: fauxqs.sns });
    await expect(publisher.publish(anEvent())).rejects.toThrow('Topic does not exist');
  });
});

describeInWorld('the SNS event publisher on an emulator that filters by lists', () => {
  let moto: Moto;
  let clients: Clients;
  beforeAll(async () => {
    moto = await startMoto('moto_server', { PATH: process.env.PATH ?? '' });
    const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
    const config = { endpoint: moto.endpoint, region: 'us-east-1', credentials };
    clients = { sns: new SNSClient(config), sqs: new SQSClient(config) };
  });
  afterAll(async () => {
    for (const client of Object.values(clients)) client.destroy();
    await moto.close();
  });

  it.each([
    { policy: { labels: ['team:network'] }, passes: true },
    { policy: { labels: ['team:web'] }, passes: false },
  ])('lets subscribers select by $policy', async ({ policy, passes }) => {
    const { publisher, receive } = await aTopic(policy, clients);
    await publisher.publish(anEvent());
    expect(await receive()).toHaveLength(passes ? 1 : 0);
  });
});
