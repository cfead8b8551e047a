import { HoldfastError } from '../domain/errors.ts';
import type { RunRecord } from '../domain/run.ts';
import type { StackState } from '../domain/stack-state.ts';
import type { Clock } from '../ports/clock.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { StackStore } from '../ports/stack-store.ts';
import { triggerCheck } from './trigger-check.ts';

export interface AwaitCheckDeps {
  readonly stacks: StackStore;
  readonly runs: RunStore;
  readonly clock: Clock;
  /** Resolves after a while; rejects with the reason where the signal aborts first. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told when the run gets a step further. */
  readonly onStep: (step: CheckStep) => void;
}

export type CheckStep =
  /** The stack is marked; the dispatcher has not seen it yet. `behind`: a run that has to end first. */
  | { readonly kind: 'requested'; readonly behind: string | null }
  | { readonly kind: 'queued'; readonly runId: string }
  | { readonly kind: 'running'; readonly runId: string };

export interface AwaitCheckInput {
  readonly stackId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const POLL_MS = 1000;

/**
 * Asks for a check of a stack and waits until it has ended. Throws `StackNotFound`, also where the stack is removed
 * meanwhile, `TimedOut`, and the reason of the signal. The check goes on without us.
 */
export async function awaitCheck(deps: AwaitCheckDeps, input: AwaitCheckInput): Promise<RunRecord> {
  const { stackId, timeoutMs, signal } = input;
  const { state } = await triggerCheck(deps, { stackId });
  deps.onStep({ kind: 'requested', behind: state.inFlight?.runId ?? null });
  const earlier = new Set(runsIn(state));
  const latest = deps.clock.now().getTime() + timeoutMs;
  let seen: RunRecord['status'] | undefined;
  while (deps.clock.now().getTime() < latest) {
    const run = await findRequested(deps, stackId, earlier);
    if (run !== undefined && run.outcome !== null) return run;
    if (run !== undefined && run.status !== seen) {
      seen = run.status;
      deps.onStep({ kind: seen === 'queued' ? 'queued' : 'running', runId: run.runId });
    }
    await deps.wait(POLL_MS, signal);
  }
  throw new HoldfastError('TimedOut', `the check of ${stackId} has not ended yet`, {
    hint: `it goes on: "holdfast runs ${stackId}" tells how it ends`,
  });
}

/** The run that came of the request: the first one by hand that was not there before. */
async function findRequested(
  { stacks, runs }: AwaitCheckDeps,
  stackId: string,
  earlier: Set<string>,
): Promise<RunRecord | undefined> {
  const stack = await stacks.get(stackId);
  if (stack === undefined) throw new HoldfastError('StackNotFound', `stack ${stackId} left the catalogue`);
  for (const runId of runsIn(stack.state)) {
    if (earlier.has(runId)) continue;
    const run = await runs.get(runId);
    if (run?.trigger === 'manual') return run;
  }
  return undefined;
}

function runsIn({ inFlight, lastRunId }: StackState): readonly string[] {
  return [inFlight?.runId, lastRunId].filter((runId) => runId != null);
}
