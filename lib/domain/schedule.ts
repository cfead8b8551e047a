import { Cron } from 'croner';
import type { Schedule, Timing } from './stack-spec.ts';
import { contains, minutesUntilEnd, minutesUntilStart } from './time-span.ts';

const MINUTE_MS = 60_000;

/**
 * When a stack is due next, strictly after a moment: the earliest time of its schedules, moved out of blackouts and into
 * a window. `null` where no schedule ever fires again, or no window is ever open.
 *
 * Stacks spread by a hash of their ids: a rate starts anywhere in its interval, a cron time is late by up to the jitter.
 */
export function nextDueAt(timing: Timing, stackId: string, after: Date): Date | null {
  const times = timing.schedules.flatMap((schedule) => nextOf(schedule, timing.jitterMs, stackId, after) ?? []);
  if (times.length === 0) return null;
  return nextAllowed(timing, new Date(Math.min(...times)));
}

/** Whether a check may start at a moment. */
export function allowedAt({ windows, blackouts }: Timing, at: Date): boolean {
  const open = windows.length === 0 || windows.some((window) => contains(window, at));
  return open && !blackouts.some((blackout) => contains(blackout, at));
}

/** The moment itself where a check may start then, else the next one at which it may. */
export function nextAllowed(timing: Timing, at: Date): Date | null {
  const last = at.getTime() + 15 * 24 * 60 * MINUTE_MS;
  for (let time = at.getTime(); time <= last; ) {
    const candidate = new Date(time);
    if (allowedAt(timing, candidate)) return candidate;
    const minutes = minutesToNextBorder(timing, candidate);
    // Wall clocks jump by an hour at most: a long way stops short of the border, so that no jump can carry over it.
    const step = minutes > 60 ? minutes - 60 : minutes;
    time = Math.floor(time / MINUTE_MS) * MINUTE_MS + step * MINUTE_MS;
  }
  return null;
}

function minutesToNextBorder({ windows, blackouts }: Timing, at: Date): number {
  const blocked = Math.max(0, ...blackouts.map((blackout) => minutesUntilEnd(blackout, at)));
  return blocked > 0 ? blocked : Math.min(...windows.map((window) => minutesUntilStart(window, at)));
}

function nextOf(schedule: Schedule, jitterMs: number, stackId: string, after: Date): number | undefined {
  if (schedule.kind === 'rate') {
    const phase = spread(stackId, schedule.everyMs);
    return Math.floor((after.getTime() - phase) / schedule.everyMs + 1) * schedule.everyMs + phase;
  }
  const delay = spread(stackId, jitterMs);
  const { expression, timezone } = schedule;
  const next = new Cron(expression, { timezone }).nextRun(new Date(after.getTime() - delay));
  return next === null ? undefined : next.getTime() + delay;
}

/** A number below `range` that is the same for a stack every time. */
function spread(stackId: string, range: number): number {
  return range === 0 ? 0 : hash(stackId) % range;
}

/** FNV-1a, 32 bits: stable everywhere and even enough for spreading. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}
