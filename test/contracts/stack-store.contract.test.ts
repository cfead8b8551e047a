import { afterAll, describe, expect, it } from 'vitest';
import { createDynamoStackStore } from '../../lib/adapters/dynamo-stack-store.ts';
import { createMemoryStackStore } from '../../lib/adapters/memory-stack-store.ts';
import { appendEvent } from '../../lib/domain/event-log.ts';
import { PreciseNumber } from '../../lib/domain/json.ts';
import type { StackSpec } from '../../lib/domain/stack-spec.ts';
import type { StackState } from '../../lib/domain/stack-state.ts';
import type { StackStore } from '../../lib/ports/stack-store.ts';
import { startDynalite } from '../support/dynalite.ts';
import { aDriftedSummary, aSpec, aStack, HOUR, result, runOnce, START } from '../support/stack-builder.ts';

const dynalite = await startDynalite();
afterAll(() => dynalite.close());

interface Maker {
  readonly name: string;
  create(options?: { readonly pageSize?: number }): Promise<StackStore>;
}

const makers: readonly Maker[] = [
  { name: 'memory', create: async (options) => createMemoryStackStore(options) },
  {
    name: 'DynamoDB',
    create: async (options) =>
      createDynamoStackStore({ client: dynalite.client, tableName: await dynalite.table(), ...options }),
  },
];

const later = (ms: number): string => new Date(START.getTime() + ms).toISOString();
const at = (ms: number): Date => new Date(START.getTime() + ms);

/** One version on, as every transition makes it. */
const next = (state: StackState, over: Partial<StackState> = {}): StackState => ({
  ...state,
  ...over,
  version: state.version + 1,
});

const inFlight = (over: Partial<NonNullable<StackState['inFlight']>> = {}): Partial<StackState> => ({
  nextDueAt: null,
  inFlight: {
    runId: 'run-1',
    trigger: 'schedule',
    attempt: 1,
    startedAt: START.toISOString(),
    deadline: later(HOUR),
    taskArn: 'arn:aws:ecs:eu-west-1:111122223333:task/holdfast/1',
    ...over,
  },
});

const event = (spec: StackSpec, state: StackState, time = START): StackState =>
  appendEvent(spec, state, 'check.overdue', { at: time, runId: null, episode: null, summary: null, failure: null });

const put = async (store: StackStore, id: string, state: Partial<StackState> = {}): Promise<StackState> => {
  const stack = aStack({ id }, state);
  await store.putSpec(stack.spec, stack.state);
  return stack.state;
};

describe.each(makers)('the $name stack store', ({ create }) => {
  describe('stacks', () => {
    it('has no stack that was never put', async () => {
      expect(await (await create()).get('prod/network')).toBeUndefined();
    });

    it('gives back what was put', async () => {
      const store = await create();
      const stack = runOnce(aStack(), result(aDriftedSummary('a'.repeat(64))), START);
      expect(await store.putSpec(stack.spec, stack.state)).toBe('created');
      expect(await store.get(stack.spec.id)).toEqual(stack);
    });

    it('keeps every digit of a variable, and every form of value', async () => {
      const store = await create();
      const precise = new PreciseNumber('12345678901234567890.10');
      const { spec, state } = aStack({
        vars: { precise, list: [1, 2.5, true, null, ''], nested: { 'a.b': { c: [] } }, text: 'zß水🙂\u0000' },
        secrets: { TF_VAR_a: { kind: 'ssm', name: '/a' }, B: { kind: 'secrets-manager', id: 'b', jsonKey: null } },
      });
      await store.putSpec(spec, state);
      expect((await store.get(spec.id))?.spec).toStrictEqual(spec);
    });

    it('keeps stacks apart', async () => {
      const store = await create();
      const ids = ['a', 'a/b', 'a-b', `${'x'.repeat(127)}1`, `${'x'.repeat(127)}2`];
      for (const id of ids) await put(store, id, { failures: id.length });
      for (const id of ids) expect((await store.get(id))?.state).toMatchObject({ stackId: id, failures: id.length });
    });

    it('forgets a stack that is removed, and takes a second removal for done', async () => {
      const store = await create();
      const state = await put(store, 'a', { nextDueAt: START.toISOString() });
      await put(store, 'b');
      await store.remove('a');
      await store.remove('a');
      expect(await store.get('a')).toBeUndefined();
      expect((await store.list()).stacks.map(({ spec }) => spec.id)).toEqual(['b']);
      expect(await store.due(at(0), 10)).toEqual([]);
      expect(await store.saveState(next(state))).toBe('conflict');
    });

    it('lists all stacks once, page by page', async () => {
      const store = await create({ pageSize: 3 });
      const ids = Array.from({ length: 9 }, (_, index) => `stack-${index}`);
      for (const id of ids) await put(store, id);
      const listed: string[] = [];
      let page: string | undefined;
      do {
        const { stacks, next: following } = await store.list(page);
        expect(stacks.length).toBeLessThanOrEqual(3);
        listed.push(...stacks.map(({ spec }) => spec.id));
        page = following;
      } while (page !== undefined);
      expect(listed).toEqual(ids);
    });

    it('lists nothing where there is nothing', async () => {
      expect(await (await create()).list()).toEqual({ stacks: [], next: undefined });
    });
  });

  describe('putSpec', () => {
    it('leaves a stack with an equal spec as it is, whatever the order of its keys', async () => {
      const store = await create();
      const { spec, state } = aStack({ vars: { a: 1, b: { c: 2, d: 3 } } });
      await store.putSpec(spec, state);
      const same = {
        ...Object.fromEntries(Object.entries(spec).reverse()),
        ...aSpec({ vars: { b: { d: 3, c: 2 }, a: 1 } }),
      };
      expect(await store.putSpec(same, { ...state, nextDueAt: later(99) })).toBe('unchanged');
      expect(await store.get(spec.id)).toEqual({ spec, state });
    });

    it('replaces a changed spec and keeps the state, but for its next due time', async () => {
      const store = await create();
      const stack = runOnce(aStack(), result(aDriftedSummary('a'.repeat(64))), START);
      await store.putSpec(stack.spec, { ...stack.state, nextDueAt: later(HOUR), dueBecause: 'retry', nextAttempt: 2 });
      const spec = { ...stack.spec, owner: 'network' };
      const initial = { ...aStack().state, createdAt: later(60_000), nextDueAt: later(2 * HOUR) };
      expect(await store.putSpec(spec, initial)).toBe('updated');
      const state = next(stack.state, { nextDueAt: later(2 * HOUR), dueBecause: null, nextAttempt: 1 });
      expect(await store.get(spec.id)).toEqual({ spec, state });
      expect(await store.due(at(HOUR), 10)).toEqual([]);
      expect(await store.due(at(2 * HOUR), 10)).toEqual([spec.id]);
    });

    it.each<{ what: string; state: Partial<StackState> }>([
      { what: 'that is due already', state: { nextDueAt: later(-1000), dueBecause: 'retry', nextAttempt: 2 } },
      { what: 'that somebody asked for', state: { nextDueAt: later(-1000), dueBecause: 'manual' } },
      { what: 'that is in flight', state: inFlight() },
      { what: 'that is suspended by hand', state: { nextDueAt: null, suspended: 'moving house' } },
    ])('leaves a check alone $what', async ({ state }) => {
      const store = await create();
      const before = await put(store, 'a', state);
      const spec = aSpec({ id: 'a', owner: 'network' });
      const initial = { ...aStack({ id: 'a' }).state, createdAt: later(0), nextDueAt: later(HOUR) };
      expect(await store.putSpec(spec, initial)).toBe('updated');
      expect((await store.get('a'))?.state).toEqual(next(before));
    });

    it('leaves a check that somebody asked for to a stack that gets suspended', async () => {
      const store = await create();
      const before = await put(store, 'a', { nextDueAt: later(-1000), dueBecause: 'manual' });
      await store.putSpec(aSpec({ id: 'a', suspended: 'moving house' }), { ...aStack().state, nextDueAt: null });
      expect((await store.get('a'))?.state).toEqual(next(before));
    });

    it('takes a stack that gets suspended out of those that are due', async () => {
      const store = await create();
      await put(store, 'a', { nextDueAt: later(-1000) });
      await store.putSpec(aSpec({ id: 'a', suspended: 'moving house' }), { ...aStack().state, nextDueAt: null });
      expect(await store.due(at(HOUR), 10)).toEqual([]);
    });

    it('makes a save from an older version a conflict', async () => {
      const store = await create();
      const state = await put(store, 'a');
      await store.putSpec(aSpec({ id: 'a', owner: 'network' }), state);
      expect(await store.saveState(next(state))).toBe('conflict');
    });

    it('creates a stack once where two put it at the same time', async () => {
      const store = await create();
      const { spec, state } = aStack();
      const answers = await Promise.all([1, 2, 3].map(() => store.putSpec(spec, state)));
      expect(answers.toSorted()).toEqual(['created', 'unchanged', 'unchanged']);
    });

    it('loses neither of a new spec and a new state that come at the same time', async () => {
      const store = await create();
      const state = await put(store, 'a');
      const spec = aSpec({ id: 'a', owner: 'network' });
      const [, saved] = await Promise.all([store.putSpec(spec, state), store.saveState(next(state, { failures: 7 }))]);
      expect(await store.get('a')).toMatchObject({ spec, state: { failures: saved === 'saved' ? 7 : 0 } });
    });
  });

  describe('saveState', () => {
    it('saves on top of the version a state was made from', async () => {
      const store = await create();
      const first = next(await put(store, 'a'), { failures: 1 });
      const second = next(first, { failures: 2 });
      expect(await store.saveState(first)).toBe('saved');
      expect(await store.saveState(second)).toBe('saved');
      expect((await store.get('a'))?.state).toEqual(second);
    });

    it('answers conflict to a second save from the same version, and keeps the first', async () => {
      const store = await create();
      const state = await put(store, 'a');
      expect(await store.saveState(next(state, { failures: 1 }))).toBe('saved');
      expect(await store.saveState(next(state, { failures: 2 }))).toBe('conflict');
      expect((await store.get('a'))?.state.failures).toBe(1);
    });

    it('answers conflict to a state that skips a version', async () => {
      const store = await create();
      const state = await put(store, 'a');
      expect(await store.saveState(next(next(state)))).toBe('conflict');
    });

    it('lets one of many savers win', async () => {
      const store = await create();
      const state = await put(store, 'a');
      const savers = Array.from({ length: 8 }, (_, index) => store.saveState(next(state, { failures: index })));
      expect((await Promise.all(savers)).filter((answer) => answer === 'saved')).toHaveLength(1);
    });

    it('adds no stack', async () => {
      const store = await create();
      expect(await store.saveState(aStack().state)).toBe('conflict');
      expect(await store.get('prod/network')).toBeUndefined();
    });
  });

  describe('due', () => {
    it('gives the stacks that are due, earliest first', async () => {
      const store = await create();
      const ids = Array.from({ length: 20 }, (_, index) => `stack-${String(index).padStart(2, '0')}`);
      for (const [index, id] of ids.toReversed().entries()) await put(store, id, { nextDueAt: later(-index * 1000) });
      await put(store, 'not-yet', { nextDueAt: later(1) });
      expect(await store.due(at(0), 100)).toEqual(ids);
    });

    it('gives the earliest where there are more than asked for', async () => {
      const store = await create();
      for (let index = 0; index < 20; index += 1) {
        await put(store, `stack-${String(index).padStart(2, '0')}`, { nextDueAt: later(index - 20) });
      }
      expect(await store.due(at(0), 3)).toEqual(['stack-00', 'stack-01', 'stack-02']);
      expect(await store.due(at(0), 0)).toEqual([]);
    });

    it('gives stacks that are due at the same time in the order of their ids', async () => {
      const store = await create();
      for (const id of ['d', 'b', 'a', 'c', 'e']) await put(store, id, { nextDueAt: later(-1) });
      expect(await store.due(at(0), 4)).toEqual(['a', 'b', 'c', 'd']);
    });

    it('compares times, however they are written', async () => {
      const store = await create();
      await put(store, 'late', { nextDueAt: '2026-03-02T08:59:59.900Z' });
      await put(store, 'early', { nextDueAt: '2026-03-02T08:59:59Z' });
      expect(await store.due(at(0), 10)).toEqual(['early', 'late']);
    });

    it('leaves out what is in flight or has no due time', async () => {
      const store = await create();
      const claimed = await put(store, 'claimed', { nextDueAt: later(-1) });
      await store.saveState(next(claimed, { ...inFlight(), nextDueAt: later(-1) }));
      await put(store, 'suspended', { nextDueAt: null });
      expect(await store.due(at(HOUR), 10)).toEqual([]);
    });
  });

  describe('stuck', () => {
    it('gives the stacks whose run is past its deadline, the one that waits longest first', async () => {
      const store = await create();
      await put(store, 'fine', inFlight());
      await put(store, 'late', inFlight({ deadline: later(-1000) }));
      await put(store, 'later', inFlight({ deadline: later(-2000) }));
      await put(store, 'due', { nextDueAt: later(-1000) });
      expect(await store.stuck(at(0), 10)).toEqual(['later', 'late']);
      expect(await store.stuck(at(0), 1)).toEqual(['later']);
    });

    it('gives a stack whose run has no task two minutes after its start, and before its deadline', async () => {
      const store = await create();
      const state = await put(store, 'a', inFlight({ taskArn: null }));
      await put(store, 'short', inFlight({ taskArn: null, deadline: later(1000) }));
      expect(await store.stuck(at(1000), 10)).toEqual(['short']);
      expect(await store.stuck(at(119_999), 10)).toEqual(['short']);
      expect(await store.stuck(at(120_000), 10)).toEqual(['short', 'a']);
      await store.saveState(next(state, inFlight()));
      expect(await store.stuck(at(120_000), 10)).toEqual(['short']);
    });
  });

  describe('withOutbox', () => {
    it('gives the stacks with events to publish, oldest event first, until these are gone', async () => {
      const store = await create();
      const { spec } = aStack();
      await put(store, 'quiet');
      await put(store, 'new', { outbox: event(spec, aStack().state, at(2000)).outbox });
      const old = await put(store, 'old', { outbox: event(spec, aStack().state, at(1000)).outbox });
      expect(await store.withOutbox(10)).toEqual(['old', 'new']);
      expect(await store.withOutbox(1)).toEqual(['old']);
      await store.saveState(next(old, { outbox: [] }));
      expect(await store.withOutbox(10)).toEqual(['new']);
    });
  });
});
