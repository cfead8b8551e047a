import type { Captures } from './path-glob.ts';

const PLACEHOLDER = /\{([a-z][a-zA-Z0-9_]*)\}/g;

/** Names of the placeholders in a text, each as often as it stands there. */
export function placeholdersIn(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name as string);
}

/** The text with its placeholders filled in; those without a value stay. */
export function fillIn(text: string, values: Captures): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? (values[name] as string) : placeholder,
  );
}

/** The same value with all placeholders in its texts filled in; keys stay as they are, and so do parts without any. */
export function fillInAll<Value>(value: Value, values: Captures): Value {
  // Texts become texts, and everything else stays, so the type does.
  return fillInAny(value, values) as Value;
}

function fillInAny(value: unknown, values: Captures): unknown {
  if (typeof value === 'string') return fillIn(value, values);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const filled = members.map(([key, member]): [string, unknown] => [key, fillInAny(member, values)]);
  // What nothing changes in stays the same object, so that thousands of stacks share it.
  if (filled.every(([, member], index) => member === members[index]?.[1])) return value;
  return Array.isArray(value) ? filled.map(([, member]) => member) : Object.fromEntries(filled);
}

/** Every text inside a value, with the way to it. */
export function* textsIn(value: unknown, path: readonly (string | number)[] = []): Generator<TextAt> {
  if (typeof value === 'string') yield { text: value, path };
  else if (Array.isArray(value))
    for (const [index, member] of value.entries()) yield* textsIn(member, [...path, index]);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) yield* textsIn(member, [...path, key]);
  }
}

export interface TextAt {
  readonly text: string;
  readonly path: readonly (string | number)[];
}
