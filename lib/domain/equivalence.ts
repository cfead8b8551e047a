import type { NoiseReason } from './finding.ts';
import { canonicalJson, isJsonArray, isJsonObject, type Json, parseJson } from './json.ts';
import type { Path } from './path.ts';

/**
 * Says that two different values mean the same, or `undefined` where they really differ.
 *
 * Drift and planned changes are judged apart: after a refresh or a provider upgrade `null` turns into `[]` and back
 * (field case C3), but the same flip in a plan can be the removal of a rule (C7).
 */
export function whyEquivalent(
  kind: 'drift' | 'planned',
  path: Path,
  before: Json,
  after: Json,
): NoiseReason | undefined {
  if (kind === 'drift' && isEmpty(before) && isEmpty(after)) return 'empty-flip';
  if (typeof before !== 'string' || typeof after !== 'string') return undefined;
  return whyEqualDocuments(path, before, after);
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  if (isJsonArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.values(value).every(isEmpty);
}

function whyEqualDocuments(path: Path, before: string, after: string): NoiseReason | undefined {
  const left = parseEmbedded(before);
  const right = parseEmbedded(after);
  if (left === undefined || right === undefined) return undefined;
  if (canonicalJson(left) === canonicalJson(right)) return 'same-json';
  if (!isPolicyPath(path)) return undefined;
  return canonicalJson(canonicalPolicy(left)) === canonicalJson(canonicalPolicy(right)) ? 'same-policy' : undefined;
}

// Deeper than any document that a service accepts: whoever can write an attribute must not exhaust the stack.
const DEEPEST_DOCUMENT = 200;

/** A JSON document kept in a string attribute; `undefined` for any other string. */
function parseEmbedded(text: string): Json | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    const document = parseJson(text);
    return isWithin(DEEPEST_DOCUMENT, document) ? document : undefined;
  } catch {
    return undefined;
  }
}

function isWithin(levels: number, value: Json): boolean {
  if (levels === 0) return false;
  const members = isJsonArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return members.every((member) => isWithin(levels - 1, member));
}

/** Attributes that hold an IAM policy document: `policy`, `assume_role_policy`, `access_policies`, … */
function isPolicyPath(path: Path): boolean {
  const attribute = path.findLast((segment) => typeof segment === 'string');
  return attribute !== undefined && /(^|_)(policy|policies)(_document|_json)?$/.test(attribute);
}

// IAM reads these as sets, and one member alone as a list of one:
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
const SET_ELEMENTS = new Set(['Statement', 'Action', 'NotAction', 'Resource', 'NotResource']);
const MAPS_OF_SETS = new Set(['Principal', 'NotPrincipal']);

/** A policy document in which order and "one or a list of one" no longer show. */
function canonicalPolicy(value: Json): Json {
  if (isJsonArray(value)) return value.map(canonicalPolicy);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, canonicalElement(key, member)]));
}

function canonicalElement(key: string, value: Json): Json {
  if (SET_ELEMENTS.has(key)) return asSet(canonicalPolicy(value));
  if (MAPS_OF_SETS.has(key) && isJsonObject(value)) return mapMembers(value, asSet);
  // Condition: { operator: { key: value or values } }
  if (key === 'Condition' && isJsonObject(value)) {
    return mapMembers(value, (operator) => (isJsonObject(operator) ? mapMembers(operator, asSet) : operator));
  }
  return canonicalPolicy(value);
}

function mapMembers(value: Readonly<Record<string, Json>>, change: (member: Json) => Json): Json {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)]));
}

function asSet(value: Json): Json {
  const members = isJsonArray(value) ? value : [value];
  const byText = new Map(members.map((member) => [canonicalJson(member), member]));
  return [...byText.keys()].sort().map((text) => byText.get(text) as Json);
}
