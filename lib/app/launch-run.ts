import { noteTask } from '../domain/claim.ts';
import type { RunRecord, RunSpec } from '../domain/run.ts';
import type { InFlight } from '../domain/stack-state.ts';
import { judgeEnding } from '../domain/task-end.ts';
import { taskFor } from '../domain/task-step-up.ts';
import type { StoredStack } from '../ports/stack-store.ts';
import type { LaunchOutcome, TaskLauncher } from '../ports/task-launcher.ts';
import { changeStack } from './change-stack.ts';
import { type RecordedRun, type RecordRunDeps, recordRun } from './record-run.ts';

export interface LaunchRunDeps extends RecordRunDeps {
  readonly launcher: TaskLauncher;
}

/** Why ECS takes no more tasks in this invocation; `null` while it does. One refusal for all: asking on makes a storm worse. */
export interface LaunchBrake {
  reason: string | null;
}

export interface LaunchRunInput {
  readonly stack: StoredStack;
  /** The claim that `stack` holds. */
  readonly inFlight: InFlight;
  readonly run: RunRecord;
  readonly brake: LaunchBrake;
}

export type LaunchedRun =
  | { readonly kind: 'started' }
  /** The run stays claimed: ECS may have started its task all the same, and only its own id finds that one again. */
  | { readonly kind: 'put-off'; readonly reason: string }
  | { readonly kind: 'refused'; readonly recorded: RecordedRun };

/** The record of a run that has just been claimed. */
export function newRun({ spec, state }: StoredStack, inFlight: InFlight): RunRecord {
  const { runId, trigger, attempt, startedAt, deadline } = inFlight;
  return {
    runId,
    stackId: spec.id,
    kind: 'check',
    trigger,
    attempt,
    status: 'queued',
    createdAt: startedAt,
    deadline,
    task: taskFor(spec, state.task),
    taskArn: null,
    finishedAt: null,
    outcome: null,
  };
}

/**
 * Starts the task of a claimed run whose record exists. Every step may be repeated: the same run writes the same spec,
 * and ECS answers the same id with the same task.
 */
export async function launchRun(deps: LaunchRunDeps, input: LaunchRunInput): Promise<LaunchedRun> {
  const { run, brake } = input;
  const outcome = await askForTask(deps, input);
  switch (outcome.kind) {
    case 'started':
      await noteStart(deps, input, outcome.taskArn);
      return { kind: 'started' };
    case 'retry':
      brake.reason = outcome.reason;
      return { kind: 'put-off', reason: outcome.reason };
    case 'refused': {
      const ending = { kind: 'not-launched', reason: outcome.reason } as const;
      return { kind: 'refused', recorded: await recordRun(deps, { runId: run.runId, ending }) };
    }
  }
}

async function askForTask(deps: LaunchRunDeps, input: LaunchRunInput): Promise<LaunchOutcome> {
  const { run, brake } = input;
  if (brake.reason !== null) return { kind: 'retry', reason: brake.reason };
  await deps.artifacts.putSpec(toRunSpec(input));
  const { runId, stackId, task } = run;
  return deps.launcher.launch({ runId, stackId, task });
}

function toRunSpec({ stack: { spec, state }, inFlight: { runId, deadline } }: LaunchRunInput): RunSpec {
  const { baseline } = state;
  return { schemaVersion: 1, runId, kind: 'check', stack: spec, catalogueCommit: null, baseline, deadline };
}

async function noteStart(deps: LaunchRunDeps, { stack, run }: LaunchRunInput, taskArn: string): Promise<void> {
  const { runId, stackId } = run;
  await deps.runs.started(runId, taskArn);
  const noted = await changeStack(deps.stacks, {
    stackId,
    known: stack,
    change: ({ state }) => noteTask(state, runId, taskArn),
  });
  if (noted.kind !== 'missing' && noted.stack.state.inFlight?.runId === runId) return;
  // It has ended already, or the stack was removed, or another dispatcher has given the run up: nobody would look after
  // its task, and the next run must not meet it.
  await deps.launcher.stop(taskArn, 'holdfast: the run is over');
  await deps.runs.finish(runId, judgeEnding({ kind: 'stack-removed' }, run.task), deps.clock.now());
}
