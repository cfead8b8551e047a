import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asList,
  asObject,
  canonicalJson,
  isJsonArray,
  isJsonObject,
  type Json,
  jsonEqual,
  PreciseNumber,
  parseJson,
  showJson,
  valueAt,
} from '../../lib/domain/json.ts';
import { anyJson, anyKey, reorderMembers, similarJson } from '../support/json-values.ts';

const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength });

/** A number as JSON may write it: leading minus, long runs of digits and zeros, fraction, exponent. */
const numeral = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(
      fc.constant('0'),
      digits(40).map((text) => text.replace(/^0+(?=.)/, '')),
    ),
    fraction: fc.oneof(
      fc.constant(''),
      digits(40).map((text) => `.${text}`),
    ),
    exponent: fc.oneof(
      fc.constant(''),
      fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits(4)).map((parts) => parts.join('')),
    ),
  })
  .map(({ sign, whole, fraction, exponent }) => sign + whole + fraction + exponent);

const around = fc.constantFrom<readonly [string, string, readonly (string | number)[]]>(
  ['', '', []],
  ['\n ', ' ', []],
  ['[', ']', [0]],
  ['["a:[", ', ']', [1]],
  ['{"a":', '}', ['a']],
  ['{"a":[1, {"b" :\t', '\r\n}], "c": "12345678901234567890"}', ['a', 1, 'b']],
);

/** The exact decimal that a numeral stands for, by arithmetic. */
function exactly(source: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/i.exec(source) ?? [];
  let mantissa = BigInt(`${whole}${fraction}`);
  let power = Number(exponent) - fraction.length;
  if (mantissa === 0n) return 'zero';
  for (; mantissa % 10n === 0n; power += 1) mantissa /= 10n;
  return `${sign}${mantissa} * 10^${power}`;
}

describe('parseJson', () => {
  it('keeps every digit of every number, wherever it stands', () => {
    fc.assert(
      fc.property(numeral, around, (source, [before, after, path]) => {
        const value = valueAt(parseJson(before + source + after), path);
        expect(exactly(showJson(value as Json))).toBe(exactly(source));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    '12345678901234567890',
    '-12345678901234567890',
    '0.12345678901234567890',
    '1.00000000000000000001',
    '9007199254740993',
    '1e400',
    '1e-400',
    '1E+400',
  ])('keeps %s as it is written', (source) => {
    expect(parseJson(`{"id": ${source}}`)).toEqual({ id: new PreciseNumber(source) });
    expect(parseJson(source)).toEqual(new PreciseNumber(source));
  });

  it.each([
    ['1000000000000000000000', 1e21],
    ['1.50000000000000000000', 1.5],
    ['-0.0000000000000000000', -0],
    ['1e+0021', 1e21],
  ])('reads %s as the plain number it is', (source, expected) => {
    expect(parseJson(`[${source}]`)).toEqual([expected]);
  });

  it('reads what JSON.parse reads where a double holds all numbers', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = JSON.stringify(value);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('reads the same beside a long number as without one', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = JSON.stringify(value);
        const [beside] = parseJson(`[${text}, 12345678901234567890]`) as readonly Json[];
        expect(beside).toEqual(JSON.parse(text));
      }),
    );
  });

  it('leaves strings alone that look like long numbers', () => {
    expect(parseJson('{"a": ":12345678901234567890", "b": 1}')).toEqual({ a: ':12345678901234567890', b: 1 });
  });

  it('takes the last of two members with one name', () => {
    expect(parseJson('{"a": 1, "a": 12345678901234567890}')).toEqual({ a: new PreciseNumber('12345678901234567890') });
    expect(parseJson('{"a": 12345678901234567890, "a": 1}')).toEqual({ a: 1 });
  });

  it.each(['', '{', '[1,]', '{"a": 12345678901234567890', '[012345678901234567890]'])('fails on %j', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });
});

describe('canonicalJson', () => {
  it('is one text for equal values, and only for them', () => {
    fc.assert(
      fc.property(similarJson, similarJson, (left, right) => {
        expect(canonicalJson(left) === canonicalJson(right)).toBe(isDeepStrictEqual(left, right));
      }),
      { numRuns: 1000 },
    );
  });

  it('tells any two different values apart', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (left, right) => {
        expect(canonicalJson(left) === canonicalJson(right)).toBe(isDeepStrictEqual(left, right));
      }),
    );
  });

  it('does not depend on the order of members', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(canonicalJson(reorderMembers(value))).toBe(canonicalJson(value));
      }),
    );
  });

  it('depends on the order of elements', () => {
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  });

  it('is one text for all ways to write a number, and only for them', () => {
    fc.assert(
      fc.property(numeral, numeral, fc.nat(30), (left, right, zeros) => {
        const padded = left.includes('.') ? left.replace(/(\.\d+)/, `$1${'0'.repeat(zeros)}`) : left;
        const text = canonicalJson(parseJson(left));
        expect(canonicalJson(parseJson(padded))).toBe(text);
        expect(canonicalJson(new PreciseNumber(padded))).toBe(text);
        expect(text === canonicalJson(parseJson(right))).toBe(exactly(left) === exactly(right));
      }),
    );
  });

  it('tells a number from the string that spells it', () => {
    expect(canonicalJson(new PreciseNumber('1e400'))).not.toBe(canonicalJson('1e400'));
  });
});

describe('jsonEqual', () => {
  it('agrees with the canonical texts', () => {
    fc.assert(
      fc.property(similarJson, similarJson, (left, right) => {
        expect(jsonEqual(left, right)).toBe(isDeepStrictEqual(left, right));
        expect(jsonEqual(left, reorderMembers(left))).toBe(true);
      }),
    );
  });

  it('tells numbers apart that one double stands for', () => {
    const [left, right] = parseJson('[9007199254740993, 9007199254740992]') as readonly [Json, Json];
    expect(jsonEqual(left, right)).toBe(false);
  });
});

describe('showJson', () => {
  it('writes what JSON.stringify writes', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(showJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('writes every digit', () => {
    expect(showJson({ ids: [new PreciseNumber('12345678901234567890'), 1] })).toBe('{"ids":[12345678901234567890,1]}');
  });
});

describe('valueAt', () => {
  it('finds each value by its path', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        for (const [path, leaf] of leavesOf(value)) expect(valueAt(value, path)).toBe(leaf);
      }),
    );
  });

  it.each<[string, readonly (string | number)[]]>([
    ['a missing member', ['c']],
    ['a missing element', ['list', 2]],
    ['a member that every object inherits', ['toString']],
    ['a member of a list', ['list', 'length']],
    ['an element of an object', [0]],
    ['an element of a text', ['text', 0]],
    ['the inside of a precise number', ['precise', 'source']],
    ['anything below nothing', ['c', 'd', 0]],
  ])('finds nothing at %s', (_, path) => {
    const value = { 0: 'zero', list: [1, 2], text: 'abc', precise: new PreciseNumber('1e400') };
    expect(valueAt(value, path)).toBeUndefined();
  });

  it('finds nothing in nothing', () => {
    expect(valueAt(undefined, ['a'])).toBeUndefined();
    expect(valueAt(undefined, [])).toBeUndefined();
  });
});

function leavesOf(value: Json, path: readonly (string | number)[] = []): (readonly [typeof path, Json])[] {
  if (isJsonArray(value)) return value.flatMap((member, index) => leavesOf(member, [...path, index]));
  if (!isJsonObject(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, member]) => leavesOf(member, [...path, key]));
}

describe('asObject and asList', () => {
  it('hand on what they are for', () => {
    const value = { list: [1] };
    expect(asObject(value)).toBe(value);
    expect(asList(value.list)).toBe(value.list);
  });

  it.each<[Json | undefined]>([[undefined], [null], ['text'], [1], [true], [new PreciseNumber('1e400')]])(
    'stand in for %j',
    (value) => {
      expect(asObject(value)).toEqual({});
      expect(asList(value)).toEqual([]);
    },
  );

  it('stand in for one another', () => {
    expect(asObject([1])).toEqual({});
    expect(asList({ a: 1 })).toEqual([]);
  });
});

describe('keys of any kind', () => {
  it('survive parsing and writing', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        const text = `{${JSON.stringify(key)}:12345678901234567890}`;
        expect(showJson(parseJson(text))).toBe(text);
      }),
    );
  });
});
