import fc from 'fast-check';
import type { Json, JsonObject } from '../../lib/domain/json.ts';
import { jsonOf } from './json-values.ts';

/** A value, and what Terraform marks as sensitive in it: lists element by element, maps only where something is marked. */
export interface Masked<Value = Json> {
  readonly value: Value;
  readonly mask: Value;
}

/** The attributes of a resource. */
export function maskedAttributes(
  keys: fc.Arbitrary<string>,
  leaves: fc.Arbitrary<Json>,
): fc.Arbitrary<Masked<JsonObject>> {
  const { node } = fc.letrec<{ node: Masked }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.record({ value: leaves, mask: fc.boolean() }),
      fc.record({ value: jsonOf(keys, leaves), mask: fc.constant(true) }),
      fc.array(tie('node'), { maxLength: 3 }).map(listOf),
      membersOf(keys, tie('node')),
    ),
  }));
  return membersOf(keys, node);
}

function listOf(nodes: readonly Masked[]): Masked {
  return { value: nodes.map(({ value }) => value), mask: nodes.map(({ mask }) => mask) };
}

function membersOf(keys: fc.Arbitrary<string>, nodes: fc.Arbitrary<Masked>): fc.Arbitrary<Masked<JsonObject>> {
  return fc.uniqueArray(fc.tuple(keys, nodes), { maxLength: 3, selector: ([key]) => key }).map((entries) => ({
    value: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
    mask: Object.fromEntries(entries.flatMap(([key, { mask }]) => (mask === false ? [] : [[key, mask]]))),
  }));
}
