import { type LaunchDueInput, type LaunchedStack, launchDue } from './launch-due.ts';
import type { LaunchBrake, LaunchRunDeps } from './launch-run.ts';
import { publishOutboxes } from './publish-outboxes.ts';
import { type Reconciled, reconcileRuns } from './reconcile-runs.ts';
import type { RecordedRun } from './record-run.ts';

export type DispatchInput = Omit<LaunchDueInput, 'brake'>;

export interface DispatchReport {
  readonly launched: number;
  readonly putOff: number;
  readonly refused: number;
  /** Runs that the watchdog or a refusal ended. */
  readonly recorded: readonly RecordedRun[];
  /** Stacks whose events are still to be published. */
  readonly backlog: number;
  /** What went wrong with single stacks, none of which kept the others waiting. */
  readonly errors: readonly unknown[];
}

/** Stuck runs and unpublished outboxes looked at in one invocation; the rest has its turn a minute later. */
const MOST_LOOKED_AT = 100;

/**
 * One tick of the service: first what earlier ticks and runs left undone, then the checks that are due. Safe to run
 * twice at once.
 */
export async function dispatchChecks(deps: LaunchRunDeps, input: DispatchInput): Promise<DispatchReport> {
  const brake: LaunchBrake = { reason: null };
  const watched = await reconcileRuns(deps, { limit: MOST_LOOKED_AT, brake });
  const outboxes = await publishOutboxes(deps, { limit: MOST_LOOKED_AT });
  const relaunched = watched.results.filter(({ kind }) => kind === 'relaunched').length;
  const mostLaunches = input.mostLaunches - relaunched;
  const due = await launchDue(deps, { ...input, mostLaunches, brake });
  const outcomes: readonly (Reconciled | LaunchedStack)[] = [...watched.results, ...due.results];
  const count = (...kinds: readonly string[]) => outcomes.filter(({ kind }) => kinds.includes(kind)).length;
  return {
    launched: count('started', 'relaunched'),
    putOff: count('put-off'),
    refused: count('refused'),
    recorded: outcomes.flatMap((outcome) => ('recorded' in outcome ? outcome.recorded : [])),
    backlog: outboxes.backlog,
    errors: [...watched.errors, ...outboxes.errors, ...due.errors],
  };
}
