import { type Difference, type DiffInput, diff } from './diff.ts';
import type { ResourceChange } from './plan-document.ts';

/** What differs inside entries of a plan document. Several rules ask for the same entry: it is compared once. */
export interface Differences {
  of(kind: DiffInput['kind'], entry: ResourceChange): Difference;
}

export function createDifferences(): Differences {
  const known = { drift: new Map<ResourceChange, Difference>(), planned: new Map<ResourceChange, Difference>() };
  return {
    of(kind, entry) {
      const difference = known[kind].get(entry) ?? diff({ ...entry, kind: isReplacement(entry) ? 'drift' : kind });
      known[kind].set(entry, difference);
      return difference;
    },
  };
}

/**
 * A replacement is compared as drift is: the object is made anew, so `""` before and nothing after remove nothing. The
 * AWS provider writes one for the other in every replacement.
 */
export function isReplacement({ actions }: ResourceChange): boolean {
  return actions.includes('create') && actions.includes('delete');
}
