import { type TimeSpan, WEEKDAYS } from './stack-spec.ts';

const MINUTES_PER_DAY = 24 * 60;
const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;

/** True where the moment lies in the span, in the span's own time zone. A span belongs to the day on which it starts. */
export function contains(span: TimeSpan, at: Date): boolean {
  return minutesUntilEnd(span, at) > 0;
}

/** Minutes until the span ends, counted on the wall clock; 0 where the moment is outside. */
export function minutesUntilEnd(span: TimeSpan, at: Date): number {
  const now = minuteOfWeek(at, span.timezone);
  const lengths = startsOf(span).map((start) => lengthOf(span) - distance(start, now));
  return Math.max(0, ...lengths);
}

/** Minutes until the span starts next, counted on the wall clock; only asked outside of it. */
export function minutesUntilStart(span: TimeSpan, at: Date): number {
  const now = minuteOfWeek(at, span.timezone);
  return Math.min(...startsOf(span).map((start) => distance(now, start)));
}

function startsOf({ days, from }: TimeSpan): number[] {
  const wanted = days.length === 0 ? WEEKDAYS : days;
  return wanted.map((day) => WEEKDAYS.indexOf(day) * MINUTES_PER_DAY + minuteOfDay(from));
}

/** `to` at or before `from` runs into the next day. */
function lengthOf({ from, to }: TimeSpan): number {
  const length = minuteOfDay(to) - minuteOfDay(from);
  return length > 0 ? length : length + MINUTES_PER_DAY;
}

function minuteOfDay(time: string): number {
  const [hours, minutes] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

/** From one minute of the week forward to another, round the end of the week. */
function distance(from: number, to: number): number {
  return (to - from + MINUTES_PER_WEEK) % MINUTES_PER_WEEK;
}

function minuteOfWeek(at: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string) => String(parts.find((candidate) => candidate.type === type)?.value).toLowerCase();
  const day = (WEEKDAYS as readonly string[]).indexOf(part('weekday'));
  return day * MINUTES_PER_DAY + Number(part('hour')) * 60 + Number(part('minute'));
}
