import type * as z from 'zod';
import { HoldfastError } from '../domain/errors.ts';
import { parseJson } from '../domain/json.ts';

/** Reads what a table holds, as JSON text or as it is. Throws `ItemUnreadable`. */
export function readStored<T>(schema: z.ZodType<T>, stored: unknown, what: string): T {
  try {
    return schema.parse(typeof stored === 'string' ? parseJson(stored) : stored);
  } catch (cause) {
    throw new HoldfastError('ItemUnreadable', `${what} in the table can't be read`, {
      cause,
      hint: 'A newer version of Holdfast may have written it.',
    });
  }
}
