import { noteTask } from '../domain/claim.ts';
import type { InFlight } from '../domain/stack-state.ts';
import { PAST_DEADLINE, type RunEnding } from '../domain/task-end.ts';
import type { StoredStack } from '../ports/stack-store.ts';
import { changeStack } from './change-stack.ts';
import { type LaunchBrake, type LaunchRunDeps, type LaunchRunInput, launchRun, newRun } from './launch-run.ts';
import { type RecordedRun, readReport, recordRun } from './record-run.ts';
import { type Settled, settleAll } from './settle-all.ts';

export interface ReconcileRunsInput {
  /** Runs to look at. */
  readonly limit: number;
  readonly brake: LaunchBrake;
}

/** What became of one stuck run. */
export type Reconciled =
  | { readonly kind: 'left' }
  | { readonly kind: 'relaunched' }
  | { readonly kind: 'put-off' }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'refused'; readonly recorded: RecordedRun }
  | { readonly kind: 'recorded'; readonly recorded: RecordedRun };

/** How long the deadline of a run that waits for capacity moves on. */
const LAUNCH_PATIENCE_MS = 15 * 60_000;
const NEVER_TAKEN = 'ECS did not take it before its deadline';

/** ECS kills a task two minutes after its signal at the latest; a minute on top for the event to arrive. */
const STOP_GRACE_MS = 3 * 60_000;

/**
 * The watchdog: brings on every run that nothing else will. Claims whose dispatcher died or met no capacity are launched
 * again under the same id, tasks past their deadline are stopped, and ends that no event told of are recorded.
 */
export async function reconcileRuns(
  deps: LaunchRunDeps,
  { limit, brake }: ReconcileRunsInput,
): Promise<Settled<Reconciled>> {
  return settleAll({
    items: await deps.stacks.stuck(deps.clock.now(), limit),
    concurrency: 8,
    work: (stackId) => reconcileStack(deps, stackId, brake),
  });
}

async function reconcileStack(deps: LaunchRunDeps, stackId: string, brake: LaunchBrake): Promise<Reconciled> {
  const stack = await deps.stacks.get(stackId);
  const inFlight = stack?.state.inFlight ?? null;
  if (stack === undefined || inFlight === null) return { kind: 'left' };
  const run = await deps.runs.get(inFlight.runId);
  // Finished, but the recorder died before the stack let go. The outcome is in the record, so any ending will do.
  if (run !== undefined && run.outcome !== null) return record(deps, inFlight.runId, { kind: 'gone' });
  const taskArn = inFlight.taskArn ?? run?.taskArn ?? null;
  if (taskArn === null) return launchAgain(deps, { stack, inFlight, run: run ?? newRun(stack, inFlight), brake });
  if (inFlight.taskArn === null) await noteKnownTask(deps, stack, inFlight.runId, taskArn);
  return endLate(deps, inFlight, taskArn);
}

async function noteKnownTask(deps: LaunchRunDeps, known: StoredStack, runId: string, taskArn: string): Promise<void> {
  const stackId = known.spec.id;
  await changeStack(deps.stacks, { stackId, known, change: ({ state }) => noteTask(state, runId, taskArn) });
}

/**
 * What ECS answers does not prove that there is no task: an answer may get lost, and the next one be a refusal. So a run
 * is given up only at its deadline, by when every task that may have been started for it is over. For a while that moves
 * with each try, so that a late task has its full time, and once more where no dispatcher came by until then.
 */
async function launchAgain(deps: LaunchRunDeps, input: LaunchRunInput): Promise<Reconciled> {
  const { inFlight, run, brake } = input;
  const now = deps.clock.now().getTime();
  const claimedFor = now - Date.parse(inFlight.startedAt);
  const late = now - Date.parse(inFlight.deadline);
  if (late >= 0 && inFlight.deadline !== run.deadline) {
    if (late < STOP_GRACE_MS) return { kind: 'left' };
    return record(deps, run.runId, { kind: 'not-launched', reason: brake.reason ?? NEVER_TAKEN });
  }
  if (brake.reason !== null) return { kind: 'put-off' };
  await deps.runs.create(run);
  // Its dispatcher died after the launch, and ECS knows the id of a run for an hour after its task.
  if ((await readReport(deps.artifacts, run)) !== undefined) return record(deps, run.runId, { kind: 'gone' });
  const anew = late >= 0 || claimedFor < LAUNCH_PATIENCE_MS ? await moveDeadline(deps, input) : input;
  const launched = anew && (await launchRun(deps, anew));
  return launched?.kind === 'started' ? { kind: 'relaunched' } : (launched ?? { kind: 'left' });
}

/** Saved before there is a task to hold against it. `undefined` where somebody else has moved the stack on. */
async function moveDeadline(deps: LaunchRunDeps, input: LaunchRunInput): Promise<LaunchRunInput | undefined> {
  const { stack, run } = input;
  const allowance = Date.parse(run.deadline) - Date.parse(run.createdAt);
  const deadline = new Date(deps.clock.now().getTime() + allowance).toISOString();
  const inFlight = { ...input.inFlight, deadline };
  const state = { ...stack.state, version: stack.state.version + 1, inFlight };
  if ((await deps.stacks.saveState(state)) === 'conflict') return undefined;
  return { ...input, stack: { ...stack, state }, inFlight };
}

async function endLate(deps: LaunchRunDeps, { runId, deadline }: InFlight, taskArn: string): Promise<Reconciled> {
  const late = deps.clock.now().getTime() - Date.parse(deadline);
  if (late < 0) return { kind: 'left' };
  const status = await deps.launcher.describe(taskArn);
  if (status.kind !== 'running') return record(deps, runId, status);
  await deps.launcher.stop(taskArn, PAST_DEADLINE);
  return late < STOP_GRACE_MS ? { kind: 'stopping' } : record(deps, runId, { kind: 'hung' });
}

async function record(deps: LaunchRunDeps, runId: string, ending: RunEnding): Promise<Reconciled> {
  return { kind: 'recorded', recorded: await recordRun(deps, { runId, ending }) };
}
