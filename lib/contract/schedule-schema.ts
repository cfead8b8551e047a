import * as z from 'zod';
import { duration, TimeZone } from './catalogue-values.ts';

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
type Weekday = (typeof WEEKDAYS)[number];

const DAY = `(?:${WEEKDAYS.join('|')})`;
const TIME_SPAN = new RegExp(
  `^(?:(${DAY}(?:-${DAY})?(?:,${DAY}(?:-${DAY})?)*) )?((?:[01]\\d|2[0-3]):[0-5]\\d)-((?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$`,
);
const EXPECTED_SPAN = 'expected days and times such as "mon-fri 08:00-18:00", "sat,sun 00:00-24:00" or "22:00-06:00"';

/** `mon-fri 08:00-18:00`; without days: every day. A span whose end is not after its start runs into the next day. */
const TimeSpan = z
  .string(EXPECTED_SPAN)
  .regex(TIME_SPAN, EXPECTED_SPAN)
  .transform((text) => {
    const [, days = '', from = '', to = ''] = TIME_SPAN.exec(text) ?? [];
    return { days: days === '' ? [] : days.split(',').flatMap(daysOf), from, to: to === '24:00' ? '00:00' : to };
  });

function daysOf(range: string): Weekday[] {
  const [first = '', last = first] = range.split('-');
  const start = (WEEKDAYS as readonly string[]).indexOf(first);
  const length = ((WEEKDAYS as readonly string[]).indexOf(last) - start + 7) % 7;
  return [...WEEKDAYS, ...WEEKDAYS].slice(start, start + length + 1);
}

const EXPECTED_CRON = 'expected a cron expression such as "0 6 * * mon-fri"';
const Expression = z.string(EXPECTED_CRON).min(1, EXPECTED_CRON).describe('Five fields, such as "0 6 * * mon-fri".');
const Cron = z.union([
  Expression.transform((expression) => ({ expression })),
  z.strictObject({ expression: Expression, timezone: TimeZone.exactOptional() }),
]);

/** When a stack is checked. `cron` gives a list of expressions, durations give milliseconds. */
export const Schedule = z.strictObject({
  rate: duration({ least: '1m' }).describe('Check this often, such as 1h. Default: 1h.').exactOptional(),
  cron: z
    .union([Cron.transform((cron) => [cron]), z.array(Cron).min(1, 'expected at least one cron expression')])
    .describe('Check at these times; with rate: at these times as well.')
    .exactOptional(),
  timezone: TimeZone.exactOptional(),
  jitter: duration({ least: '0s', most: '1d' })
    .describe('Spread checks over this long after their time, by stack. Default: 0s.')
    .exactOptional(),
  windows: z
    .array(TimeSpan)
    .describe('Checks start only in these times, such as "mon-fri 08:00-18:00".')
    .exactOptional(),
  blackouts: z.array(TimeSpan).describe('Checks never start in these times.').exactOptional(),
});
