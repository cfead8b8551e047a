import type { HoldfastErrorCode } from './errors.ts';
import type { Failure } from './finding.ts';
import type { RunOutcome } from './run.ts';
import type { TaskSize } from './stack-spec.ts';

/** Why a task ended, from its event or its description. */
export interface TaskEnd {
  /** `null` where the container never ran, or ECS does not say: never taken for 0. */
  readonly exitCode: number | null;
  /** Of the runner's container. */
  readonly containerReason: string | null;
  readonly stoppedReason: string | null;
  readonly stopCode: string | null;
}

/** How a run came to its end, as far as is known. */
export type RunEnding =
  | { readonly kind: 'stopped'; readonly end: TaskEnd }
  /** ECS remembers nothing of the task. */
  | { readonly kind: 'gone' }
  /** The task was told to stop and did not. */
  | { readonly kind: 'hung' }
  | { readonly kind: 'not-launched'; readonly reason: string }
  | { readonly kind: 'stack-removed' };

export type Lost = Extract<RunOutcome, { kind: 'lost' }>;

/** What `StopTask` is told, and by what the end of such a task is recognised. */
export const PAST_DEADLINE = 'holdfast: the run is past its deadline';

const STOPPED_BY_HAND = 'UserInitiated';
const TAKEN_BACK: readonly (string | null)[] = ['SpotInterruption', 'TerminationNotice', 'InfrastructureHealth'];

/** Why there is no result. Asked only where the runner left none. */
export function judgeEnding(ending: RunEnding, task: TaskSize): Lost {
  switch (ending.kind) {
    case 'stopped':
      return judgeTaskEnd(ending.end, task);
    case 'gone':
      return lost('TaskLost', 'the task is gone, ECS does not say why, and it left no result');
    case 'hung':
      return timedOut('the task ran past its deadline and did not stop when it was told to');
    case 'not-launched':
      return lost('LaunchFailed', `the task was not started: ${ending.reason}`);
    case 'stack-removed':
      return lost('StackRemoved', 'the stack left the catalogue while its run was in flight');
  }
}

/**
 * The order matters: a task that is stopped from outside gets a signal first and a kill after, so its container ends with
 * 137 as one that ran out of memory does.
 */
function judgeTaskEnd(end: TaskEnd, task: TaskSize): Lost {
  if (saysOutOfMemory(end)) return outOfMemory(task);
  if (end.stoppedReason === PAST_DEADLINE) return timedOut('the task ran past its deadline and was stopped');
  if (TAKEN_BACK.includes(end.stopCode)) return lost('Interrupted', `AWS took the capacity back: ${reasonOf(end)}`);
  if (end.stopCode === STOPPED_BY_HAND) return lost('UnexpectedExit', `the task was stopped: ${reasonOf(end)}`);
  if (end.exitCode === 137) return outOfMemory(task);
  if (end.exitCode === null) return lost('TaskNotStarted', `the runner never ran: ${reasonOf(end)}`);
  return lost('UnexpectedExit', `the runner exited with ${end.exitCode} and left no result: ${reasonOf(end)}`);
}

/**
 * Whether the end of the task explains a failure that the runner reports: a child that was killed for its memory looks
 * like a crash of Terraform to the runner, which lives on; and a stop from outside is an interruption to it.
 */
export function explainsFailure(ending: RunEnding, failure: Failure | null): boolean {
  if (ending.kind !== 'stopped') return false;
  const { end } = ending;
  const fromOutside = end.stopCode === STOPPED_BY_HAND || TAKEN_BACK.includes(end.stopCode);
  return saysOutOfMemory(end) || (fromOutside && failure?.code === 'Interrupted');
}

function saysOutOfMemory({ containerReason, stoppedReason }: TaskEnd): boolean {
  return [containerReason, stoppedReason].some((reason) => /out ?of ?memory/i.test(reason ?? ''));
}

function outOfMemory({ memoryMiB }: TaskSize): Lost {
  const lostRun = lost(
    'OutOfMemory',
    `the task ran out of memory: ${memoryMiB} MiB is not enough`,
    'raise task.memory',
  );
  return { ...lostRun, outOfMemory: true };
}

function timedOut(message: string): Lost {
  return lost('TimedOut', message, 'raise timeout, or look in the log for what it waits for');
}

function lost(code: HoldfastErrorCode, message: string, hint?: string): Lost {
  return { kind: 'lost', failure: { code, message, ...(hint === undefined ? {} : { hint }) }, outOfMemory: false };
}

function reasonOf({ containerReason, stoppedReason, stopCode }: TaskEnd): string {
  return containerReason ?? stoppedReason ?? stopCode ?? 'ECS gives no reason';
}
