import { listStacks } from '../app/list-stacks.ts';
import { triggerCheck } from '../app/trigger-check.ts';
import type { Clock } from '../ports/clock.ts';
import type { StackStore, StoredStack } from '../ports/stack-store.ts';
import { type DisturbDeps, disturb } from './demo-disturb.ts';
import { restore } from './demo-restore.ts';

export interface DemoStoryDeps extends DisturbDeps {
  readonly stacks: StackStore;
  readonly clock: Clock;
  /** Whether the stacks are disturbed: the story may be interrupted, and goes on the next time. */
  readonly mark: { get(): Promise<boolean>; set(disturbed: boolean): Promise<void> };
  readonly say: (line: string) => void;
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** `natural`: checks come by their schedule. `fast`: they are asked for. */
  readonly pace: 'natural' | 'fast';
}

/** Stacks whose drift is found. */
const DRIFTED = ['dev/messaging', 'prod/messaging', 'staging/messaging'];

const POLL_MS = 500;

/** How long drift stands before somebody undoes it, so that people get to look at it. */
const STANDS_MS = 90_000;

/**
 * What happens to the stacks of the demo: they are in sync, somebody changes things, Holdfast finds out, somebody puts
 * them back, Holdfast sees that too. Rejects with the reason of the signal.
 */
export async function tellStory(deps: DemoStoryDeps, signal: AbortSignal): Promise<void> {
  const { say, mark, pace } = deps;
  if (!(await mark.get())) {
    await until(deps, signal, (stacks) => stacks.length > 0);
    await check(deps);
    await until(deps, signal, (stacks) => stacks.every(isInSync));
    say('\nAll stacks are in sync. Now things happen behind the back of Terraform:');
    await mark.set(true);
    for (const deed of await disturb(deps)) say(`  ${deed}`);
    say('The next checks find out.\n');
  }
  if (pace === 'fast') await check(deps);
  await until(deps, signal, (stacks) => DRIFTED.every((id) => stacks.some((stack) => hasDrift(stack, id))));
  if (pace === 'natural') {
    say('\nThat is drift: "holdfast status" shows it. In a minute and a half somebody puts everything back.\n');
    await deps.wait(STANDS_MS, signal);
  }
  say('\nSomebody puts everything back:');
  for (const deed of await restore(deps)) say(`  ${deed}`);
  await mark.set(false);
  say('');
  if (pace === 'fast') await check(deps);
  await until(deps, signal, (stacks) => stacks.every(isInSync));
  say('\nEverything is in sync again.');
}

/** They would come within a minute, and nobody likes to wait for the first ones. */
async function check(deps: DemoStoryDeps): Promise<void> {
  for (const { spec } of await listStacks(deps)) await triggerCheck(deps, { stackId: spec.id });
}

function isInSync({ state: { verdict, episode, inFlight, dueBecause } }: StoredStack): boolean {
  return verdict === 'in-sync' && episode === null && inFlight === null && dueBecause === null;
}

function hasDrift({ spec, state }: StoredStack, id: string): boolean {
  return spec.id === id && state.episode !== null;
}

async function until(
  deps: DemoStoryDeps,
  signal: AbortSignal,
  holds: (stacks: readonly StoredStack[]) => boolean,
): Promise<void> {
  while (!holds(await listStacks(deps))) await deps.wait(POLL_MS, signal);
}
