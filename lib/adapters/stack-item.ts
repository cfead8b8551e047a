import * as z from 'zod';
import { ALL_STACKS, duePartition, outboxPartition, SHARDS, stackKey, watchPartition } from '../contract/keys.ts';
import { jsonEqual, parseJson } from '../domain/json.ts';
import { hash } from '../domain/schedule.ts';
import type { StackSpec } from '../domain/stack-spec.ts';
import type { StackState } from '../domain/stack-state.ts';
import type { StoredStack } from '../ports/stack-store.ts';
import { specText } from './fit-item.ts';
import { toJsonText } from './json-text.ts';
import { readStored } from './read-stored.ts';
import { StackSpecSchema } from './stack-spec-schema.ts';
import { StackStateSchema } from './stack-state-schema.ts';

/** How long a claimed run may be without a task: the dispatcher that claimed it has crashed by then. */
const WITHOUT_TASK_MS = 2 * 60_000;

const StackItem = z.object({ stackId: z.string(), spec: z.string(), state: z.string() });

/** The moment at which somebody has to look at a stack, and why; `null`: never. */
type Appointment = { readonly kind: 'due' | 'watch'; readonly at: string } | null;

export function appointmentOf({ inFlight, nextDueAt }: StackState): Appointment {
  if (inFlight === null) return nextDueAt === null ? null : { kind: 'due', at: sortable(nextDueAt) };
  if (inFlight.taskArn !== null) return { kind: 'watch', at: sortable(inFlight.deadline) };
  const latest = Math.min(Date.parse(inFlight.startedAt) + WITHOUT_TASK_MS, Date.parse(inFlight.deadline));
  return { kind: 'watch', at: new Date(latest).toISOString() };
}

/** Since when a stack has had events to publish; `null`: it has none. */
export function outboxSince({ outbox }: StackState): string | null {
  return outbox[0] === undefined ? null : sortable(outbox[0].at);
}

export function sameSpec(left: StackSpec, right: StackSpec): boolean {
  return jsonEqual(parseJson(toJsonText(left)), parseJson(toJsonText(right)));
}

/**
 * What a new spec makes of a known state: only its due time. A run in flight, a requested check, one that is due already
 * and a suspension by hand stay as they are.
 */
export function withNewSpec(state: StackState, initial: StackState): StackState {
  const updated = { ...state, version: state.version + 1 };
  if (state.inFlight !== null || state.dueBecause === 'manual' || state.suspended !== null) return updated;
  const isDue = state.nextDueAt !== null && Date.parse(state.nextDueAt) <= Date.parse(initial.createdAt);
  if (isDue && initial.nextDueAt !== null) return updated;
  return { ...updated, nextAttempt: 1, dueBecause: null, nextDueAt: initial.nextDueAt };
}

/** All attributes of a stack's item. */
export function toStackItem({ spec, state }: StoredStack) {
  return {
    ...stackKey(spec.id),
    stackId: spec.id,
    spec: specText(spec),
    stackPk: ALL_STACKS,
    stackSk: spec.id,
    ...stateAttributes(state),
  };
}

/** The attributes that follow from a state; `undefined`: the item is not in that index. */
export function stateAttributes(state: StackState) {
  const shard = hash(state.stackId) % SHARDS;
  const appointment = appointmentOf(state);
  const since = outboxSince(state);
  return {
    version: state.version,
    state: JSON.stringify(state),
    timePk: appointment === null ? undefined : partitionOf(appointment.kind, shard),
    timeSk: appointment?.at,
    outboxPk: since === null ? undefined : outboxPartition(shard),
    outboxSk: since ?? undefined,
  };
}

function partitionOf(kind: 'due' | 'watch', shard: number): string {
  return kind === 'due' ? duePartition(shard) : watchPartition(shard);
}

/** Throws `ItemUnreadable`. */
export function fromStackItem(item: unknown): StoredStack {
  const { stackId, spec, state } = readStored(StackItem, item, 'stack item');
  return {
    spec: readStored(StackSpecSchema, spec, `spec of ${stackId}`),
    state: readStored(StackStateSchema, state, `state of ${stackId}`),
  };
}

/** Index keys compare as texts, so all times in them have one form. */
function sortable(time: string): string {
  return new Date(time).toISOString();
}
