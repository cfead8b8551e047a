import { whyEquivalent } from './equivalence.ts';
import type { NoiseReason } from './finding.ts';
import { canonicalJson, isJsonArray, isJsonObject, type Json, jsonEqual } from './json.ts';
import type { Path } from './path.ts';
import { type Mask, maskOf, masksAny, masksSomeMember } from './sensitivity.ts';

/** One changed place in a resource. */
export interface PathChange {
  readonly path: Path;
  readonly before: Json;
  readonly after: Json;
  /** The new value is known only after apply. */
  readonly unknown: boolean;
  readonly sensitive: boolean;
}

export interface Difference {
  readonly changes: readonly PathChange[];
  readonly noise: readonly { readonly path: Path; readonly reason: NoiseReason }[];
}

export interface DiffInput {
  readonly kind: 'drift' | 'planned';
  readonly before: Json;
  readonly after: Json;
  readonly afterUnknown: Json;
  readonly beforeSensitive: Mask;
  readonly afterSensitive: Mask;
}

/** Two values at one place, with all that is known of them. */
interface Place {
  readonly path: Path;
  readonly before: Json;
  readonly after: Json;
  readonly unknown: Json | undefined;
  readonly beforeMask: Mask;
  readonly afterMask: Mask;
}

interface Found {
  readonly kind: 'drift' | 'planned';
  readonly changes: PathChange[];
  readonly noise: { path: Path; reason: NoiseReason }[];
}

/**
 * Finds the changed places between two values of a resource, as deep as can be told: members of maps and blocks apart,
 * sensitive parts as one. A list whose elements came, went or were reordered is reported as one place.
 */
export function diff(input: DiffInput): Difference {
  const found: Found = { kind: input.kind, changes: [], noise: [] };
  compare(found, {
    path: [],
    before: input.before,
    after: input.after,
    unknown: input.afterUnknown,
    beforeMask: input.beforeSensitive,
    afterMask: input.afterSensitive,
  });
  return found;
}

function compare(found: Found, place: Place): void {
  const { before, after, unknown } = place;
  if (unknown === true) report(found, place);
  else if (isJsonObject(before) && isJsonObject(after) && !isMaskedPart(place)) compareMembers(found, place);
  else if (isJsonArray(before) && isJsonArray(after)) compareLists(found, place);
  else if (hasUnknown(unknown) || !jsonEqual(before, after)) report(found, place);
}

// The mask of the whole resource is `true` in old formats only; its attribute names are no secret.
function isMaskedPart({ path, beforeMask, afterMask }: Place): boolean {
  return path.length > 0 && (beforeMask === true || afterMask === true);
}

function compareMembers(found: Found, place: Place): void {
  for (const key of memberKeys(place)) compare(found, memberOf(place, key));
}

function memberKeys({ before, after, unknown }: Place): Set<string> {
  const keys = new Set<string>();
  for (const value of [before, after, unknown]) {
    if (isJsonObject(value)) for (const key of Object.keys(value)) keys.add(key);
  }
  return keys;
}

function memberOf(place: Place, key: string): Place {
  // A member that is not there and one that is null mean the same to Terraform.
  const member = (value: Json | undefined) =>
    (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : null) ?? null;
  return {
    path: [...place.path, key],
    before: member(place.before),
    after: member(place.after),
    unknown: member(place.unknown),
    beforeMask: maskOf(place.beforeMask, key),
    afterMask: maskOf(place.afterMask, key),
  };
}

function compareLists(found: Found, place: Place): void {
  const before = place.before as readonly Json[];
  const after = place.after as readonly Json[];
  const unknown = hasUnknown(place.unknown);
  if (!unknown && jsonEqual(before, after)) return;
  const pairs =
    unknown || masksSomeMember(place.beforeMask) || masksSomeMember(place.afterMask) ? [] : pair(before, after);
  if (pairs.length === 0) report(found, place);
  for (const { from, to } of pairs) {
    compare(found, {
      path: [...place.path, to],
      before: before[from] as Json,
      after: after[to] as Json,
      unknown: undefined,
      beforeMask: maskOf(place.beforeMask, from),
      afterMask: maskOf(place.afterMask, to),
    });
  }
}

/**
 * Pairs up the elements that changed, after taking out those that stand on both sides. Empty where elements came, went
 * or only changed places: then the list as a whole is what changed.
 */
function pair(before: readonly Json[], after: readonly Json[]): { from: number; to: number }[] {
  const unmatched = new Map<string, number[]>();
  before.forEach((element, index) => {
    const text = canonicalJson(element);
    const same = unmatched.get(text);
    if (same === undefined) unmatched.set(text, [index]);
    else same.push(index);
  });
  const added = after.flatMap((element, index) =>
    unmatched.get(canonicalJson(element))?.shift() === undefined ? [index] : [],
  );
  const removed = [...unmatched.values()].flat().sort((a, b) => a - b);
  if (added.length !== removed.length) return [];
  const pairs = removed.map((from, i) => ({ from, to: added[i] as number }));
  return pairs.every(({ from, to }) => isJsonObject(before[from]) && isJsonObject(after[to])) ? pairs : [];
}

function report(found: Found, place: Place): void {
  const { path, before, after } = place;
  const unknown = hasUnknown(place.unknown);
  const reason = unknown ? undefined : whyNothingChanged(found, place);
  if (reason !== undefined) found.noise.push({ path, reason });
  else found.changes.push({ path, before, after, unknown, sensitive: isSensitive(place) });
}

/** A sensitive part is reported as one place, but what is noise inside it is noise for the whole. */
function whyNothingChanged({ kind }: Found, place: Place): NoiseReason | undefined {
  const { path, before, after } = place;
  const reason = whyEquivalent(kind, path, before, after);
  if (reason !== undefined || !isMasked(place)) return reason;
  const masks = { afterUnknown: false, beforeSensitive: false, afterSensitive: false };
  const inside = diff({ kind, before, after, ...masks });
  return inside.changes.length === 0 ? inside.noise[0]?.reason : undefined;
}

function isSensitive(place: Place): boolean {
  return place.path.length === 0 || isMasked(place);
}

function isMasked({ beforeMask, afterMask }: Place): boolean {
  return masksAny(beforeMask) || masksAny(afterMask);
}

function hasUnknown(unknown: Json | undefined): boolean {
  if (unknown === true) return true;
  if (isJsonArray(unknown)) return unknown.some(hasUnknown);
  return isJsonObject(unknown) && Object.values(unknown).some(hasUnknown);
}
