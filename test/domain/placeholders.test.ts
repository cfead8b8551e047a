import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fillIn, fillInAll, placeholdersIn, textsIn } from '../../lib/domain/placeholders.ts';

describe('placeholders', () => {
  it('are names in braces', () => {
    expect(placeholdersIn('{path}/x-{env}{env} {"a":1} {A} {} x{b_2}')).toEqual(['path', 'env', 'env', 'b_2']);
  });

  it('are filled in where there is a value, and stay where there is none', () => {
    expect(fillIn('{env}/{app}-{env}', { env: 'prod' })).toBe('prod/{app}-prod');
  });

  it('are not filled in twice, and not with what every object has', () => {
    expect(fillIn('{a}', { a: '{b}', b: 'x' })).toBe('{b}');
    expect(fillIn('{constructor}', {})).toBe('{constructor}');
  });

  it('are filled in at any depth, in values only', () => {
    const value = { '{a}': ['{a}', { deep: 'x{a}' }], count: 1, flag: true, nothing: null };

    expect(fillInAll(value, { a: '1' })).toEqual({ ...value, '{a}': ['1', { deep: 'x1' }] });
  });

  it('leave parts without any the same objects', () => {
    const plain = { rules: [{ address: '*' }] };
    const filled = fillInAll({ plain, id: '{a}' }, { a: '1' });

    expect(filled.plain).toBe(plain);
    expect(fillInAll(plain, { a: '1' })).toBe(plain);
  });

  it('are found with the way to them', () => {
    expect([...textsIn({ a: ['x', { b: 'y' }], c: 1, d: null, e: 'z' })]).toEqual([
      { text: 'x', path: ['a', 0] },
      { text: 'y', path: ['a', 1, 'b'] },
      { text: 'z', path: ['e'] },
    ]);
  });

  it('change nothing else in JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(fillInAll(value, {})).toEqual(value);
      }),
    );
  });
});
