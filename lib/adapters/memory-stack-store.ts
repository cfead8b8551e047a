import type { StackSpec } from '../domain/stack-spec.ts';
import type { StackState } from '../domain/stack-state.ts';
import type { StackStore, StoredStack } from '../ports/stack-store.ts';
import { fitState, specText } from './fit-item.ts';
import { appointmentOf, outboxSince, sameSpec, withNewSpec } from './stack-item.ts';

export interface MemoryStackStoreOptions {
  /**
   * Stacks on a page of `list`.
   *
   * @default 100
   */
  readonly pageSize?: number;
}

/** Obeys the contract of the DynamoDB store, size limits included, and forgets everything when the process ends. */
export function createMemoryStackStore({ pageSize = 100 }: MemoryStackStoreOptions = {}): StackStore {
  const stacks = new Map<string, StoredStack>();
  return {
    get: async (stackId) => stacks.get(stackId),
    list: async (page = '') => {
      const ids = [...stacks.keys()].filter((id) => id > page).sort();
      const onPage = ids.slice(0, pageSize);
      const next = ids.length > pageSize ? onPage.at(-1) : undefined;
      return { stacks: onPage.flatMap((id) => stacks.get(id) ?? []), next };
    },
    putSpec: async (spec, initial) => putSpec(stacks, spec, initial),
    remove: async (stackId) => {
      stacks.delete(stackId);
    },
    saveState: async (state) => {
      const known = stacks.get(state.stackId);
      const fitted = fitState(state);
      if (known?.state.version !== state.version - 1) return 'conflict';
      stacks.set(state.stackId, { ...known, state: fitted });
      return 'saved';
    },
    due: async (now, limit) => earliest(stacks, (state) => appointment(state, 'due', now), limit),
    stuck: async (now, limit) => earliest(stacks, (state) => appointment(state, 'watch', now), limit),
    withOutbox: async (limit) => earliest(stacks, outboxSince, limit),
  };
}

function putSpec(stacks: Map<string, StoredStack>, spec: StackSpec, initial: StackState) {
  specText(spec);
  const known = stacks.get(spec.id);
  if (known !== undefined && sameSpec(known.spec, spec)) return 'unchanged';
  const state = known === undefined ? initial : withNewSpec(known.state, initial);
  stacks.set(spec.id, { spec, state: fitState(state) });
  return known === undefined ? 'created' : 'updated';
}

function appointment(state: StackState, kind: 'due' | 'watch', now: Date): string | null {
  const entry = appointmentOf(state);
  return entry?.kind === kind && Date.parse(entry.at) <= now.getTime() ? entry.at : null;
}

function earliest(
  stacks: ReadonlyMap<string, StoredStack>,
  timeOf: (state: StackState) => string | null,
  limit: number,
): readonly string[] {
  const entries = [...stacks].flatMap(([id, { state }]) => {
    const time = timeOf(state);
    return time === null ? [] : { id, time };
  });
  return entries
    .sort((left, right) => (`${left.time} ${left.id}` < `${right.time} ${right.id}` ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id);
}
