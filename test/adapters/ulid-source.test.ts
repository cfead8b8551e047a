import { expect, it } from 'vitest';
import { createUlidSource } from '../../lib/adapters/ulid-source.ts';
import { START } from '../support/stack-builder.ts';

const at = (ms: number): Date => new Date(START.getTime() + ms);

it('gives ids that say when they were made', () => {
  const ids = createUlidSource();
  const id = ids.next(START);
  expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  const digits = [...id.slice(0, 10)].map((digit) => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(digit));
  expect(digits.reduce((value, digit) => value * 32 + digit, 0)).toBe(START.getTime());
});

it('gives ids that ascend, within a millisecond and with a clock that goes back', () => {
  const ids = createUlidSource();
  const given = [at(0), at(0), at(0), at(5), at(3), at(3), at(6)].map((time) => ids.next(time));
  expect(given.toSorted()).toEqual(given);
  expect(new Set(given).size).toBe(given.length);
});

it('gives different ids from different sources at the same time', () => {
  const given = Array.from({ length: 100 }, () => createUlidSource().next(START));
  expect(new Set(given).size).toBe(100);
});
