import * as z from 'zod';
import type { CatalogueEvent } from '../domain/drift-event.ts';
import type { PublishedEvent } from '../ports/event-feed.ts';
import { FailureSchema, Time } from './run-schema.ts';
import { DriftEventSchema } from './stack-state-schema.ts';

const CatalogueEventSchema = z.object({
  schemaVersion: z.literal(1),
  type: z.literal('catalogue.invalid'),
  at: Time,
  commit: z.string().nullable(),
  failure: FailureSchema,
}) satisfies z.ZodType<CatalogueEvent>;

const PublishedEventSchema = z.union([DriftEventSchema, CatalogueEventSchema]);

/** Reads a message of the topic. `undefined`: it is none of ours, or of a version that is not known here. */
export function readPublishedEvent(text: string): PublishedEvent | undefined {
  try {
    return PublishedEventSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
