import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, nearestWord } from '../../lib/domain/nearest-word.ts';

const FIELDS = ['timeout', 'schedule', 'planRole', 'applyRole', 'env'];

describe('nearestWord', () => {
  it.each([
    ['timeuot', 'timeout'],
    ['time-out', 'timeout'],
    ['shedule', 'schedule'],
    ['planrole', 'planRole'],
    ['PLANROLE', 'planRole'],
    ['emv', 'env'],
    ['envs', 'env'],
  ])('takes %s for %s', (word, expected) => {
    expect(nearestWord(word, FIELDS)).toBe(expected);
  });

  it.each(['x', 'ab', 'retries', 'timetable', ''])('knows nothing like %j', (word) => {
    expect(nearestWord(word, FIELDS)).toBeUndefined();
  });

  it('takes the nearest of several', () => {
    expect(nearestWord('stackz', ['stick', 'stacks', 'stack'])).toBe('stacks');
  });

  it('finds a word that it is', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,9}$/), fc.array(fc.string()), (word, others) => {
        expect(nearestWord(word, [...others, word])?.toLowerCase()).toBe(word);
      }),
    );
  });
});

describe('didYouMean', () => {
  it('asks, or gives the other advice', () => {
    expect(didYouMean('timeuot', FIELDS, 'See the manual.')).toBe('did you mean "timeout"?');
    expect(didYouMean('nonsense', FIELDS, 'See the manual.')).toBe('See the manual.');
  });
});
