import { suspend } from '../domain/suspension.ts';
import type { StackStore, StoredStack } from '../ports/stack-store.ts';
import { changeKnownStack } from './change-stack.ts';

export interface SuspendStackInput {
  readonly stackId: string;
  readonly reason: string;
}

/**
 * Takes a stack out of the schedule by hand, until it is resumed: the catalogue does not bring it back. A run in flight
 * comes to its end. Throws `StackNotFound`.
 */
export function suspendStack(
  { stacks }: { readonly stacks: StackStore },
  { stackId, reason }: SuspendStackInput,
): Promise<StoredStack> {
  return changeKnownStack(stacks, {
    stackId,
    change: ({ state }) => (state.suspended === reason ? state : suspend(state, reason)),
  });
}
