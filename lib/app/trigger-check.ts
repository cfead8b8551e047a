import { requestCheck } from '../domain/claim.ts';
import type { Clock } from '../ports/clock.ts';
import type { StackStore, StoredStack } from '../ports/stack-store.ts';
import { changeKnownStack } from './change-stack.ts';

export interface TriggerCheckDeps {
  readonly stacks: StackStore;
  readonly clock: Clock;
}

/**
 * Asks for a check of a stack, at the next tick of the dispatcher or right after the run that is in flight. Windows,
 * blackouts, order and suspension don't hold it up. Throws `StackNotFound`.
 */
export function triggerCheck(
  { stacks, clock }: TriggerCheckDeps,
  { stackId }: { readonly stackId: string },
): Promise<StoredStack> {
  return changeKnownStack(stacks, { stackId, change: ({ state }) => requestCheck(state, clock.now()) });
}
