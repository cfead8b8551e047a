import { mapInstanceKeys } from './address.ts';
import type { Judged } from './apply-rules.ts';
import type { PathChange } from './diff.ts';
import type { Finding, Noise, PathValues, Suppressed } from './finding.ts';
import { isJsonArray, isJsonObject, type Json, showJson } from './json.ts';
import { formatPath, type Path, parsePath } from './path.ts';
import { matchesPattern, type Rules } from './rules.ts';
import { escapeUnsafe, type Scrub, SENSITIVE } from './scrub.ts';

/**
 * Turns drafts, which hold values, into findings, which hold none (DESIGN §5): addresses and paths lose what is known to
 * be sensitive, values are dropped unless the team's rules allow the path and Terraform does not mark it as sensitive.
 */
export interface Redaction {
  finding(draft: Judged): Finding;
  suppressed(entry: Suppressed): Suppressed;
  noise(entry: Noise): Noise;
  text(text: string): string;
}

export function createRedaction(scrub: Scrub, allowValues: Rules['allowValues']): Redaction {
  const text = (value: string) => escapeUnsafe(scrub(value));
  // Names in an address are the author's own words; only keys are data, and only they can hold a copied secret.
  const address = (value: string) => escapeUnsafe(mapInstanceKeys(value, scrub));
  const paths = (values: readonly string[]) => sortedSet(values.map((path) => cleanPath(parsePath(path) ?? [], scrub)));
  return {
    text,
    finding: (draft) => toFinding(draft, { address, scrub }, allowValues),
    suppressed: (entry) => ({ ...entry, address: address(entry.address), paths: paths(entry.paths) }),
    noise: (entry) => ({ ...entry, address: address(entry.address), paths: paths(entry.paths) }),
  };
}

interface Cleaners {
  readonly address: (value: string) => string;
  readonly scrub: Scrub;
}

function toFinding(draft: Judged, clean: Cleaners, allowValues: Rules['allowValues']): Finding {
  const { cause } = draft;
  const values = valuesOf(draft, clean, allowValues);
  return {
    address: clean.address(draft.address),
    ...(draft.deposed === undefined ? {} : { deposed: draft.deposed }),
    class: draft.class,
    standing: draft.standing,
    severity: draft.severity,
    actions: draft.actions,
    paths: sortedSet(draft.changes.map(({ path }) => cleanPath(path, clean.scrub))),
    cause: cause.from === undefined ? cause : { ...cause, from: cause.from.map(clean.address) },
    ...(values.length === 0 ? {} : { values: Object.fromEntries(values) }),
  };
}

/** Map keys are data too: each is scrubbed by itself, so that a short secret that is a whole key is found. */
function cleanPath(path: Path, scrub: Scrub): string {
  return escapeUnsafe(formatPath(path.map((segment) => (typeof segment === 'string' ? scrub(segment) : segment))));
}

function sortedSet(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

function valuesOf(draft: Judged, clean: Cleaners, allowValues: Rules['allowValues']): [string, PathValues][] {
  return draft.changes.flatMap((change) => {
    const path = formatPath(change.path);
    const allowed = allowValues.some(
      (rule) => matchesPattern(rule.address, draft.address) && matchesPattern(rule.path, path),
    );
    return allowed ? [[cleanPath(change.path, clean.scrub), showValues(change, clean.scrub)]] : [];
  });
}

function showValues(change: PathChange, scrub: Scrub): PathValues {
  if (change.sensitive) return { before: SENSITIVE, after: SENSITIVE };
  return {
    before: showValue(change.before, scrub),
    after: change.unknown ? '(known after apply)' : showValue(change.after, scrub),
  };
}

function showValue(value: Json, scrub: Scrub): string {
  const clean = scrubMembers(value, scrub);
  return clean === SENSITIVE ? SENSITIVE : escapeUnsafe(scrub(showJson(clean)));
}

/** Scrubs every text by itself: a short secret is found only where it is the whole text, and JSON hides where texts end. */
function scrubMembers(value: Json, scrub: Scrub): Json {
  if (isJsonArray(value)) return value.map((member) => scrubMembers(member, scrub));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [scrub(key), scrubMembers(member, scrub)]));
  }
  const text = typeof value === 'string' ? value : showJson(value);
  const clean = scrub(text);
  return clean === text ? value : clean;
}
