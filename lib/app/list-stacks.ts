import type { StackStore, StoredStack } from '../ports/stack-store.ts';

/** All stacks, in the order of their ids. */
export async function listStacks({ stacks }: { readonly stacks: StackStore }): Promise<readonly StoredStack[]> {
  const found: StoredStack[] = [];
  let page: string | undefined;
  do {
    const { stacks: onPage, next } = await stacks.list(page);
    found.push(...onPage);
    page = next;
  } while (page !== undefined);
  return found;
}
