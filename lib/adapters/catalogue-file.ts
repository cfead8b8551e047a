import * as z from 'zod';
import { HoldfastError } from '../domain/errors.ts';
import { parseJson } from '../domain/json.ts';
import type { LatestCatalogue } from '../ports/catalogue-store.ts';
import { FailureSchema } from './run-schema.ts';
import { StackSpecSchema } from './stack-spec-schema.ts';

const LatestSchema = z.union([
  z.object({ schemaVersion: z.literal(1), commit: z.string(), stacks: z.array(StackSpecSchema) }),
  z.object({ schemaVersion: z.literal(1), commit: z.string().nullable(), failure: FailureSchema }),
]) satisfies z.ZodType<LatestCatalogue>;

/** Throws `ResultUnreadable` for a text that is cut off or of another shape. */
export function parseLatestCatalogue(text: string): LatestCatalogue {
  try {
    return LatestSchema.parse(parseJson(text));
  } catch (cause) {
    throw new HoldfastError('ResultUnreadable', "the latest catalogue can't be read", { cause });
  }
}
