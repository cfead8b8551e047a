import { monotonicFactory } from 'ulid';
import type { IdSource } from '../ports/id-source.ts';

/** Ids of one source ascend, also within a millisecond and where the clock goes back. */
export function createUlidSource(): IdSource {
  const next = monotonicFactory();
  return { next: (now) => next(now.getTime()) };
}
