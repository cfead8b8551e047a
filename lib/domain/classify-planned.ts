import { noiseOf } from './classify-drift.ts';
import { classifyOrigin } from './classify-origin.ts';
import { type Difference, diff, type PathChange } from './diff.ts';
import { isReplacement } from './differences.ts';
import { type Context, type Draft, type Reading, subjectOf } from './draft.ts';
import type { Noise } from './finding.ts';
import { valueAt } from './json.ts';
import { pathsOverlap, withoutPositions } from './path.ts';
import type { ResourceChange } from './plan-document.ts';

/**
 * Reads one planned change, less what real drift of the same object explains: what is left comes from the
 * configuration, its inputs, its providers, a data source, or from drift that was accepted into the state.
 */
export function classifyPlanned(context: Context, change: ResourceChange, drift: ResourceChange | undefined): Reading {
  if (change.mode === 'data')
    return { drafts: change.actions.includes('read') ? [readDuringApply(change)] : [], noise: [] };
  const byShape = classifyShape(change);
  if (isForget(change)) return { drafts: [...byShape, forgotten(change)], noise: [] };
  if (!isEffective(change)) return { drafts: byShape, noise: [] };
  const rest = drift === undefined ? classifyWhole(context, change) : classifyRest(context, change, drift);
  return { drafts: [...byShape, ...rest.drafts], noise: rest.noise };
}

/** An empty list of actions is none that we know, so somebody has to look. */
export function isEffective({ actions }: ResourceChange): boolean {
  return actions.length === 0 || actions.some((action) => action !== 'no-op' && action !== 'read');
}

function isForget({ actions }: ResourceChange): boolean {
  return actions.includes('forget');
}

/** Moves and imports show in fields of their own, also when the action is `no-op`. */
function classifyShape(change: ResourceChange): Draft[] {
  const drafts: Draft[] = [];
  if (isMoved(change)) drafts.push(moved(change, change.previousAddress));
  if (change.importing) drafts.push(imported(change));
  return drafts;
}

export function isMoved(change: ResourceChange): change is ResourceChange & { previousAddress: string } {
  return change.previousAddress !== undefined && change.previousAddress !== change.address;
}

export function moved(change: ResourceChange, from: string): Draft {
  return {
    ...subjectOf(change, change),
    class: 'moved',
    standing: 'pending',
    changes: [],
    cause: { kind: 'moved-in-config', inferred: false, from: [from] },
    severity: 'info',
  };
}

function imported(change: ResourceChange): Draft {
  return {
    ...subjectOf(change, change),
    class: 'imported',
    standing: 'pending',
    changes: [],
    cause: { kind: 'import-block', inferred: false },
    severity: 'info',
  };
}

// Leaving management is silent in Terraform's own summary ("0 to destroy"), and the object stays and costs.
function forgotten(change: ResourceChange): Draft {
  return {
    ...subjectOf(change, change),
    class: 'forgotten',
    standing: 'pending',
    changes: [],
    cause: { kind: 'removed-block', inferred: false },
    severity: 'medium',
  };
}

function readDuringApply(change: ResourceChange): Draft {
  return {
    ...subjectOf(change, change),
    class: 'read',
    standing: 'informational',
    changes: [],
    cause: { kind: 'read-during-apply', inferred: false },
    severity: 'info',
  };
}

function classifyWhole(context: Context, change: ResourceChange): Reading {
  const found = isUpdateInPlace(change) || isReplacement(change) ? context.differences.of('planned', change) : NOTHING;
  const known = found.changes.filter(({ unknown }) => !unknown);
  if (isUpdateInPlace(change) && known.length === 0 && hasDifference(found)) {
    return { drafts: [], noise: whyNothing(change, found) };
  }
  return { drafts: [pending(context, change, known)], noise: noiseOf(change, found.noise) };
}

const NOTHING: Difference = { changes: [], noise: [] };

function hasDifference({ changes, noise }: Difference): boolean {
  return changes.length + noise.length > 0;
}

/** An update in which nothing is known to change. */
function whyNothing(change: ResourceChange, { changes, noise }: Difference): Noise[] {
  const unknown = changes.map(({ path }) => ({ path, reason: 'unknown-only' as const }));
  return noiseOf(change, [...noise, ...unknown]);
}

/** What a plan does to a drifted resource beyond putting it back. */
function classifyRest(context: Context, change: ResourceChange, drift: ResourceChange): Reading {
  const gone = drift.actions.includes('delete');
  if (isRemoval(change)) return { drafts: gone ? [] : [pending(context, change, [])], noise: [] };
  if (gone) return { drafts: [], noise: [] };
  const outside = context.differences.of('drift', drift).changes;
  const found = context.differences.of('planned', change);
  const known = found.changes.filter(({ unknown }) => !unknown);
  if (isUpdateInPlace(change) && known.length === 0) return { drafts: [], noise: whyNothing(change, found) };
  const rest = known.filter((place) => !isPutBack(place, change, drift, outside));
  return { drafts: rest.length === 0 ? [] : [pending(context, change, rest)], noise: [] };
}

/** True where the plan only takes a place back to what it was before the outside change. */
function isPutBack(
  place: PathChange,
  change: ResourceChange,
  drift: ResourceChange,
  outside: readonly PathChange[],
): boolean {
  if (!outside.some(({ path }) => pathsOverlap(path, place.path))) return false;
  const common = withoutPositions(place.path);
  const original = valueAt(drift.before, common) ?? null;
  const wanted = valueAt(change.after, common) ?? null;
  // As for drift: `""` in the state and nothing in the configuration are the same wish.
  const masks = { afterUnknown: false, beforeSensitive: false, afterSensitive: false };
  return diff({ kind: 'drift', before: original, after: wanted, ...masks }).changes.length === 0;
}

function pending(context: Context, change: ResourceChange, changes: readonly PathChange[]): Draft {
  return { ...subjectOf(change, change), changes, ...classifyOrigin(context, change, changes) };
}

function isUpdateInPlace({ actions }: ResourceChange): boolean {
  return actions.length === 1 && actions[0] === 'update';
}

function isRemoval({ actions }: ResourceChange): boolean {
  return actions.length === 1 && actions[0] === 'delete';
}
