import { describe, expect, it } from 'vitest';
import { createMemoryStackStore } from '../../lib/adapters/memory-stack-store.ts';
import { measureCoverage } from '../../lib/app/measure-coverage.ts';
import type { StackSpec } from '../../lib/domain/stack-spec.ts';
import type { StackState } from '../../lib/domain/stack-state.ts';
import { aStack, HOUR, START } from '../support/stack-builder.ts';

const at = (hours: number) => new Date(START.getTime() + hours * HOUR);

async function setup(stacks: readonly (readonly [Partial<StackSpec>, Partial<StackState>])[], hours = 0) {
  const store = createMemoryStackStore({ pageSize: 2 });
  for (const [spec, state] of stacks) {
    const stack = aStack(spec, state);
    await store.putSpec(stack.spec, stack.state);
  }
  return { deps: { stacks: store, clock: { now: () => at(hours) } } };
}

const good = (hours: number) => ({ lastGoodCheckAt: at(hours).toISOString() });

describe('measureCoverage', () => {
  it('is whole where there are no stacks', async () => {
    const { deps } = await setup([]);
    expect(await measureCoverage(deps)).toEqual({
      active: 0,
      covered: 0,
      overdue: 0,
      suspended: 0,
      percent: 100,
      errors: [],
    });
  });

  it('counts stacks over all pages by what is known of them', async () => {
    const { deps } = await setup(
      [
        [{ id: 'good' }, good(4)],
        [{ id: 'late' }, good(4.5)],
        [{ id: 'overdue' }, good(1)],
        [{ id: 'new' }, { createdAt: at(4.5).toISOString() }],
        [{ id: 'never' }, {}],
        [{ id: 'retired', suspended: 'retired' }, good(-100)],
        [{ id: 'paused' }, { ...good(-100), suspended: 'incident' }],
      ],
      5,
    );
    expect(await measureCoverage(deps)).toEqual({
      active: 5,
      covered: 2,
      overdue: 2,
      suspended: 2,
      percent: 40,
      errors: [],
    });
  });

  it('notes once of each stack that it has become overdue', async () => {
    const { deps } = await setup(
      [
        [{ id: 'a' }, good(0)],
        [{ id: 'b' }, good(4)],
        [{ id: 'c' }, {}],
      ],
      5,
    );
    await measureCoverage(deps);
    await measureCoverage(deps);
    expect(await deps.stacks.withOutbox(10)).toEqual(['a', 'c']);
    const { outbox = [] } = (await deps.stacks.get('a'))?.state ?? {};
    expect(outbox.map(({ type }) => type)).toEqual(['check.overdue']);
  });

  it('goes on where a stack can not be saved', async () => {
    const { deps } = await setup(
      [
        [{ id: 'a' }, good(0)],
        [{ id: 'b' }, good(4)],
      ],
      5,
    );
    deps.stacks.saveState = async () => {
      throw new TypeError('503');
    };
    expect(await measureCoverage(deps)).toMatchObject({ covered: 1, errors: [{ message: '503' }] });
  });

  it('leaves a stack out that is removed meanwhile', async () => {
    const { deps } = await setup([[{ id: 'a' }, good(0)]], 5);
    const { saveState } = deps.stacks;
    deps.stacks.saveState = async (state) => {
      await deps.stacks.remove(state.stackId);
      return saveState(state);
    };
    expect(await measureCoverage(deps)).toMatchObject({ active: 0, overdue: 0 });
  });
});
