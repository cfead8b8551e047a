import { describe, expect, it } from 'vitest';
import { createMemoryStackStore } from '../../lib/adapters/memory-stack-store.ts';
import { findStack } from '../../lib/app/find-stack.ts';
import { listStacks } from '../../lib/app/list-stacks.ts';
import { aStack } from '../support/stack-builder.ts';

async function aStoreWith(ids: readonly string[]) {
  const stacks = createMemoryStackStore({ pageSize: 2 });
  for (const id of ids) {
    const { spec, state } = aStack({ id });
    await stacks.putSpec(spec, state);
  }
  return stacks;
}

describe('listStacks', () => {
  it('reads all pages, and sorts by id', async () => {
    const stacks = await aStoreWith(['e', 'a', 'c', 'b', 'd']);

    expect((await listStacks({ stacks })).map(({ spec }) => spec.id)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('finds none where there are none', async () => {
    expect(await listStacks({ stacks: await aStoreWith([]) })).toEqual([]);
  });
});

describe('findStack', () => {
  it('finds a stack by its id', async () => {
    const stacks = await aStoreWith(['prod/dns', 'prod/network']);

    expect((await findStack({ stacks }, { stackId: 'prod/dns' })).spec.id).toBe('prod/dns');
  });

  it.each([
    ['prod/netwrok', 'did you mean "prod/network"?'],
    ['something-else', '"holdfast status" lists all stacks'],
  ])('fails on %s, with a hint', async (stackId, hint) => {
    const stacks = await aStoreWith(['prod/dns', 'prod/network']);

    await expect(findStack({ stacks }, { stackId })).rejects.toMatchObject({ code: 'StackNotFound', hint });
  });
});
