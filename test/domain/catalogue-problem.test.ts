import { describe, expect, it } from 'vitest';
import {
  type CatalogueProblem,
  catalogueFailure,
  nameStacks,
  sortProblems,
} from '../../lib/domain/catalogue-problem.ts';

const problem = (over: Partial<CatalogueProblem> = {}): CatalogueProblem => ({
  severity: 'error',
  code: 'field-invalid',
  message: 'wrong',
  location: { file: 'a.yaml', line: 1, column: 1 },
  hint: 'Put it right.',
  ...over,
});
const at = (file: string, line?: number, column = 1) =>
  problem({ location: line === undefined ? { file } : { file, line, column } });

describe('sortProblems', () => {
  it('goes by file, line and column', () => {
    const sorted = [at('a.yaml'), at('a.yaml', 2), at('a.yaml', 10), at('a.yaml', 10, 3), at('b.yaml', 1)];

    expect(sortProblems(sorted.toReversed())).toEqual(sorted);
  });

  it('tells the same once, and different things in a fixed order', () => {
    const warning = problem({ severity: 'warning' });
    const other = problem({ message: 'broken' });

    expect(sortProblems([warning, problem(), other, problem()])).toEqual([other, problem(), warning]);
  });
});

describe('catalogueFailure', () => {
  it('is the first error, and how many more there are', () => {
    const problems = [problem({ message: 'second', location: { file: 'b.yaml' } }), problem({ message: 'first' })];
    const warning = problem({ severity: 'warning', location: { file: '0.yaml' } });

    expect(catalogueFailure([...problems, warning])).toEqual({
      code: 'CatalogueInvalid',
      message: 'first (+1 more)',
      location: { file: 'a.yaml', line: 1, column: 1 },
      hint: 'Put it right.',
    });
    expect(catalogueFailure(problems.slice(1))?.message).toBe('first');
  });

  it('is nothing without an error', () => {
    expect(catalogueFailure([problem({ severity: 'warning' })])).toBeUndefined();
  });
});

describe('nameStacks', () => {
  it.each([
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a and 2 more stacks'],
  ])('names %j', (ids, expected) => {
    expect(nameStacks(ids)).toBe(expected);
  });
});
