import type { CatalogueEvent, DriftEvent } from '../domain/drift-event.ts';

export interface EventPublisher {
  /** Resolves once the event is accepted; publishing one twice is harmless, because consumers go by its sequence number. */
  publish(event: DriftEvent | CatalogueEvent): Promise<void>;
}
