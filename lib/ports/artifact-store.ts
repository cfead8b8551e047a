import type { CheckResult } from '../domain/finding.ts';
import type { RunSpec } from '../domain/run.ts';

/** What the runner adds to a result: what the recorder has to know and a reader of findings has not. */
export interface RunReport {
  readonly schemaVersion: 1;
  readonly runId: string;
  readonly stackId: string;
  readonly result: CheckResult;
  readonly commit: string | null;
  readonly peakMemoryMiB: number | null;
}

/** `runs/<stack>/<run>/` in the artefact bucket. */
export interface ArtifactStore {
  putSpec(spec: RunSpec): Promise<void>;
  getSpec(stackId: string, runId: string): Promise<RunSpec>;
  putReport(report: RunReport): Promise<void>;
  /**
   * `undefined`: the runner wrote none. Throws `ResultUnreadable` where there is one that can't be read, is cut off, or
   * belongs to another run.
   */
  getReport(stackId: string, runId: string): Promise<RunReport | undefined>;
  putFile(stackId: string, runId: string, file: RunFile): Promise<void>;
  getLog(stackId: string, runId: string): Promise<string | undefined>;
}

export interface RunFile {
  readonly name: 'plan.tfplan' | 'plan.json' | 'run.log' | 'state-identity.json';
  readonly content: string | Uint8Array;
}
