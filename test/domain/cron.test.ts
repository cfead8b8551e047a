import { describe, expect, it } from 'vitest';
import { cronMistake, shortestGapMs } from '../../lib/domain/cron.ts';

const NOW = new Date('2026-03-02T09:00:00.000Z');
const MINUTE = 60_000;
const gap = (...expressions: readonly string[]) =>
  shortestGapMs(
    expressions.map((expression) => ({ expression, timezone: 'UTC' })),
    NOW,
  ) / MINUTE;

describe('cronMistake', () => {
  it.each(['0 6 * * mon-fri', '*/5 * * * *', '0 0 29 2 *', '0 0 L * *', ' 0 6 * * * ', '0 0 * * fri#2'])(
    'finds nothing wrong with %j',
    (expression) => {
      expect(cronMistake(expression, NOW)).toBeUndefined();
    },
  );

  it.each([
    ['0 0 30 2 *', 'never', 'no such date exists'],
    ['0 0 31 2,4,6,9,11 *', 'never', 'no such date exists'],
    ['* * * * * *', 'invalid', 'expected five fields'],
    ['@daily', 'invalid', 'expected five fields'],
    ['61 * * * *', 'invalid', 'Invalid value for minute: 61'],
    ['0 6 * * nonday', 'invalid', expect.stringContaining('illegal characters')],
    ['? 6 * * *', 'invalid', '"?" stands for no fixed time'],
  ])('fails on %j', (expression, kind, why) => {
    expect(cronMistake(expression, NOW)).toEqual({ kind, why });
  });
});

describe('shortestGapMs', () => {
  it.each([
    [['0 6 * * *'], 24 * 60],
    [['0,5 * * * *'], 5],
    [['0 * * * *', '10 * * * *'], 10],
    [['*/5 3 1 1 *'], 5],
    [['50 * * * *', '0 6 * * *'], 10],
    [['0 6 * * *', '0 6 * * *'], 24 * 60],
  ])('of %j is %d minutes', (expressions, minutes) => {
    expect(gap(...expressions)).toBe(minutes);
  });

  it('is endless without expressions, and without runs', () => {
    expect(gap()).toBe(Number.POSITIVE_INFINITY);
    expect(gap('0 0 30 2 *')).toBe(Number.POSITIVE_INFINITY);
  });

  it('counts in the time zones of the expressions', () => {
    const crons = [
      { expression: '0 6 * * *', timezone: 'Europe/Berlin' },
      { expression: '10 6 * * *', timezone: 'Europe/Paris' },
    ];

    expect(shortestGapMs(crons, NOW)).toBe(10 * MINUTE);
  });
});
