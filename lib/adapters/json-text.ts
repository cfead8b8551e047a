import { PreciseNumber } from '../domain/json.ts';

declare global {
  // Part of the language since V8 11.4; TypeScript's library does not know it yet.
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

/** Like `JSON.stringify`, with every digit of a precise number; `parseJson` reads it back. */
export function toJsonText(value: object): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member instanceof PreciseNumber ? JSON.rawJSON(member.source) : member,
  );
}

/** Bytes of a value as JSON in UTF-8. */
export function jsonBytes(value: string | object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
