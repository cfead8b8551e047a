import { GetCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { createDynamoRunStore } from '../../lib/adapters/dynamo-run-store.ts';
import { createDynamoStackStore } from '../../lib/adapters/dynamo-stack-store.ts';
import { runKey, SHARDS, stackKey } from '../../lib/contract/keys.ts';
import { EXPIRY_ATTRIBUTE } from '../../lib/contract/table.ts';
import type { RunRecord } from '../../lib/domain/run.ts';
import { startDynalite } from '../support/dynalite.ts';
import { aSpec, aStack, HOUR, lost, START } from '../support/stack-builder.ts';

const dynalite = await startDynalite();
afterAll(() => dynalite.close());

/** The same service with small pages: DynamoDB too may end a page early. */
const smallPages = await startDynalite();
afterAll(() => smallPages.close());
let pages = 0;
smallPages.client.middlewareStack.add(
  (next) => (args) => {
    const { input } = args;
    pages += 1;
    const limit = 'Limit' in input && typeof input.Limit === 'number' ? { Limit: Math.min(input.Limit, 2) } : {};
    return next({ ...args, input: { ...input, ...limit } });
  },
  { step: 'initialize', name: 'smallPages' },
);

/** The same service with somebody else who writes between the read of an index and that of its items. */
const removing = await startDynalite();
afterAll(() => removing.close());
let beforeRead = async (): Promise<void> => undefined;
removing.client.middlewareStack.add(
  (next) => async (args) => {
    if ('RequestItems' in args.input) await beforeRead();
    return next(args);
  },
  { step: 'initialize', name: 'removing' },
);

const aRun = (over: Partial<RunRecord> = {}): RunRecord => ({
  runId: 'run-1',
  stackId: 'prod/network',
  kind: 'check',
  trigger: 'schedule',
  attempt: 1,
  status: 'queued',
  createdAt: START.toISOString(),
  deadline: START.toISOString(),
  task: aSpec().task,
  taskArn: null,
  finishedAt: null,
  outcome: null,
  ...over,
});

const setup = async ({ client, table } = dynalite) => {
  const tableName = await table();
  const attributes = async (Key: Record<string, string>) =>
    (await client.send(new GetCommand({ TableName: tableName, Key }))).Item ?? {};
  return {
    stacks: createDynamoStackStore({ client, tableName }),
    runs: createDynamoRunStore({ client, tableName, retentionMs: 24 * HOUR }),
    attributes,
    /** Damages an item. */
    set: (Key: Record<string, string>, name: string, value: unknown) =>
      client.send(
        new UpdateCommand({
          TableName: tableName,
          Key,
          UpdateExpression: 'SET #name = :value',
          ExpressionAttributeNames: { '#name': name },
          ExpressionAttributeValues: { ':value': value },
        }),
      ),
    client,
    tableName,
  };
};

describe('the DynamoDB stores', () => {
  it('read on where a page ends before its limit', async () => {
    const { stacks, runs } = await setup(smallPages);
    const ids = Array.from({ length: 7 * SHARDS }, (_, index) => `stack-${String(index).padStart(2, '0')}`);
    for (const [index, id] of ids.entries()) {
      const { spec, state } = aStack({ id }, { nextDueAt: new Date(START.getTime() + index).toISOString() });
      await stacks.putSpec(spec, state);
    }
    pages = 0;
    expect(await stacks.due(new Date(START.getTime() + HOUR), 50)).toEqual(ids.slice(0, 50));
    expect(pages).toBeGreaterThanOrEqual(ids.length / 2);
    expect((await stacks.list()).stacks.map(({ spec }) => spec.id)).toEqual(ids);
    for (let index = 10; index < 20; index += 1) await runs.create(aRun({ runId: `run-${index}` }));
    expect((await runs.listForStack('prod/network', 5)).map(({ runId }) => runId)).toEqual([
      'run-19',
      'run-18',
      'run-17',
      'run-16',
      'run-15',
    ]);
  });

  it('ask again for what does not fit into one answer', async () => {
    const { stacks } = await setup();
    const ids = Array.from({ length: 40 }, (_, index) => `stack-${String(index).padStart(2, '0')}`);
    for (const id of ids) {
      const { spec, state } = aStack({ id, env: { LONG: 'x'.repeat(80_000) } });
      await stacks.putSpec(spec, state);
    }
    expect((await stacks.list()).stacks.map(({ spec }) => spec.id)).toEqual(ids);
  });

  it('have a stack in the indexes only while there is something to do', async () => {
    const { stacks, attributes } = await setup();
    const { spec, state } = aStack({}, { nextDueAt: START.toISOString() });
    await stacks.putSpec(spec, state);
    const item = await attributes(stackKey(spec.id));
    expect(item).toMatchObject({ timePk: expect.stringMatching(/^DUE#[0-7]$/), timeSk: START.toISOString() });
    expect(item).not.toHaveProperty('outboxPk');
    await stacks.saveState({ ...state, version: state.version + 1, nextDueAt: null });
    const indexed = Object.keys(await attributes(stackKey(spec.id))).filter((name) => /^(time|outbox)/.test(name));
    expect(indexed).toEqual([]);
  });

  it('spread stacks over all shards', async () => {
    const { stacks, client, tableName } = await setup();
    for (let index = 0; index < 100; index += 1) {
      const { spec, state } = aStack({ id: `team-${index % 7}/service-${index}` });
      await stacks.putSpec(spec, state);
    }
    const { Items = [] } = await client.send(new ScanCommand({ TableName: tableName }));
    const shares = Map.groupBy(Items, ({ timePk }) => timePk);
    expect(shares.size).toBe(SHARDS);
    expect(Math.max(...[...shares.values()].map(({ length }) => length))).toBeLessThan(30);
  });

  it('give runs an expiry after their retention', async () => {
    const { runs, attributes } = await setup();
    await runs.create(aRun());
    const { [EXPIRY_ATTRIBUTE]: expiry } = await attributes(runKey('run-1'));
    expect(expiry).toBe(START.getTime() / 1000 + 24 * 60 * 60);
    const { stacks } = await setup();
    const { spec, state } = aStack();
    await stacks.putSpec(spec, state);
    expect(await attributes(stackKey(spec.id))).not.toHaveProperty(EXPIRY_ATTRIBUTE);
  });

  it.each<{ what: string; name: string; value: unknown }>([
    { what: 'a state that is cut off', name: 'state', value: '{"stackId":"prod/net' },
    { what: 'a state of another shape', name: 'state', value: '{"stackId":"prod/network"}' },
    { what: 'a spec of another shape', name: 'spec', value: '[]' },
    { what: 'a spec that is no text', name: 'spec', value: 1 },
  ])('fail on $what, and never take it for a stack that is not there', async ({ name, value }) => {
    const { stacks, set } = await setup();
    const { spec, state } = aStack();
    await stacks.putSpec(spec, state);
    await set(stackKey(spec.id), name, value);
    const unreadable = expect.objectContaining({ code: 'ItemUnreadable' });
    await expect(stacks.get(spec.id)).rejects.toThrow(unreadable);
    await expect(stacks.list()).rejects.toThrow(unreadable);
    await expect(stacks.putSpec(spec, state)).rejects.toThrow(unreadable);
  });

  it.each<{ what: string; name: string; value: unknown }>([
    { what: 'an unknown status', name: 'status', value: 'paused' },
    { what: 'an outcome that is cut off', name: 'outcome', value: '{"kind":"lo' },
    { what: 'an outcome of another kind', name: 'outcome', value: '{"kind":"won"}' },
  ])('fail on a run with $what', async ({ name, value }) => {
    const { runs, set } = await setup();
    await runs.create(aRun());
    await runs.finish('run-1', lost(), START);
    await set(runKey('run-1'), name, value);
    await expect(runs.get('run-1')).rejects.toThrow(expect.objectContaining({ code: 'ItemUnreadable' }));
  });

  it('fail where the table can not be read or written', async () => {
    const { client } = dynalite;
    const stacks = createDynamoStackStore({ client, tableName: 'no-such-table' });
    const runs = createDynamoRunStore({ client, tableName: 'no-such-table' });
    const { spec, state } = aStack();
    const calls = [
      () => stacks.get('a'),
      () => stacks.list(),
      () => stacks.putSpec(spec, state),
      () => stacks.remove('a'),
      () => stacks.saveState(state),
      () => stacks.due(START, 1),
      () => stacks.stuck(START, 1),
      () => stacks.withOutbox(1),
      () => runs.create(aRun()),
      () => runs.get('a'),
      () => runs.listForStack('a', 1),
      () => runs.started('a', 'arn'),
      () => runs.finish('a', lost(), START),
    ];
    for (const call of calls)
      await expect(call()).rejects.toThrow(expect.objectContaining({ name: 'ResourceNotFoundException' }));
  });

  it('leave out what an index still has and the table has no more', async () => {
    const { stacks } = await setup(removing);
    for (const id of ['a', 'b', 'c']) {
      const { spec, state } = aStack({ id });
      await stacks.putSpec(spec, state);
    }
    beforeRead = () => stacks.remove('b');
    const { stacks: listed } = await stacks.list();
    expect(listed.map(({ spec }) => spec.id)).toEqual(['a', 'c']);
  });
});
