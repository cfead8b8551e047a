import type { ScheduleSettings } from './catalogue-content.ts';
import type { FieldReader } from './catalogue-fields.ts';
import type { Schedule, TimeSpan, Timing } from './stack-spec.ts';

const EVERY_HOUR: ScheduleSettings = { rate: 3_600_000 };

/** When a stack is checked. Who gives a rate or cron times replaces both; the rest of a schedule is taken by field. */
export function readTiming(reader: FieldReader): Timing {
  const times = reader.value(['schedule'], ({ schedule }) => (hasTimes(schedule) ? schedule : undefined), EVERY_HOUR);
  const timezone = reader.value(['schedule', 'timezone'], ({ schedule }) => schedule?.timezone, 'UTC');
  const spans = (field: 'windows' | 'blackouts'): readonly TimeSpan[] =>
    reader.value(['schedule', field], ({ schedule }) => schedule?.[field], []).map((span) => ({ ...span, timezone }));
  return {
    schedules: schedulesOf(times, timezone),
    jitterMs: reader.value(['schedule', 'jitter'], ({ schedule }) => schedule?.jitter, 0),
    windows: spans('windows'),
    blackouts: spans('blackouts'),
  };
}

function hasTimes(schedule: ScheduleSettings | undefined): boolean {
  return schedule?.rate !== undefined || schedule?.cron !== undefined;
}

function schedulesOf({ rate, cron = [] }: ScheduleSettings, timezone: string): readonly Schedule[] {
  return [
    ...(rate === undefined ? [] : [{ kind: 'rate', everyMs: rate } as const]),
    ...cron.map(({ expression, timezone: own = timezone }) => ({ kind: 'cron', expression, timezone: own }) as const),
  ];
}
