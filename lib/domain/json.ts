/** A number whose digits a double can't hold, kept as it was written. */
export class PreciseNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export type JsonObject = { readonly [key: string]: Json };
export type Json = null | boolean | number | string | PreciseNumber | readonly Json[] | JsonObject;

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isJsonArray(value) && !(value instanceof PreciseNumber);
}

// Array.isArray does not narrow readonly arrays.
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The object, or an empty one where the value is anything else: for parts of a document that may be missing. */
export function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The list, or an empty one where the value is anything else. */
export function asList(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}

// A run of 16 or more digits, or a long exponent, where a number can start: only then can a double lose anything. A
// string that looks like one costs a slower parse, never a wrong value.
const LONG_NUMBER = /(?:^|[:[,])\s*-?(?:(?:\d[.]?){16,}|[\d.]+[eE][+-]?\d{3,})/;

/**
 * Parses JSON without losing digits. Throws `SyntaxError` as `JSON.parse` does.
 *
 * The reviver is several times slower than a plain parse, so it runs only where the text holds a long number.
 */
export function parseJson(text: string): Json {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text) as Json;
  return JSON.parse(text, keepDigits as Reviver) as Json;
}

type Reviver = (this: unknown, key: string, value: unknown) => unknown;

// ES2025 hands the source text of a primitive to the reviver; TypeScript's library does not know it yet.
function keepDigits(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context.source === undefined) return value;
  return sameNumber(value, context.source) ? value : new PreciseNumber(context.source);
}

function sameNumber(value: number, source: string): boolean {
  return canonicalDigits(String(value)) === canonicalDigits(source);
}

/** Sign, significant digits and exponent, so that `1.50`, `15e-1` and `1.5` are one number. */
function canonicalDigits(source: string): string {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${negative ? '-' : ''}${significant}e${power}`;
}

/** One text for each JSON value: keys sorted, numbers by their digits. Equal values have equal texts. */
export function canonicalJson(value: Json): string {
  if (value instanceof PreciseNumber) return canonicalDigits(value.source);
  if (typeof value === 'number') return canonicalDigits(String(value));
  if (isJsonArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] as Json)}`);
  return `{${members.join(',')}}`;
}

export function jsonEqual(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (typeof left === 'string' || typeof right === 'string') return false;
  return canonicalJson(left) === canonicalJson(right);
}

/** Compact JSON for people: like `JSON.stringify`, with every digit of a precise number. */
export function showJson(value: Json): string {
  if (value instanceof PreciseNumber) return value.source;
  if (isJsonArray(value)) return `[${value.map(showJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, member]) => `${JSON.stringify(key)}:${showJson(member)}`)
    .join(',')}}`;
}

/** Follows a path into a value; `undefined` where it leads nowhere. */
export function valueAt(value: Json | undefined, path: readonly (string | number)[]): Json | undefined {
  let current = value;
  for (const segment of path) {
    if (typeof segment === 'number') current = isJsonArray(current) ? current[segment] : undefined;
    else current = isJsonObject(current) && Object.hasOwn(current, segment) ? current[segment] : undefined;
  }
  return current;
}
