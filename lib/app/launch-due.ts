import { claimRun, isDue } from '../domain/claim.ts';
import { accountOf, type LaunchPlan, planLaunches, postponed } from '../domain/launch-plan.ts';
import type { StackState } from '../domain/stack-state.ts';
import { noteOverdue } from '../domain/transition.ts';
import type { StackStore, StoredStack } from '../ports/stack-store.ts';
import { changeStack } from './change-stack.ts';
import { type LaunchBrake, type LaunchedRun, type LaunchRunDeps, launchRun, newRun } from './launch-run.ts';
import { type Settled, settleAll } from './settle-all.ts';

export interface LaunchDueInput {
  /** Runs to start now. */
  readonly mostLaunches: number;
  /** Runs at the same time, over all stacks. */
  readonly mostConcurrent: number;
  /** Runs at the same time in one account; `null`: no limit of its own. */
  readonly mostPerAccount: number | null;
  /** When to begin no more. */
  readonly stopAt: Date;
  readonly brake: LaunchBrake;
}

export type LaunchedStack = LaunchedRun | { readonly kind: 'skipped' };

/** RunTask takes 20 calls a second, bursts apart. A launch with its writes takes about half a second: 8 at once are 16. */
const LAUNCHES_AT_ONCE = 8;
const READS_AT_ONCE = 25;

/** Due stacks to look at beyond those there is room for: some of the first in line may have to wait. */
const LOOK_AHEAD = 4;
const LEAST_LOOKED_AT = 250;

/** By then every run is past its deadline: the index of runs to watch, asked for all it has. */
const END_OF_TIME = new Date('9999-12-31T00:00:00.000Z');

/** Claims and starts the checks that are due, as far as there is room. */
export async function launchDue(deps: LaunchRunDeps, input: LaunchDueInput): Promise<Settled<LaunchedStack>> {
  const now = deps.clock.now();
  const inFlight = await deps.stacks.stuck(END_OF_TIME, input.mostConcurrent);
  const room = Math.min(input.mostLaunches, input.mostConcurrent - inFlight.length);
  if (room <= 0 || input.brake.reason !== null) return { results: [], errors: [] };

  const ids = await deps.stacks.due(now, Math.max(room * LOOK_AHEAD, LEAST_LOOKED_AT));
  const due = await readStacks(deps.stacks, ids);
  const busy = await readStacks(deps.stacks, input.mostPerAccount === null ? [] : inFlight);
  const dependencies = await readDependencies(deps.stacks, due.results);
  const plan = planLaunches({
    due: inOrder(due.results, dependencies.results, now),
    dependencies: new Map(dependencies.results.map(({ spec, state }) => [spec.id, state])),
    busyAccounts: busy.results.map(({ spec }) => accountOf(spec)),
    limits: { room, perAccount: input.mostPerAccount },
    now,
  });
  const launched = await settleAll({
    items: plan.launch,
    concurrency: LAUNCHES_AT_ONCE,
    work: (stack) => claimAndLaunch(deps, stack, input),
  });
  const rest = await noteRest(deps.stacks, due.results, plan, now);
  const errors = [due, busy, dependencies, launched, rest].flatMap((settled) => settled.errors);
  return { results: launched.results, errors };
}

/** In the order of their ids, without those that are gone. */
async function readStacks(stacks: StackStore, ids: readonly string[]): Promise<Settled<StoredStack>> {
  const work = (stackId: string) => stacks.get(stackId);
  const { results, errors } = await settleAll({ items: ids, concurrency: READS_AT_ONCE, work });
  return { results: results.filter((stack) => stack !== undefined), errors };
}

/** All that the due stacks depend on, themselves included, as far as one that is due waits for another. */
async function readDependencies(
  stacks: StackStore,
  due: readonly StoredStack[],
  known: ReadonlyMap<string, StoredStack> = new Map(due.map((stack) => [stack.spec.id, stack])),
): Promise<Settled<StoredStack>> {
  const wanted = new Set(due.flatMap(({ spec }) => spec.dependsOn).filter((id) => !known.has(id)));
  if (wanted.size === 0) return { results: [...known.values()], errors: [] };
  const read = await readStacks(stacks, [...wanted]);
  const all = new Map([...known, ...read.results.map((stack) => [stack.spec.id, stack] as const)]);
  const further = await readDependencies(stacks, read.results, all);
  return { results: further.results, errors: [...read.errors, ...further.errors] };
}

/**
 * Due stacks that others wait for come first, wherever the index has them: behind many that wait they would not be seen,
 * and those would wait for nothing.
 */
function inOrder(due: readonly StoredStack[], related: readonly StoredStack[], now: Date): readonly StoredStack[] {
  const needed = new Set(related.flatMap(({ spec }) => spec.dependsOn));
  const first = related.filter(({ spec, state }) => needed.has(spec.id) && isDue(state, now));
  return [...first, ...due.filter((stack) => !first.includes(stack))];
}

async function claimAndLaunch(deps: LaunchRunDeps, stack: StoredStack, input: LaunchDueInput): Promise<LaunchedStack> {
  const { brake, stopAt } = input;
  const now = deps.clock.now();
  if (brake.reason !== null || now >= stopAt) return { kind: 'skipped' };
  const claimed = claim(stack, deps.ids.next(now), now);
  const { inFlight } = claimed;
  // A conflict: somebody else has it.
  if (inFlight === null || (await deps.stacks.saveState(claimed)) === 'conflict') return { kind: 'skipped' };
  const claimedStack = { spec: stack.spec, state: claimed };
  const run = newRun(claimedStack, inFlight);
  await deps.runs.create(run);
  return launchRun(deps, { stack: claimedStack, inFlight, run, brake });
}

function claim(stack: StoredStack, runId: string, now: Date): StackState {
  const { spec, state } = stack;
  return { ...claimRun({ spec, state: noteOverdue(stack, now) }, { runId, now }), version: state.version + 1 };
}

/** Stacks that stay where they are may be overdue, and those that step aside have to be told so. */
function noteRest(
  stacks: StackStore,
  due: readonly StoredStack[],
  { launch, postpone }: LaunchPlan,
  now: Date,
): Promise<Settled<unknown>> {
  const launching = new Set(launch.map(({ spec }) => spec.id));
  const putOff = new Map(postpone.map(({ stack, until }) => [stack.spec.id, until]));
  return settleAll({
    items: due.filter(({ spec }) => !launching.has(spec.id)),
    concurrency: READS_AT_ONCE,
    work: (known) =>
      changeStack(stacks, {
        stackId: known.spec.id,
        known,
        change: (stack) => {
          const noted = noteOverdue(stack, now);
          const until = putOff.get(known.spec.id);
          return until === undefined || !isDue(stack.state, now) ? noted : postponed(noted, until);
        },
      }),
  });
}
