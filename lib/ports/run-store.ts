import type { RunOutcome, RunRecord } from '../domain/run.ts';

export interface RunStore {
  /** Idempotent: creating the same run twice leaves one record. */
  create(run: RunRecord): Promise<void>;
  get(runId: string): Promise<RunRecord | undefined>;
  /** Newest first. */
  listForStack(stackId: string, limit: number): Promise<readonly RunRecord[]>;
  started(runId: string, taskArn: string): Promise<void>;
  /** `already-finished`: the run has a terminal state, which stays. */
  finish(runId: string, outcome: RunOutcome, at: Date): Promise<'finished' | 'already-finished'>;
}
