import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { createDynamoRunStore } from '../../lib/adapters/dynamo-run-store.ts';
import { createDynamoStackStore } from '../../lib/adapters/dynamo-stack-store.ts';
import { stackKey } from '../../lib/contract/keys.ts';
import { appendEvent } from '../../lib/domain/event-log.ts';
import type { Rules } from '../../lib/domain/rules.ts';
import type { StackSpec } from '../../lib/domain/stack-spec.ts';
import type { StackState } from '../../lib/domain/stack-state.ts';
import { startDynalite } from '../support/dynalite.ts';
import { aDriftedSummary, aSpec, aStack, lost, result, START } from '../support/stack-builder.ts';

const dynalite = await startDynalite();
afterAll(() => dynalite.close());

const MOST_ITEM_BYTES = 400 * 1024;

async function stackStore() {
  const tableName = await dynalite.table();
  const { client } = dynalite;
  return {
    store: createDynamoStackStore({ client, tableName }),
    /** As DynamoDB counts: names and values in UTF-8, and no number takes more than 21 bytes. */
    itemBytes: async (stackId: string): Promise<number> => {
      const { Item = {} } = await client.send(new GetCommand({ TableName: tableName, Key: stackKey(stackId) }));
      const sizes = Object.entries(Item).map(([name, value]) => {
        return Buffer.byteLength(name) + (typeof value === 'string' ? Buffer.byteLength(value) : 21);
      });
      return sizes.reduce((sum, size) => sum + size, 0);
    },
  };
}

/** A spec that is as large as one may be, of characters that take four bytes. */
function aLargeSpec(): StackSpec {
  const rule = { stack: '*', address: 'a', path: '*', owner: 'o', reason: '🙂'.repeat(230), expires: 'never' };
  const rules: Rules = { ...aSpec().rules, ignore: Array.from({ length: 90 }, () => rule) };
  return aSpec({ id: 's'.repeat(128), rules, labels: Array.from({ length: 30 }, () => '🙂'.repeat(30)) });
}

describe('the size of items', () => {
  it('is limited by the emulator too, which counts characters', async () => {
    const put = (length: number, TableName: string) =>
      dynalite.client.send(new PutCommand({ TableName, Item: { pk: 'a', sk: 'b', text: 'x'.repeat(length) } }));
    const table = await dynalite.table();
    await put(MOST_ITEM_BYTES - 20, table);
    await expect(put(MOST_ITEM_BYTES, table)).rejects.toThrow('Item size has exceeded the maximum allowed size');
  });

  it('stays below that for the largest spec with the most and longest events', async () => {
    const { store, itemBytes } = await stackStore();
    const spec = aLargeSpec();
    const text = '🙂'.repeat(150);
    const finding = { address: text, class: 'changed-outside', severity: 'high', paths: Array(5).fill(text) } as const;
    const failure = { code: 'InitFailed', message: '🙂'.repeat(50_000), hint: text, location: { file: text } };
    const summary = aDriftedSummary('a'.repeat(64), { topFindings: Array(10).fill(finding), failure });
    const { state } = aStack(spec);
    await store.putSpec(spec, state);
    let told: StackState = { ...state, lastSummary: summary };
    const detail = { at: START, runId: 'run', episode: null, summary, failure };
    for (let index = 0; index < 26; index += 1) told = appendEvent(spec, told, 'drift.changed', detail);
    expect(await store.saveState({ ...told, version: state.version + 1 })).toBe('saved');
    const stored = await store.get(spec.id);
    expect(stored?.spec).toEqual(spec);
    expect(await itemBytes(spec.id)).toBeGreaterThan(300_000);
    expect(await itemBytes(spec.id)).toBeLessThan(MOST_ITEM_BYTES);
    expect(stored?.state.outbox.map(({ sequence }) => sequence)).toEqual(told.outbox.map(({ sequence }) => sequence));
  });

  it('fails before DynamoDB does where too many events are queued', async () => {
    const { store } = await stackStore();
    const { spec, state } = aStack();
    await store.putSpec(spec, state);
    let told = state;
    const detail = { at: START, runId: null, episode: null, summary: null, failure: null };
    for (let index = 0; index < 1000; index += 1) told = appendEvent(spec, told, 'check.overdue', detail);
    await expect(store.saveState({ ...told, version: state.version + 1 })).rejects.toThrow(
      expect.objectContaining({
        code: 'ItemTooLarge',
        message: expect.stringMatching(/^state of prod\/network takes/),
      }),
    );
    expect((await store.get(spec.id))?.state).toEqual(state);
  });

  it('fails before DynamoDB does for a spec that is too large', async () => {
    const { store } = await stackStore();
    const spec = aSpec({ env: { BIG: 'x'.repeat(100_000) } });
    await expect(store.putSpec(spec, aStack().state)).rejects.toThrow(
      expect.objectContaining({ code: 'ItemTooLarge' }),
    );
    expect(await store.get(spec.id)).toBeUndefined();
  });

  it('is no limit to a run, whatever its failure and findings are', async () => {
    const store = createDynamoRunStore({ client: dynalite.client, tableName: await dynalite.table() });
    const outcomes = [
      lost('🙂'.repeat(200_000)),
      result(
        aDriftedSummary('a'.repeat(64), {
          topFindings: Array(10).fill({
            address: '\u0001'.repeat(20_000),
            class: 'absorbed',
            severity: 'low',
            paths: [],
          }),
        }),
      ),
    ];
    for (const [index, outcome] of outcomes.entries()) {
      const runId = `run-${index}`;
      const { task } = aSpec();
      const times = { createdAt: START.toISOString(), deadline: START.toISOString(), finishedAt: null };
      const run = { runId, stackId: 'a', kind: 'check', trigger: 'manual', attempt: 1, status: 'queued' } as const;
      await store.create({ ...run, ...times, task, taskArn: null, outcome: null });
      expect(await store.finish(runId, outcome, START)).toBe('finished');
    }
  });
});
