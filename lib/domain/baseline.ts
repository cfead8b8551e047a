import {
  type BaselineComparison,
  type CheckResult,
  INPUT_KINDS,
  type InputDigests,
  type InputKind,
} from './finding.ts';

/** What a stack was made from when its last check found nothing pending. */
export interface Baseline {
  readonly digests: InputDigests;
  /** The commit that was checked, where the source is under version control. */
  readonly commit?: string;
  /** When that was, as ISO 8601. */
  readonly at: string;
}

/** True where both digests were taken from the same kind of source; others differ without saying anything. */
export function isComparable(baseline: Baseline, current: InputDigests): boolean {
  return baseline.digests.basis === current.basis;
}

/** A provider lock that is missing on either side is left out of the comparison. */
export function compareBaseline(baseline: Baseline | undefined, current: InputDigests): BaselineComparison {
  if (baseline === undefined || !isComparable(baseline, current)) return { kind: 'none' };
  const changed = INPUT_KINDS.filter((kind) => differs(kind, baseline.digests, current));
  return changed.length === 0 ? { kind: 'same' } : { kind: 'differs', changed };
}

function differs(kind: InputKind, before: InputDigests, after: InputDigests): boolean {
  return before[kind] !== after[kind] && before[kind] !== null && after[kind] !== null;
}

/**
 * True where nothing was pending: then configuration and state agreed, apart from what was changed outside. An absorbed
 * change must not become the new normal, an incomplete plan has not seen everything, and what an ignore rule hides is
 * pending still: the day the rule expires it would look absorbed.
 */
export function servesAsBaseline(result: CheckResult): result is CheckResult & { digests: InputDigests } {
  const { verdict, complete, digests, findings, suppressed } = result;
  if (!complete || digests === null) return false;
  if (verdict !== 'in-sync' && verdict !== 'drifted') return false;
  return [...findings, ...suppressed].every((entry) => entry.class !== 'absorbed' && entry.class !== 'pending-config');
}
