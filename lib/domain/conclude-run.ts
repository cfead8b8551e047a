import type { RunOutcome } from './run.ts';
import type { TaskSize } from './stack-spec.ts';
import type { InFlight, StackState } from './stack-state.ts';
import { suspensionOf } from './suspension.ts';
import { stepUp } from './task-step-up.ts';
import { recordOutcome, type Stack, type Transition } from './transition.ts';

export interface ConcludedRun {
  readonly runId: string;
  readonly outcome: RunOutcome;
  /** The size its task had. */
  readonly task: TaskSize;
}

/**
 * What a finished run makes of its stack. Two ends say nothing about the stack, so they are tried again without counting
 * as a failure or as an attempt: a task that ran out of memory, while there is a larger size, and one that lost its
 * capacity. Everything else is {@link recordOutcome}'s.
 */
export function concludeRun(stack: Stack, run: ConcludedRun, now: Date, newId: () => string): Transition {
  const { outcome, task } = run;
  const { inFlight } = stack.state;
  if (inFlight === null || inFlight.runId !== run.runId || outcome.kind === 'result') {
    return recordOutcome(stack, run, now, newId);
  }
  const larger = outcome.outOfMemory ? stepUp(task, stack.spec.task) : null;
  if (larger !== null) return { applied: true, state: { ...again(stack, inFlight, now, now), task: larger } };
  if (outcome.failure.code !== 'Interrupted') return recordOutcome(stack, run, now, newId);
  const due = new Date(now.getTime() + stack.spec.retry.backoffMs);
  return { applied: true, state: again(stack, inFlight, due, now) };
}

/** A check that somebody asked for meanwhile comes at once, and one of a suspended stack not at all. */
function again({ spec, state }: Stack, { runId, attempt }: InFlight, due: Date, now: Date): StackState {
  const landed: StackState = {
    ...state,
    version: state.version + 1,
    inFlight: null,
    lastCheckAt: now.toISOString(),
    lastRunId: runId,
    nextAttempt: 1,
    nextDueAt: null,
  };
  if (state.dueBecause === 'manual') return { ...landed, nextDueAt: now.toISOString() };
  if (suspensionOf({ spec, state }) !== null) return landed;
  return { ...landed, dueBecause: 'retry', nextAttempt: attempt, nextDueAt: due.toISOString() };
}
