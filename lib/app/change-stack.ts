import { HoldfastError } from '../domain/errors.ts';
import type { StackState } from '../domain/stack-state.ts';
import type { StackStore, StoredStack } from '../ports/stack-store.ts';

export interface StackChange {
  readonly stackId: string;
  /** The next state; the very same one where there is nothing to change. May be asked again on top of a newer one. */
  readonly change: (stack: StoredStack) => StackState;
  /** The stack as it was last read, which saves a read. */
  readonly known?: StoredStack;
}

export type StackChangeResult =
  | { readonly kind: 'saved'; readonly stack: StoredStack }
  | { readonly kind: 'unchanged'; readonly stack: StoredStack }
  | { readonly kind: 'missing' };

/**
 * Reads a stack, decides, and saves on condition that nobody saved in between; else decides anew, which ends because
 * every round lost is a write that somebody else got done. However many steps a change is made of, it is one version.
 */
export async function changeStack(
  stacks: StackStore,
  { stackId, change, known }: StackChange,
): Promise<StackChangeResult> {
  let stack = known ?? (await stacks.get(stackId));
  while (stack !== undefined) {
    const { spec, state } = stack;
    const next = change(stack);
    if (next === state) return { kind: 'unchanged', stack };
    const saved = { ...next, version: state.version + 1 };
    if ((await stacks.saveState(saved)) === 'saved') return { kind: 'saved', stack: { spec, state: saved } };
    stack = await stacks.get(stackId);
  }
  return { kind: 'missing' };
}

/** As {@link changeStack}, for a stack that somebody named. Throws `StackNotFound`. */
export async function changeKnownStack(stacks: StackStore, input: StackChange): Promise<StoredStack> {
  const changed = await changeStack(stacks, input);
  if (changed.kind !== 'missing') return changed.stack;
  throw new HoldfastError('StackNotFound', `no stack ${JSON.stringify(input.stackId)} in the catalogue`, {
    hint: 'holdfast status lists the stacks there are',
  });
}
