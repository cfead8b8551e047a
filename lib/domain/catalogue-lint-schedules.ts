import { type CatalogueContent, type Declared, type StackSettings, settingsOf, within } from './catalogue-content.ts';
import { type CatalogueProblem, errorAt, tellTogether } from './catalogue-problem.ts';
import { type CronMistake, cronMistake, shortestGapMs } from './cron.ts';
import { isProduction } from './production.ts';
import { remember } from './remember.ts';
import { placeOfField, type ResolvedStack } from './resolved-stack.ts';
import { nextDueAt } from './schedule.ts';
import type { StackSpec, Timing } from './stack-spec.ts';

const LEAST_MINUTES = 30;

/** Schedules that can't be read, that never come to a check, or that leave no time to think before production changes. */
export function lintSchedules(
  content: CatalogueContent,
  stacks: readonly ResolvedStack[],
  now: Date,
): readonly CatalogueProblem[] {
  const mistakeOf = remember((expression) => cronMistake(expression, now));
  const mistakes = settingsOf(content).flatMap((settings) => cronMistakes(settings, mistakeOf));
  const readable = stacks.filter(({ spec }) =>
    cronsOf(spec.timing).every(({ expression }) => mistakeOf(expression) === undefined),
  );
  return [...mistakes, ...neverChecked(readable, now), ...tooOften(readable, now)];
}

function cronsOf({ schedules }: Timing) {
  return schedules.filter((schedule) => schedule.kind === 'cron');
}

function cronMistakes(
  { value: { schedule }, place }: Declared<StackSettings>,
  mistakeOf: (expression: string) => CronMistake | undefined,
): readonly CatalogueProblem[] {
  return (schedule?.cron ?? []).flatMap(({ expression }, index) => {
    const mistake = mistakeOf(expression);
    if (mistake === undefined) return [];
    const { kind, why } = mistake;
    return errorAt(within(place, 'schedule', 'cron', index), {
      code: kind === 'never' ? 'cron-never-fires' : 'cron-invalid',
      message: `cron expression "${expression}" ${kind === 'never' ? 'never fires' : 'is not understood'}: ${why}`,
      hint: 'Five fields: minute, hour, day of the month, month, day of the week. Such as "0 6 * * mon-fri".',
    });
  });
}

/** All schedules fire by now, so what keeps checks from starting are windows and blackouts. */
function neverChecked(stacks: readonly ResolvedStack[], now: Date): readonly CatalogueProblem[] {
  const isNever = remember((timing) => nextDueAt(JSON.parse(timing) as Timing, '', now) === null);
  const never = stacks.filter(({ spec }) => isNever(JSON.stringify(spec.timing)));
  const placeOf = (stack: ResolvedStack) => placeOfField(stack, 'schedule.blackouts', 'schedule.windows');
  return tellTogether(never, placeOf, (place, who) =>
    errorAt(place, {
      code: 'never-checked',
      message: `no check of ${who} can ever start: blackouts cover every window`,
      hint: 'Leave some time between blackouts. To stop checks for a while write suspend: and why.',
    }),
  );
}

function tooOften(stacks: readonly ResolvedStack[], now: Date): readonly CatalogueProblem[] {
  const intervalOf = remember((timing) => shortestInterval(JSON.parse(timing) as Timing, now));
  const minutesOf = ({ spec }: ResolvedStack) => Math.floor(intervalOf(JSON.stringify(spec.timing)) / 60_000);
  const risky = stacks.filter(
    (stack) => isAutomatic(stack.spec) && isProduction(stack.spec) && minutesOf(stack) < LEAST_MINUTES,
  );
  const placeOf = (stack: ResolvedStack) => placeOfField(stack, 'remediation.mode');
  return tellTogether(risky, placeOf, (place, who, stack) =>
    errorAt(place, {
      code: 'interval-too-short',
      message: `production must not remediate by itself every ${minutesOf(stack)} minutes (${who})`,
      hint: `Check at most every ${LEAST_MINUTES} minutes, or ask: remediation: { mode: approve }. What is no production gets a label such as environment:test.`,
    }),
  );
}

function isAutomatic({ remediation }: StackSpec): boolean {
  return remediation.mode === 'auto' || remediation.mode === 'auto-minor';
}

function shortestInterval(timing: Timing, now: Date): number {
  const rates = timing.schedules.flatMap((schedule) => (schedule.kind === 'rate' ? schedule.everyMs : []));
  return Math.min(...rates, shortestGapMs(cronsOf(timing), now));
}
