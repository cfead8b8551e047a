import type { DriftEvent, EventType } from './drift-event.ts';
import type { Failure } from './finding.ts';
import type { ResultSummary } from './run.ts';
import type { StackSpec } from './stack-spec.ts';
import type { Episode, StackState } from './stack-state.ts';

/** What an event tells beyond its type. */
export interface EventDetail {
  readonly at: Date;
  readonly runId: string | null;
  readonly episode: Episode | null;
  readonly summary: ResultSummary | null;
  readonly failure: Failure | null;
}

/** The state with one more event in its outbox, numbered after the last one. */
export function appendEvent(spec: StackSpec, state: StackState, type: EventType, detail: EventDetail): StackState {
  const sequence = state.sequence + 1;
  return { ...state, sequence, outbox: [...state.outbox, toEvent(spec, sequence, type, detail)] };
}

/** The state without the events up to and including a number, once they are published. */
export function clearOutbox(state: StackState, throughSequence: number): StackState {
  return {
    ...state,
    version: state.version + 1,
    outbox: state.outbox.filter(({ sequence }) => sequence > throughSequence),
  };
}

function toEvent(spec: StackSpec, sequence: number, type: EventType, detail: EventDetail): DriftEvent {
  const { at, runId, episode, summary, failure } = detail;
  return {
    schemaVersion: 1,
    type,
    stackId: spec.id,
    sequence,
    at: at.toISOString(),
    runId,
    verdict: summary?.verdict ?? null,
    severity: summary?.severity ?? episode?.severity ?? null,
    episode: episode === null ? null : describeEpisode(episode),
    counts: summary?.counts ?? null,
    topFindings: summary?.topFindings ?? [],
    failure,
    commit: summary?.commit ?? null,
    owner: spec.owner,
    labels: spec.labels,
    routes: spec.routes,
  };
}

function describeEpisode({ id, startedAt, consecutive, fingerprint, flapping }: Episode) {
  return { id, startedAt, consecutive, fingerprint, flapping };
}
