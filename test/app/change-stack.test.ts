import { describe, expect, it } from 'vitest';
import { createMemoryStackStore } from '../../lib/adapters/memory-stack-store.ts';
import { changeKnownStack, changeStack } from '../../lib/app/change-stack.ts';
import type { StackState } from '../../lib/domain/stack-state.ts';
import { aStack } from '../support/stack-builder.ts';

const setup = async () => {
  const stacks = createMemoryStackStore();
  const stack = aStack({ id: 'a' });
  await stacks.putSpec(stack.spec, stack.state);
  return { stacks, stack };
};

const failed = ({ failures, ...state }: StackState): StackState => ({ ...state, failures: failures + 1 });

describe('changeStack', () => {
  it('saves the next state as one version more, however it was made', async () => {
    const { stacks } = await setup();
    const change = ({ state }: { readonly state: StackState }) => ({ ...failed(failed(state)), version: 99 });
    expect(await changeStack(stacks, { stackId: 'a', change })).toMatchObject({
      kind: 'saved',
      stack: { state: { version: 2, failures: 2 } },
    });
    expect((await stacks.get('a'))?.state).toMatchObject({ version: 2, failures: 2 });
  });

  it('saves nothing where there is nothing to change', async () => {
    const { stacks } = await setup();
    expect((await changeStack(stacks, { stackId: 'a', change: ({ state }) => state })).kind).toBe('unchanged');
    expect((await stacks.get('a'))?.state.version).toBe(1);
  });

  it('decides anew on top of what somebody else has saved', async () => {
    const { stacks, stack } = await setup();
    await changeStack(stacks, { stackId: 'a', change: ({ state }) => failed(state) });
    const change = ({ state }: { readonly state: StackState }) => failed(state);
    await changeStack(stacks, { stackId: 'a', known: stack, change });
    expect((await stacks.get('a'))?.state).toMatchObject({ version: 3, failures: 2 });
  });

  it('loses no change of many at once', async () => {
    const { stacks } = await setup();
    const change = ({ state }: { readonly state: StackState }) => failed(state);
    await Promise.all(Array.from({ length: 20 }, () => changeStack(stacks, { stackId: 'a', change })));
    expect((await stacks.get('a'))?.state).toMatchObject({ version: 21, failures: 20 });
  });

  it('tells of a stack that is gone, be it meanwhile', async () => {
    const { stacks, stack } = await setup();
    const change = ({ state }: { readonly state: StackState }) => failed(state);
    expect(await changeStack(stacks, { stackId: 'b', change })).toEqual({ kind: 'missing' });
    await stacks.remove('a');
    expect(await changeStack(stacks, { stackId: 'a', known: stack, change })).toEqual({ kind: 'missing' });
  });
});

describe('changeKnownStack', () => {
  it('fails for a stack that there is not', async () => {
    const { stacks } = await setup();
    await expect(changeKnownStack(stacks, { stackId: 'b', change: ({ state }) => state })).rejects.toMatchObject({
      code: 'StackNotFound',
      message: 'no stack "b" in the catalogue',
    });
  });
});
