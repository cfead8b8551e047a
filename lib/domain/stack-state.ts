import type { Baseline } from './baseline.ts';
import type { DriftEvent } from './drift-event.ts';
import type { Severity, Verdict } from './finding.ts';
import type { ResultSummary, RunTrigger } from './run.ts';
import type { TaskSize } from './stack-spec.ts';

/** The run that holds the stack: queued counts as in flight, so a stack never has two. */
export interface InFlight {
  readonly runId: string;
  readonly trigger: RunTrigger;
  readonly attempt: number;
  readonly startedAt: string;
  readonly deadline: string;
  /** `null` until ECS has answered. */
  readonly taskArn: string | null;
}

/** From the first drifted check to the first complete good check without drift. */
export interface Episode {
  readonly id: string;
  readonly startedAt: string;
  readonly fingerprint: string;
  readonly severity: Severity;
  /** Drifted checks in a row. */
  readonly consecutive: number;
  /** False while it still waits for confirming checks. */
  readonly announced: boolean;
  readonly escalated: boolean;
  readonly lastNotifiedAt: string;
  /** Last fingerprints, newest last: what flapping is recognised by. */
  readonly recentFingerprints: readonly string[];
  readonly flapping: boolean;
  /** Everything that alerts was accepted into the state by somebody. */
  readonly absorbed: boolean;
}

/**
 * All that is remembered of a stack between checks. One item in the table, written only as a whole and on condition of
 * its `version`.
 */
export interface StackState {
  readonly stackId: string;
  readonly version: number;
  /** Verdict of the last check that had one; `null` before the first. */
  readonly verdict: Verdict | null;
  /** Since when the verdict is what it is. */
  readonly since: string | null;
  readonly createdAt: string;
  /** Why somebody suspended checks by hand; `null`: nobody did. The catalogue's own reason is in the spec. */
  readonly suspended: string | null;
  /** When a suspension ended last. */
  readonly resumedAt: string | null;
  readonly lastCheckAt: string | null;
  /** Last complete check with a verdict about the stack. */
  readonly lastGoodCheckAt: string | null;
  /** When the next check is due; `null` while suspended. */
  readonly nextDueAt: string | null;
  /** Why the next check is due, where that is not the schedule: somebody asked, or a failed run is tried again. */
  readonly dueBecause: Exclude<RunTrigger, 'schedule'> | null;
  /** Attempts of the check that is due, from 1; above 1 it is a retry. */
  readonly nextAttempt: number;
  readonly inFlight: InFlight | null;
  readonly episode: Episode | null;
  /** Failed checks in a row. */
  readonly failures: number;
  readonly failingAnnounced: boolean;
  readonly overdueAnnounced: boolean;
  readonly baseline: Baseline | null;
  /** Size for the next task: one step up after it ran out of memory. */
  readonly task: TaskSize | null;
  readonly lastSummary: ResultSummary | null;
  readonly lastRunId: string | null;
  /** Number of the last event of this stack; before the first, the moment it was added, in milliseconds. */
  readonly sequence: number;
  /** Events that are decided and not published yet: written with the state, so none is lost or doubled. */
  readonly outbox: readonly DriftEvent[];
}
