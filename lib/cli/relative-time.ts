const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in its largest unit, as people compare them at a glance: `40s`, `12m`, `3h`, `5d`. */
export function briefly(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 2 * HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  return seconds < 2 * DAY ? `${Math.floor(seconds / HOUR)}h` : `${Math.floor(seconds / DAY)}d`;
}

/** A length of time that somebody chose, in the largest unit that gives it whole: `90s`, `30m`, `1h`. */
export function exactly(ms: number): string {
  const seconds = ms / 1000;
  const [unit, length] = UNITS.find(([, each]) => seconds > 0 && seconds % each === 0) ?? ['s', 1];
  return `${seconds / length}${unit}`;
}

const UNITS = [
  ['d', DAY],
  ['h', HOUR],
  ['m', MINUTE],
] as const;

/** How long a moment is past. */
export function since(time: string, now: Date): string {
  return briefly(now.getTime() - Date.parse(time));
}

/** A moment in full, UTC: `2026-11-30 16:40:02`. */
export function atUtc(time: string): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}
