import { Cron } from 'croner';

export interface CronMistake {
  /** `never`: it can be read, and no such time will come. */
  readonly kind: 'invalid' | 'never';
  readonly why: string;
}

/** What is wrong with a cron expression of five fields; `undefined` where nothing is. */
export function cronMistake(expression: string, now: Date): CronMistake | undefined {
  if (!/^\S+(?:\s+\S+){4}$/.test(expression.trim())) return { kind: 'invalid', why: 'expected five fields' };
  // Croner puts the time of reading there, so the same catalogue would mean something else every minute.
  if (expression.includes('?')) return { kind: 'invalid', why: '"?" stands for no fixed time' };
  const cron = parse(expression);
  if (!(cron instanceof Cron)) return cron;
  return cron.nextRun(now) === null ? { kind: 'never', why: 'no such date exists' } : undefined;
}

function parse(expression: string): Cron | CronMistake {
  try {
    return new Cron(expression, { mode: '5-part', timezone: 'UTC' });
  } catch (error) {
    // The expression is all it gets, so whatever it throws is about that.
    return { kind: 'invalid', why: (error as Error).message.replace(/^CronPattern: /, '') };
  }
}

// More than any hour has minutes, so that every pair of neighbours within an hour is seen.
const RUNS = 70;

/** The shortest time between two runs of cron expressions taken together, in milliseconds, as far as the next ones show. */
export function shortestGapMs(
  crons: readonly { readonly expression: string; readonly timezone: string }[],
  now: Date,
): number {
  const runs = crons.map(({ expression, timezone }) =>
    new Cron(expression, { timezone }).nextRuns(RUNS, now).map((run) => run.getTime()),
  );
  // Beyond the end of the shortest list a missing run would pass for a gap.
  const end = Math.min(...runs.map((times) => times.at(-1) ?? Number.POSITIVE_INFINITY));
  const times = [...new Set(runs.flat())].filter((time) => time <= end).sort((left, right) => left - right);
  return Math.min(...times.slice(1).map((time, index) => time - (times[index] as number)));
}
