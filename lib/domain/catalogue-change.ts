import type { Failure } from './finding.ts';
import type { StackSpec } from './stack-spec.ts';

/** Removals that need no second look, however few stacks there are. */
const FEW_REMOVED = 4;

/** Ids of stacks that a catalogue no longer has. */
export function removedFrom(known: readonly string[], wanted: readonly StackSpec[]): readonly string[] {
  const kept = new Set(wanted.map(({ id }) => id));
  return known.filter((id) => !kept.has(id));
}

export interface CatalogueSizes {
  readonly known: number;
  readonly wanted: number;
  readonly removed: number;
}

/**
 * Why a catalogue must not be taken over as it is: it is empty, or would drop more than half of the stacks. That is what
 * a mistyped glob or an empty checkout looks like, and history, episodes and baselines go with the stacks.
 */
export function judgeRemovals({ known, wanted, removed }: CatalogueSizes): Failure | null {
  const empty = wanted === 0 && removed > 0;
  const most = removed > FEW_REMOVED && removed * 2 > known;
  if (!empty && !most) return null;
  return {
    code: 'CatalogueInvalid',
    message: `the catalogue would remove ${removed} of ${known} stacks`,
    hint: 'if that is meant, remove at most half of them at a time, or let the service accept any removal',
  };
}
