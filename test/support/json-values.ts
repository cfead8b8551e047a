import fc from 'fast-check';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../lib/domain/json.ts';

/** Names that JavaScript objects know by themselves, names that paths have to quote, and any others. */
export const anyKey: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'a',
    'name',
    '__proto__',
    'constructor',
    'k8s.io/role',
    '0',
    '*',
    '',
    'a"b',
    'a\\b',
    'Ünïcode',
    'a-b',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

/** Any JSON value that a double can hold. */
export const anyJson: fc.Arbitrary<Json> = jsonOf(
  anyKey,
  fc.oneof(
    fc.constantFrom(null, true, false, ''),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.integer(),
    fc.string({ unit: 'binary', maxLength: 8 }),
  ),
);

/** Values from so small a stock that two of them are often equal. `null` stands nowhere: it is no other than absent. */
export const similarJson: fc.Arbitrary<Json> = jsonOf(
  fc.constantFrom('a', 'b'),
  fc.constantFrom(true, false, 0, 1, '', 'a', '1', 'true'),
);

export function jsonOf(keys: fc.Arbitrary<string>, leaves: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaves,
      fc.array(tie('value'), { maxLength: 3 }),
      objectOf(keys, tie('value')),
    ),
  })).value;
}

export function objectOf(keys: fc.Arbitrary<string>, values: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> {
  return fc.array(fc.tuple(keys, values), { maxLength: 4 }).map((entries) => Object.fromEntries(entries));
}

/** The same value with the members of every object the other way round. */
export function reorderMembers(value: Json): Json {
  if (isJsonArray(value)) return value.map(reorderMembers);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, reorderMembers(member)] as const);
  return Object.fromEntries(members.reverse());
}
