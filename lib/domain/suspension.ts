import type { StackSpec } from './stack-spec.ts';
import type { StackState } from './stack-state.ts';

interface Suspendable {
  readonly spec: Pick<StackSpec, 'suspended'>;
  readonly state: Pick<StackState, 'suspended'>;
}

/** Why a stack is not checked: somebody suspended it by hand, or the catalogue does. `null`: it is checked. */
export function suspensionOf({ spec, state }: Suspendable): string | null {
  return state.suspended ?? spec.suspended;
}

/** The stack without checks until it is resumed, whatever the catalogue says. One that runs comes to its end. */
export function suspend(state: StackState, reason: string): StackState {
  return { ...state, version: state.version + 1, suspended: reason, dueBecause: null, nextAttempt: 1, nextDueAt: null };
}

/** The stack as the catalogue wants it again. */
export function resume(state: StackState, now: Date): StackState {
  return { ...expectChecks(state, now), suspended: null };
}

/** From now on the stack is expected to have good checks; the time without any is not held against it. */
export function expectChecks(state: StackState, now: Date): StackState {
  return { ...state, version: state.version + 1, resumedAt: now.toISOString() };
}
