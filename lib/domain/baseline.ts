import {
  type BaselineComparison,
  type CheckResult,
  type FindingClass,
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
 * change must not become the new normal, an incomplete plan has not seen everything, a refresh-only one does not look at
 * the configuration, and what an ignore rule hides is pending still: the day the rule expires it would look absorbed.
 */
export function servesAsBaseline(result: CheckResult): result is CheckResult & { digests: InputDigests } {
  const { mode, verdict, complete, digests, findings, suppressed } = result;
  if (!complete || digests === null || mode === 'refresh-only') return false;
  if (verdict !== 'in-sync' && verdict !== 'drifted') return false;
  return [...findings, ...suppressed].every((entry) => !MAY_HIDE_PENDING.has(entry.class));
}

// What is to be created again, or follows from other drift, may have a new configuration as well: it does not show.
const MAY_HIDE_PENDING: ReadonlySet<FindingClass> = new Set([
  'absorbed',
  'pending-config',
  'deleted-outside',
  'data-driven',
]);
