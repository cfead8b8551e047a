import { describe, expect, it } from 'vitest';
import { atUtc, briefly, exactly, since } from '../../lib/cli/relative-time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('briefly', () => {
  it.each([
    [-5 * SECOND, '0s'],
    [0, '0s'],
    [40 * SECOND, '40s'],
    [119 * SECOND, '119s'],
    [2 * MINUTE, '2m'],
    [119 * MINUTE, '119m'],
    [2 * HOUR, '2h'],
    [47 * HOUR, '47h'],
    [2 * DAY, '2d'],
    [400 * DAY, '400d'],
  ])('tells %d ms as %s', (ms, text) => {
    expect(briefly(ms)).toBe(text);
  });
});

describe('exactly', () => {
  it.each([
    [90 * SECOND, '90s'],
    [MINUTE, '1m'],
    [90 * MINUTE, '90m'],
    [HOUR, '1h'],
    [36 * HOUR, '36h'],
    [DAY, '1d'],
    [0, '0s'],
  ])('tells %d ms as %s', (ms, text) => {
    expect(exactly(ms)).toBe(text);
  });
});

it('counts from a moment to now', () => {
  expect(since('2026-03-02T09:00:00.000Z', new Date('2026-03-02T09:12:30.000Z'))).toBe('12m');
});

it('tells moments in UTC', () => {
  expect(atUtc('2026-03-02T10:30:05.123+01:00')).toBe('2026-03-02 09:30:05');
});
