import { HoldfastError } from '../domain/errors.ts';
import { didYouMean } from '../domain/nearest-word.ts';
import type { StackStore, StoredStack } from '../ports/stack-store.ts';
import { listStacks } from './list-stacks.ts';

/** Throws `StackNotFound`, with the id that was probably meant. */
export async function findStack(
  deps: { readonly stacks: StackStore },
  { stackId }: { readonly stackId: string },
): Promise<StoredStack> {
  const stack = await deps.stacks.get(stackId);
  if (stack !== undefined) return stack;
  const known = (await listStacks(deps)).map(({ spec }) => spec.id);
  throw new HoldfastError('StackNotFound', `no stack ${JSON.stringify(stackId)}`, {
    hint: didYouMean(stackId, known, '"holdfast status" lists all stacks'),
  });
}
