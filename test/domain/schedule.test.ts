import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedAt, hash, nextAllowed, nextDueAt } from '../../lib/domain/schedule.ts';
import type { TimeSpan } from '../../lib/domain/stack-spec.ts';
import { aTiming, HOUR } from '../support/stack-builder.ts';

const at = (text: string) => new Date(text);
const cron = (expression: string, timezone = 'UTC') => aTiming({ schedules: [{ kind: 'cron', expression, timezone }] });
const span = (over: Partial<TimeSpan>): TimeSpan => ({
  days: [],
  from: '08:00',
  to: '18:00',
  timezone: 'UTC',
  ...over,
});

describe('nextDueAt', () => {
  it('keeps a rate at the same place of every interval', () => {
    const first = nextDueAt(aTiming(), 'a', at('2026-03-02T09:00:00Z')) as Date;
    expect(nextDueAt(aTiming(), 'a', first)?.getTime()).toBe(first.getTime() + HOUR);
    expect(nextDueAt(aTiming(), 'a', new Date(first.getTime() + 1))?.getTime()).toBe(first.getTime() + HOUR);
  });

  it('spreads stacks over the interval', () => {
    const minutes = Array.from({ length: 1000 }, (_, i) =>
      nextDueAt(aTiming(), `stack-${i}`, at('2026-03-02T09:00:00Z'))?.getUTCMinutes(),
    );
    const busiest = Math.max(
      ...Map.groupBy(minutes, (minute) => minute)
        .values()
        .map((members) => members.length),
    );
    expect(busiest).toBeLessThan(40);
  });

  it('reads cron in its time zone, through the change of clocks', () => {
    const berlin = cron('30 6 * * *', 'Europe/Berlin');
    expect(nextDueAt(berlin, 'a', at('2026-03-28T00:00:00Z'))).toEqual(at('2026-03-28T05:30:00Z'));
    expect(nextDueAt(berlin, 'a', at('2026-03-29T00:00:00Z'))).toEqual(at('2026-03-29T04:30:00Z'));
  });

  it('delays cron times by up to the jitter, and never skips one', () => {
    const timing = { ...cron('0 * * * *'), jitterMs: 10 * 60_000 };
    const first = nextDueAt(timing, 'prod/network', at('2026-03-02T09:00:00Z')) as Date;
    expect(first.getTime() - at('2026-03-02T09:00:00Z').getTime()).toBe(hash('prod/network') % (10 * 60_000));
    expect(nextDueAt(timing, 'prod/network', first)?.getTime()).toBe(first.getTime() + HOUR);
  });

  it('takes the earliest of several schedules', () => {
    const both = aTiming({ schedules: [...cron('0 12 * * *').schedules, ...cron('0 10 * * *').schedules] });
    expect(nextDueAt(both, 'a', at('2026-03-02T09:00:00Z'))).toEqual(at('2026-03-02T10:00:00Z'));
    expect(nextDueAt(both, 'a', at('2026-03-02T10:00:00Z'))).toEqual(at('2026-03-02T12:00:00Z'));
  });

  it.each([
    ['no schedule', aTiming({ schedules: [] })],
    ['a cron time that has passed for good', cron('0 0 10 1 1 * 2020')],
    [
      'windows that are never open',
      { ...aTiming(), windows: [span({})], blackouts: [span({ from: '00:00', to: '00:00' })] },
    ],
  ])('is null for %s', (_, timing) => {
    expect(nextDueAt(timing, 'a', at('2026-03-02T09:00:00Z'))).toBeNull();
  });

  it('is always after the moment, allowed, and the same again', () => {
    const clock = fc.integer({ min: 0, max: 23 }).map((hour) => `${String(hour).padStart(2, '0')}:30`);
    const spans = fc.array(
      fc.record({
        days: fc.subarray(['mon', 'wed', 'sat', 'sun'] as const),
        from: clock,
        to: clock,
        timezone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kolkata'),
      }),
      { maxLength: 2 },
    );
    fc.assert(
      fc.property(
        spans,
        spans,
        fc.date({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z'), noInvalidDate: true }),
        (windows, blackouts, after) => {
          const timing = aTiming({ windows, blackouts });
          const next = nextDueAt(timing, 'a', after);
          if (next === null) return;
          expect(next.getTime()).toBeGreaterThan(after.getTime());
          expect(allowedAt(timing, next)).toBe(true);
          expect(nextDueAt(timing, 'a', after)).toEqual(next);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('windows and blackouts', () => {
  it.each([
    ['inside a window', { windows: [span({})] }, '2026-03-02T12:00:00Z', true],
    ['at the start of a window', { windows: [span({})] }, '2026-03-02T08:00:00Z', true],
    ['at the end of a window', { windows: [span({})] }, '2026-03-02T18:00:00Z', false],
    ['on another day', { windows: [span({ days: ['tue'] })] }, '2026-03-02T12:00:00Z', false],
    [
      'after midnight of a window that began the day before',
      { windows: [span({ days: ['sun'], from: '22:00', to: '04:00' })] },
      '2026-03-02T03:00:00Z',
      true,
    ],
    [
      'after midnight of the same window a day later',
      { windows: [span({ days: ['sun'], from: '22:00', to: '04:00' })] },
      '2026-03-03T03:00:00Z',
      false,
    ],
    ['inside a blackout', { blackouts: [span({})] }, '2026-03-02T12:00:00Z', false],
    [
      'inside both',
      { windows: [span({})], blackouts: [span({ from: '12:00', to: '13:00' })] },
      '2026-03-02T12:30:00Z',
      false,
    ],
    ['in another time zone', { windows: [span({ timezone: 'America/New_York' })] }, '2026-03-02T12:30:00Z', false],
    ['all day', { windows: [span({ from: '00:00', to: '00:00' })] }, '2026-03-02T23:59:00Z', true],
    ['without any', {}, '2026-03-02T12:00:00Z', true],
  ])('decide %s', (_, over, time, expected) => {
    expect(allowedAt(aTiming(over), at(time))).toBe(expected);
  });

  it.each([
    ['waits for the window', { windows: [span({})] }, '2026-03-02T03:00:30Z', '2026-03-02T08:00:00Z'],
    ['waits over the week-end', { windows: [span({ days: ['mon'] })] }, '2026-03-02T18:00:00Z', '2026-03-09T08:00:00Z'],
    ['waits for the end of the blackout', { blackouts: [span({})] }, '2026-03-02T12:00:00Z', '2026-03-02T18:00:00Z'],
    [
      'waits for both',
      { windows: [span({})], blackouts: [span({ from: '07:00', to: '09:00' })] },
      '2026-03-02T05:00:00Z',
      '2026-03-02T09:00:00Z',
    ],
    [
      'finds the window when the clock jumps',
      { windows: [span({ from: '03:00', to: '04:00', timezone: 'Europe/Berlin' })] },
      '2026-03-28T23:30:00Z',
      '2026-03-29T01:00:00Z',
    ],
  ])('move a check: %s', (_, over, time, expected) => {
    expect(nextAllowed(aTiming(over), at(time))).toEqual(at(expected));
  });
});
