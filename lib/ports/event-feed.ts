import type { CatalogueEvent, DriftEvent } from '../domain/drift-event.ts';

export type PublishedEvent = DriftEvent | CatalogueEvent;

export interface EventFeed {
  /**
   * Subscribes, and resolves once nothing that is published from then on will be missed. An event may come twice, and
   * late. The events end when the signal aborts, which also takes the subscription back.
   */
  follow(signal: AbortSignal): Promise<AsyncIterable<PublishedEvent>>;
}
