import { CreateTopicCommand, ListSubscriptionsCommand, PublishCommand } from '@aws-sdk/client-sns';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSnsEventPublisher } from '../../lib/adapters/sns-event-publisher.ts';
import { createSqsEventFeed } from '../../lib/adapters/sqs-event-feed.ts';
import type { PublishedEvent } from '../../lib/ports/event-feed.ts';
import { anEvent } from '../support/event-builder.ts';
import { type Fauxqs, startFauxqs } from '../support/fauxqs.ts';

const INVALID = {
  schemaVersion: 1,
  type: 'catalogue.invalid',
  at: '2026-03-02T09:00:00.000Z',
  commit: null,
  failure: { code: 'CatalogueInvalid', message: 'timeout: expected a duration' },
} as const;

describe('the event feed over SQS', () => {
  let emulator: Fauxqs;
  let topicArn: string;

  beforeAll(async () => {
    emulator = await startFauxqs();
    topicArn = (await emulator.sns.send(new CreateTopicCommand({ Name: 'events' }))).TopicArn ?? '';
  });

  afterAll(() => emulator.close());

  const aFeed = (arn = topicArn) => createSqsEventFeed({ ...emulator, topicArn: arn });
  const publish = (event: PublishedEvent) => createSnsEventPublisher({ topicArn, client: emulator.sns }).publish(event);
  const queues = async () => (await emulator.sqs.send(new ListQueuesCommand({}))).QueueUrls ?? [];

  /** As many events as there are to come, then the end. */
  async function take(count: number, stop: AbortController, events: AsyncIterable<PublishedEvent>) {
    const taken: PublishedEvent[] = [];
    for await (const event of events) {
      taken.push(event);
      if (taken.length === count) stop.abort();
    }
    return taken;
  }

  it('gives what is published from then on', async () => {
    const stop = new AbortController();
    await publish(anEvent({ sequence: 1 }));
    const events = await aFeed().follow(stop.signal);
    await publish(anEvent({ sequence: 2 }));
    await publish(INVALID);

    expect(await take(2, stop, events)).toEqual(expect.arrayContaining([anEvent({ sequence: 2 }), INVALID]));
  });

  it('passes over what is no event of ours', async () => {
    const stop = new AbortController();
    const events = await aFeed().follow(stop.signal);
    for (const Message of ['hello', '{"schemaVersion":2,"type":"drift.detected"}']) {
      await emulator.sns.send(new PublishCommand({ TopicArn: topicArn, Message }));
    }
    await publish(anEvent());

    expect(await take(1, stop, events)).toEqual([anEvent()]);
  });

  it('lets several follow at a time, and each gets everything', async () => {
    const stops = [new AbortController(), new AbortController()];
    const feeds = await Promise.all(stops.map((stop) => aFeed().follow(stop.signal)));
    await publish(anEvent());

    for (const [at, events] of feeds.entries()) {
      expect(await take(1, stops[at] as AbortController, events)).toEqual([anEvent()]);
    }
  });

  it('leaves neither queue nor subscription when it is told to stop while it waits', async () => {
    const stop = new AbortController();
    const events = await aFeed().follow(stop.signal);
    const taken = take(1, stop, events);
    expect(await queues()).toHaveLength(1);
    stop.abort();

    expect(await taken).toEqual([]);
    expect(await queues()).toEqual([]);
    expect((await emulator.sns.send(new ListSubscriptionsCommand({}))).Subscriptions).toEqual([]);
  });

  it('fails on a topic that is not there, and leaves no queue', async () => {
    const { signal } = new AbortController();

    await expect(aFeed(`${topicArn}-nope`).follow(signal)).rejects.toThrow();
    expect(await queues()).toEqual([]);
  });

  it('does not begin where it is too late already', async () => {
    await expect(aFeed().follow(AbortSignal.abort(new Error('Ctrl-C')))).rejects.toThrow('Ctrl-C');
    expect(await queues()).toEqual([]);
  });
});
