import type { Baseline } from './baseline.ts';
import type { Counts, Failure, Severity, Verdict } from './finding.ts';
import type { StackSpec, TaskSize } from './stack-spec.ts';

export const RUN_TRIGGERS = ['schedule', 'manual', 'retry', 'dependency', 'verify'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** What the runner gets: written to S3 by the dispatcher, before the task starts. */
export interface RunSpec {
  readonly schemaVersion: 1;
  readonly runId: string;
  readonly kind: 'check';
  readonly stack: StackSpec;
  /** Commit of the catalogue that `stack` comes from. */
  readonly catalogueCommit: string | null;
  readonly baseline: Baseline | null;
  /** Time after which nobody waits for the result any more, ISO 8601. */
  readonly deadline: string;
}

/** One execution, from the claim to its terminal state. A finished run never goes back. */
export interface RunRecord {
  readonly runId: string;
  readonly stackId: string;
  readonly kind: 'check';
  readonly trigger: RunTrigger;
  /** From 1. */
  readonly attempt: number;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly createdAt: string;
  readonly deadline: string;
  readonly task: TaskSize;
  readonly taskArn: string | null;
  readonly finishedAt: string | null;
  readonly outcome: RunOutcome | null;
}

/** How a run ended. `result`: the runner concluded something, be it `failed` or `busy`; `lost`: it did not get that far. */
export type RunOutcome =
  | { readonly kind: 'result'; readonly summary: ResultSummary }
  | { readonly kind: 'lost'; readonly failure: Failure; readonly outOfMemory: boolean };

/** What the table keeps of a result; the whole is in S3. Bounded: at most {@link MOST_TOP_FINDINGS} findings. */
export interface ResultSummary {
  readonly verdict: Verdict;
  readonly complete: boolean;
  /** SHA-256 (hex) over the findings that alert: a merged change beside them is no news about the drift. */
  readonly fingerprint: string;
  /** Classes among the findings that alert, each once, sorted. */
  readonly alertClasses: readonly string[];
  /** Worst severity among findings that alert; `null` where none does. */
  readonly severity: Severity | null;
  readonly counts: Counts;
  /** Worst first. */
  readonly topFindings: readonly TopFinding[];
  readonly failure: Failure | null;
  /** Set where the run may serve as a baseline. */
  readonly baseline: Baseline | null;
  readonly commit: string | null;
  readonly durationMs: number;
  readonly peakMemoryMiB: number | null;
}

export interface TopFinding {
  readonly address: string;
  readonly class: string;
  readonly severity: Severity;
  readonly paths: readonly string[];
}

export const MOST_TOP_FINDINGS = 10;
