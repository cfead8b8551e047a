import type { StackSpec } from '../domain/stack-spec.ts';
import type { StackState } from '../domain/stack-state.ts';

export interface StoredStack {
  readonly spec: StackSpec;
  readonly state: StackState;
}

/** A page of stacks and where the next one starts. */
export interface StackPage {
  readonly stacks: readonly StoredStack[];
  readonly next: string | undefined;
}

/**
 * Stacks and their states. Every write is one conditional write of one item: a state is saved only on top of the version
 * it was made from.
 */
export interface StackStore {
  get(stackId: string): Promise<StoredStack | undefined>;
  /** In the order of their ids. */
  list(page?: string): Promise<StackPage>;
  /**
   * Adds a stack, or replaces the spec of one. The state of a known stack stays, but for its next due time; that stays too
   * where a run is in flight, somebody asked for a check or suspended the stack, or a check is due already. Throws
   * `ItemTooLarge`.
   */
  putSpec(spec: StackSpec, initial: StackState): Promise<'created' | 'updated' | 'unchanged'>;
  remove(stackId: string): Promise<void>;
  /**
   * Saves a state whose `version` is one above that of the state it was made from. `conflict`: somebody else has saved a
   * newer version, or removed the stack; read again and decide anew. Throws `ItemTooLarge`, not before some 30 events wait.
   */
  saveState(state: StackState): Promise<'saved' | 'conflict'>;
  /** Ids of stacks that are due and not in flight, earliest first, from a sparse index that holds nothing else. */
  due(now: Date, limit: number): Promise<readonly string[]>;
  /** Ids of stacks whose run is past its deadline, or has no task a while after its start. */
  stuck(now: Date, limit: number): Promise<readonly string[]>;
  /** Ids of stacks with events that are not published. */
  withOutbox(limit: number): Promise<readonly string[]>;
}
