import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Mask, maskOf, masksAll, masksAny, masksSomeMember } from '../../lib/domain/sensitivity.ts';
import { jsonOf } from '../support/json-values.ts';

const anyMask = jsonOf(fc.constantFrom('a', 'b'), fc.boolean());

const marksSomething = (mask: Mask) => JSON.stringify({ mask }).includes('true');

describe('masksAll', () => {
  it.each<[Mask, boolean]>([
    [true, true],
    [undefined, true],
    [null, true],
    [false, false],
    [{}, false],
    [[], false],
    [{ a: true }, false],
    [[true], false],
  ])('of %j is %s', (mask, expected) => {
    expect(masksAll(mask)).toBe(expected);
  });
});

describe('masksAny', () => {
  it('is true where a mark stands anywhere', () => {
    fc.assert(
      fc.property(anyMask, (mask) => {
        expect(masksAny(mask)).toBe(marksSomething(mask));
      }),
    );
  });

  it('is true where there is no mask', () => {
    expect(masksAny(undefined)).toBe(true);
  });
});

describe('maskOf', () => {
  it('hands a mark of the whole on to every member', () => {
    expect(maskOf(true, 'a')).toBe(true);
    expect(maskOf(true, 0)).toBe(true);
    expect(maskOf(undefined, 'a')).toBeUndefined();
  });

  it.each<[Mask, string | number, Mask]>([
    [{ a: true }, 'a', true],
    [{ a: { b: true } }, 'a', { b: true }],
    [{ a: true }, 'b', false],
    [{ a: true }, 0, false],
    [{}, 'toString', false],
    [[false, true], 1, true],
    [[true], 1, false],
    [[true], 'length', false],
    [false, 'a', false],
    [false, 0, false],
  ])('takes from %j at %j the mask %j', (mask, key, expected) => {
    expect(maskOf(mask, key)).toEqual(expected);
  });
});

describe('masksSomeMember', () => {
  it.each<[Mask, boolean]>([
    [true, true],
    [undefined, true],
    [[false, { password: true }], true],
    [[{ inner: [true] }], true],
    [[false, {}], false],
    // Members of a map can be told apart.
    [{ a: true }, false],
    [false, false],
  ])('of %j is %s', (mask, expected) => {
    expect(masksSomeMember(mask)).toBe(expected);
  });
});
