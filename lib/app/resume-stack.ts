import { reschedule } from '../domain/claim.ts';
import { resume } from '../domain/suspension.ts';
import type { Clock } from '../ports/clock.ts';
import type { StackStore, StoredStack } from '../ports/stack-store.ts';
import { changeKnownStack } from './change-stack.ts';

export interface ResumeStackDeps {
  readonly stacks: StackStore;
  readonly clock: Clock;
}

/**
 * Ends a suspension by hand: the stack is checked when its schedule says so next. One that the catalogue suspends stays
 * so, which `suspensionOf` tells of the stack that comes back. Throws `StackNotFound`.
 */
export function resumeStack(
  { stacks, clock }: ResumeStackDeps,
  { stackId }: { readonly stackId: string },
): Promise<StoredStack> {
  const now = clock.now();
  return changeKnownStack(stacks, {
    stackId,
    change: ({ spec, state }) =>
      state.suspended === null ? state : reschedule({ spec, state: resume(state, now) }, now),
  });
}
