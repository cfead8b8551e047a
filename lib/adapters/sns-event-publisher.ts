import { type MessageAttributeValue, PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { CatalogueEvent, DriftEvent } from '../domain/drift-event.ts';
import type { EventPublisher } from '../ports/event-publisher.ts';
import { fitEvent } from './fit-item.ts';

export interface SnsEventPublisherOptions {
  readonly topicArn: string;
  readonly client?: SNSClient;
}

/**
 * Publishes events as JSON. `type`, `stackId`, `severity`, `verdict` and `labels` are message attributes as well, so that
 * filter policies can select by them; what an event has not is left out.
 */
export function createSnsEventPublisher({
  topicArn,
  client = new SNSClient({}),
}: SnsEventPublisherOptions): EventPublisher {
  return {
    publish: async (event) => {
      await client.send(
        new PublishCommand({
          TopicArn: topicArn,
          Message: toText(fitEvent(event)),
          MessageAttributes: toAttributes(event),
        }),
      );
    },
  };
}

function toAttributes(event: DriftEvent | CatalogueEvent): Record<string, MessageAttributeValue> {
  if (event.type === 'catalogue.invalid') return { type: text(event.type) };
  const { type, stackId, severity, verdict, labels } = event;
  return {
    type: text(type),
    stackId: text(stackId),
    ...(severity !== null && { severity: text(severity) }),
    ...(verdict !== null && { verdict: text(verdict) }),
    ...(labels.length > 0 && { labels: { DataType: 'String.Array', StringValue: toText(labels) } }),
  };
}

function text(value: string): MessageAttributeValue {
  return { DataType: 'String', StringValue: value };
}

/** JSON without the two characters that may stand in it and that SQS refuses: a queue would lose the event. */
function toText(value: object): string {
  return JSON.stringify(value).replace(/[\ufffe\uffff]/g, (character) =>
    character === '\ufffe' ? String.raw`\ufffe` : String.raw`\uffff`,
  );
}
