import type { EventType } from './drift-event.ts';
import { type AlertingSummary, continueEpisode, openEpisode } from './episode.ts';
import { appendEvent } from './event-log.ts';
import type { Failure, Verdict } from './finding.ts';
import type { ResultSummary, RunOutcome } from './run.ts';
import { nextDueAt } from './schedule.ts';
import type { StackSpec } from './stack-spec.ts';
import type { InFlight, StackState } from './stack-state.ts';
import { suspensionOf } from './suspension.ts';

export interface Stack {
  readonly spec: StackSpec;
  readonly state: StackState;
}

export interface FinishedRun {
  readonly runId: string;
  readonly outcome: RunOutcome;
}

/** A decided change of state. `applied` is false where the run is not the one in flight: a late or repeated event. */
export interface Transition {
  readonly state: StackState;
  readonly applied: boolean;
}

/**
 * What a finished run makes of its stack (DESIGN §3.5, §6). Pure: the same stack, run and time give the same state. Events
 * are appended to the outbox, so state and events are one write.
 */
export function recordOutcome({ spec, state }: Stack, run: FinishedRun, now: Date, newId: () => string): Transition {
  const { inFlight } = state;
  if (inFlight === null || inFlight.runId !== run.runId) return { state, applied: false };
  const landed: StackState = {
    ...state,
    version: state.version + 1,
    inFlight: null,
    lastCheckAt: now.toISOString(),
    lastRunId: run.runId,
  };
  const { outcome } = run;
  const next =
    outcome.kind === 'lost'
      ? recordFailure(spec, landed, inFlight, outcome.failure, null, now)
      : recordResult(spec, landed, inFlight, outcome.summary, now, newId);
  return { state: next, applied: true };
}

function recordResult(
  spec: StackSpec,
  state: StackState,
  inFlight: InFlight,
  summary: ResultSummary,
  now: Date,
  newId: () => string,
): StackState {
  if (summary.verdict === 'busy') return recordBusy(spec, state, summary, now);
  if (summary.verdict === 'failed') return recordFailure(spec, state, inFlight, summary.failure, summary, now);
  const recovered = recordRecovery(spec, state, summary, now);
  const known = withVerdict(recovered, summary.verdict, now);
  return scheduleNext(spec, recordFindings(spec, { ...known, lastSummary: summary }, summary, now, newId), now);
}

/** A complete check ends a failure streak; a partial one has not seen enough to say that all is well. */
function recordRecovery(spec: StackSpec, state: StackState, summary: ResultSummary, now: Date): StackState {
  const known = { ...state, baseline: summary.baseline ?? state.baseline };
  if (!summary.complete) return known;
  const told = state.failingAnnounced ? tell(spec, known, 'check.recovered', now, summary, null) : known;
  return {
    ...told,
    failures: 0,
    failingAnnounced: false,
    lastGoodCheckAt: now.toISOString(),
    overdueAnnounced: false,
  };
}

function recordFindings(
  spec: StackSpec,
  state: StackState,
  summary: ResultSummary,
  now: Date,
  newId: () => string,
): StackState {
  if (!isAlerting(summary)) return closeEpisode(spec, state, summary, now);
  const { episode, events } =
    state.episode === null
      ? openEpisode(summary, spec.alerts, newId(), now)
      : continueEpisode(state.episode, summary, spec.alerts, now);
  return events.reduce<StackState>((told, type) => tell(spec, told, type, now, summary, null), { ...state, episode });
}

function isAlerting(summary: ResultSummary): summary is AlertingSummary {
  return summary.severity !== null;
}

/** Only a complete check without drift ends an episode; one that nobody heard of ends in silence. */
function closeEpisode(spec: StackSpec, state: StackState, summary: ResultSummary, now: Date): StackState {
  if (state.episode === null || !summary.complete) return state;
  const told = state.episode.announced ? tell(spec, state, 'drift.resolved', now, summary, null) : state;
  return { ...told, episode: null };
}

// Somebody holds the lock: neither failed nor clean, and worth another look soon.
function recordBusy(spec: StackSpec, state: StackState, summary: ResultSummary, now: Date): StackState {
  const busy = withVerdict({ ...state, lastSummary: summary }, 'busy', now);
  const soon = retryOf(spec, busy, now.getTime() + spec.retry.backoffMs, 1, now);
  return noteOverdueIn(spec, soon ?? scheduleNext(spec, busy, now), now);
}

function recordFailure(
  spec: StackSpec,
  state: StackState,
  { attempt }: InFlight,
  failure: Failure | null,
  summary: ResultSummary | null,
  now: Date,
): StackState {
  const retry = retryOf(spec, state, now.getTime() + spec.retry.backoffMs * 2 ** (attempt - 1), attempt + 1, now);
  // Where the regular check comes first, there is no retry, and this failure is the last word on this check.
  if (attempt < spec.retry.attempts && retry !== null) return noteOverdueIn(spec, retry, now);
  const failed = withVerdict(
    { ...state, failures: state.failures + 1, lastSummary: summary ?? state.lastSummary },
    'failed',
    now,
  );
  const announce = !state.failingAnnounced && failed.failures >= spec.alerts.failureStreak;
  const told = announce
    ? tell(spec, { ...failed, failingAnnounced: true }, 'check.failing', now, summary, failure)
    : failed;
  return noteOverdueIn(spec, scheduleNext(spec, told, now), now);
}

function withVerdict(state: StackState, verdict: Verdict, now: Date): StackState {
  return state.verdict === verdict ? state : { ...state, verdict, since: now.toISOString() };
}

/** The next regular check; at once where somebody asked for one while this one ran. */
function scheduleNext(spec: StackSpec, state: StackState, now: Date): StackState {
  const nextAttempt = 1;
  if (state.dueBecause === 'manual') return { ...state, nextAttempt, nextDueAt: now.toISOString() };
  const next = suspensionOf({ spec, state }) === null ? nextDueAt(spec.timing, spec.id, now) : null;
  return { ...state, nextAttempt, dueBecause: null, nextDueAt: next?.toISOString() ?? null };
}

/** A retry; `null` where the regular check comes first anyway. */
function retryOf(spec: StackSpec, state: StackState, time: number, attempt: number, now: Date): StackState | null {
  const { nextDueAt: regular } = scheduleNext(spec, state, now);
  if (regular === null || Date.parse(regular) <= time) return null;
  return { ...state, nextAttempt: attempt, dueBecause: 'retry', nextDueAt: new Date(time).toISOString() };
}

/** Says once that a stack has had no good check for two intervals. */
export function noteOverdue({ spec, state }: Stack, now: Date): StackState {
  const noted = noteOverdueIn(spec, state, now);
  return noted === state ? state : { ...noted, version: state.version + 1 };
}

function noteOverdueIn(spec: StackSpec, state: StackState, now: Date): StackState {
  if (state.overdueAnnounced || suspensionOf({ spec, state }) !== null) return state;
  const since = latest(state.lastGoodCheckAt ?? state.createdAt, state.resumedAt);
  const first = nextDueAt(spec.timing, spec.id, since);
  const second = first === null ? null : nextDueAt(spec.timing, spec.id, first);
  if (second === null || now <= second) return state;
  return tell(spec, { ...state, overdueAnnounced: true }, 'check.overdue', now, null, null);
}

function latest(time: string, other: string | null): Date {
  return new Date(Math.max(Date.parse(time), Date.parse(other ?? time)));
}

function tell(
  spec: StackSpec,
  state: StackState,
  type: EventType,
  at: Date,
  summary: ResultSummary | null,
  failure: Failure | null,
): StackState {
  return appendEvent(spec, state, type, { at, runId: state.lastRunId, episode: state.episode, summary, failure });
}
