import { nextDueAt } from './schedule.ts';
import type { StackSpec } from './stack-spec.ts';
import type { StackState } from './stack-state.ts';
import { suspensionOf } from './suspension.ts';
import type { Stack } from './transition.ts';

/** A stack with more unpublished events than this gets no new check: the table item must stay small, and nothing be lost. */
export const MOST_QUEUED_EVENTS = 20;

/** Beyond its own timeout a run may take this long to be placed, to pull its image and to store its result. */
const OVERHEAD_MS = 10 * 60_000;

/** A stack nobody has checked yet. */
export function initialState(spec: StackSpec, now: Date): StackState {
  return {
    stackId: spec.id,
    version: 1,
    verdict: null,
    since: null,
    createdAt: now.toISOString(),
    suspended: null,
    resumedAt: null,
    lastCheckAt: null,
    lastGoodCheckAt: null,
    nextDueAt: spec.suspended === null ? (nextDueAt(spec.timing, spec.id, now)?.toISOString() ?? null) : null,
    dueBecause: null,
    nextAttempt: 1,
    inFlight: null,
    episode: null,
    failures: 0,
    failingAnnounced: false,
    overdueAnnounced: false,
    baseline: null,
    task: null,
    lastSummary: null,
    lastRunId: null,
    // Grows with time: a stack that was removed and comes back must not repeat numbers that consumers have seen.
    sequence: now.getTime(),
    outbox: [],
  };
}

export function isDue({ nextDueAt: due, inFlight, outbox }: StackState, now: Date): boolean {
  return inFlight === null && due !== null && Date.parse(due) <= now.getTime() && outbox.length <= MOST_QUEUED_EVENTS;
}

/** The stack with a run in flight. To be saved before anything is started: whoever saves first has the stack. */
export function claimRun(
  { spec, state }: Stack,
  { runId, now }: { readonly runId: string; readonly now: Date },
): StackState {
  return {
    ...state,
    version: state.version + 1,
    nextDueAt: null,
    dueBecause: null,
    inFlight: {
      runId,
      trigger: state.dueBecause ?? 'schedule',
      attempt: state.nextAttempt,
      startedAt: now.toISOString(),
      deadline: new Date(now.getTime() + spec.timeoutMs + OVERHEAD_MS).toISOString(),
      taskArn: null,
    },
  };
}

/** The stack with the task that ECS started for its run; unchanged where the run is not in flight any more. */
export function noteTask(state: StackState, runId: string, taskArn: string): StackState {
  if (state.inFlight === null || state.inFlight.runId !== runId || state.inFlight.taskArn === taskArn) return state;
  return { ...state, version: state.version + 1, inFlight: { ...state.inFlight, taskArn } };
}

/** Somebody asks for a check: at once, or right after the one that runs. */
export function requestCheck(state: StackState, now: Date): StackState {
  const requested = { ...state, version: state.version + 1, dueBecause: 'manual' } as const;
  return state.inFlight === null ? { ...requested, nextAttempt: 1, nextDueAt: now.toISOString() } : requested;
}

/** The due time that a new or changed spec gives a stack; a run in flight and a requested check stay. */
export function reschedule({ spec, state }: Stack, now: Date): StackState {
  if (state.inFlight !== null || state.dueBecause === 'manual') return state;
  const due = suspensionOf({ spec, state }) === null ? nextDueAt(spec.timing, spec.id, now) : null;
  return {
    ...state,
    version: state.version + 1,
    nextAttempt: 1,
    dueBecause: null,
    nextDueAt: due?.toISOString() ?? null,
  };
}
