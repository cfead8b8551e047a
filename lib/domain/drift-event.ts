import type { Counts, Failure, Severity, Verdict } from './finding.ts';
import type { TopFinding } from './run.ts';

export const EVENT_TYPES = [
  'drift.detected',
  'drift.changed',
  'drift.reminder',
  'drift.escalated',
  'drift.resolved',
  'drift.absorbed',
  'check.failing',
  'check.recovered',
  'check.overdue',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * What SNS carries: documented in `docs/events.md`, without attribute values. Consumers drop what has a lower `sequence`
 * than what they have delivered for the stack.
 */
export interface DriftEvent {
  readonly schemaVersion: 1;
  readonly type: EventType;
  readonly stackId: string;
  /** Per stack, without gaps, from the moment the stack was added (in milliseconds). */
  readonly sequence: number;
  readonly at: string;
  readonly runId: string | null;
  readonly verdict: Verdict | null;
  readonly severity: Severity | null;
  readonly episode: {
    readonly id: string;
    readonly startedAt: string;
    readonly consecutive: number;
    readonly fingerprint: string;
    readonly flapping: boolean;
  } | null;
  readonly counts: Counts | null;
  readonly topFindings: readonly TopFinding[];
  readonly failure: Failure | null;
  readonly commit: string | null;
  readonly owner: string | null;
  readonly labels: readonly string[];
  readonly routes: readonly string[];
}

/** The catalogue could not be taken over: the stacks stay as they were. */
export interface CatalogueEvent {
  readonly schemaVersion: 1;
  readonly type: 'catalogue.invalid';
  readonly at: string;
  readonly commit: string | null;
  readonly failure: Failure;
}
