import { afterAll, describe, expect, it } from 'vitest';
import { createDynamoRunStore } from '../../lib/adapters/dynamo-run-store.ts';
import { createMemoryRunStore } from '../../lib/adapters/memory-run-store.ts';
import type { RunOutcome, RunRecord } from '../../lib/domain/run.ts';
import type { RunStore } from '../../lib/ports/run-store.ts';
import { startDynalite } from '../support/dynalite.ts';
import { aDriftedSummary, aSummary, lost, result, START } from '../support/stack-builder.ts';

const dynalite = await startDynalite();
afterAll(() => dynalite.close());

interface Maker {
  readonly name: string;
  create(): Promise<RunStore>;
}

const makers: readonly Maker[] = [
  { name: 'memory', create: async () => createMemoryRunStore() },
  {
    name: 'DynamoDB',
    create: async () => createDynamoRunStore({ client: dynalite.client, tableName: await dynalite.table() }),
  },
];

const TASK = 'arn:aws:ecs:eu-west-1:111122223333:task/holdfast/1';
const END = new Date('2026-03-02T09:05:00.000Z');

const aRun = (over: Partial<RunRecord> = {}): RunRecord => ({
  runId: '01KJPX4ZZZ0000000000000001',
  stackId: 'prod/network',
  kind: 'check',
  trigger: 'schedule',
  attempt: 1,
  status: 'queued',
  createdAt: START.toISOString(),
  deadline: '2026-03-02T10:00:00.000Z',
  task: { cpu: 1024, memoryMiB: 2048, arch: 'arm64' },
  taskArn: null,
  finishedAt: null,
  outcome: null,
  ...over,
});

describe.each(makers)('the $name run store', ({ create }) => {
  const withRun = async (run = aRun()) => {
    const store = await create();
    await store.create(run);
    return { store, run, get: () => store.get(run.runId) };
  };

  it('has no run that was never created', async () => {
    expect(await (await create()).get('01KJPX4ZZZ0000000000000001')).toBeUndefined();
  });

  it('gives back what was created', async () => {
    const { run, get } = await withRun();
    expect(await get()).toEqual(run);
  });

  it('takes a run that is finished already', async () => {
    const finished = aRun({ status: 'failed', finishedAt: END.toISOString(), outcome: lost() });
    const { store, run, get } = await withRun(finished);
    expect(await get()).toEqual(finished);
    expect(await store.finish(run.runId, result(aSummary()), END)).toBe('already-finished');
  });

  it('leaves a run alone that is created again, even when it is finished', async () => {
    const { store, run, get } = await withRun();
    await store.started(run.runId, TASK);
    await store.create(run);
    expect(await get()).toMatchObject({ status: 'running', taskArn: TASK });
    await store.finish(run.runId, lost(), END);
    await store.create(run);
    expect(await get()).toMatchObject({ status: 'failed', finishedAt: END.toISOString() });
  });

  it('notes the task of a run', async () => {
    const { store, run, get } = await withRun();
    await store.started(run.runId, TASK);
    expect(await get()).toEqual({ ...run, status: 'running', taskArn: TASK });
  });

  it.each<{ what: string; outcome: RunOutcome; status: string }>([
    { what: 'in sync', outcome: result(aSummary()), status: 'succeeded' },
    { what: 'with drift', outcome: result(aDriftedSummary('a'.repeat(64))), status: 'succeeded' },
    { what: 'with a busy stack', outcome: result(aSummary({ verdict: 'busy', complete: false })), status: 'succeeded' },
    {
      what: 'without a verdict',
      outcome: result(aSummary({ verdict: 'failed', failure: { code: 'InitFailed', message: 'no such module' } })),
      status: 'failed',
    },
    { what: 'lost', outcome: lost(), status: 'failed' },
  ])('ends a run $what as $status', async ({ outcome, status }) => {
    const { store, run, get } = await withRun();
    expect(await store.finish(run.runId, outcome, END)).toBe('finished');
    expect(await get()).toEqual({ ...run, status, finishedAt: END.toISOString(), outcome });
  });

  it('keeps the first end of a run', async () => {
    const { store, run, get } = await withRun();
    await store.finish(run.runId, result(aSummary()), END);
    const finished = await get();
    expect(await store.finish(run.runId, lost(), new Date('2026-03-02T09:06:00.000Z'))).toBe('already-finished');
    expect(await get()).toEqual(finished);
  });

  it('lets one of many ends win', async () => {
    const { store, run } = await withRun();
    const ends = await Promise.all([1, 2, 3, 4].map(() => store.finish(run.runId, lost(), END)));
    expect(ends.filter((end) => end === 'finished')).toHaveLength(1);
  });

  it('notes the task of a run that is finished already, and does not start it again', async () => {
    const { store, run, get } = await withRun();
    await store.finish(run.runId, lost(), END);
    await store.started(run.runId, TASK);
    expect(await get()).toMatchObject({ status: 'failed', taskArn: TASK, finishedAt: END.toISOString() });
  });

  it('fails to start or finish a run that does not exist', async () => {
    const store = await create();
    const missing = expect.objectContaining({ code: 'RunNotFound' });
    await expect(store.started('nope', TASK)).rejects.toThrow(missing);
    await expect(store.finish('nope', lost(), END)).rejects.toThrow(missing);
    expect(await store.get('nope')).toBeUndefined();
  });

  it('lists the runs of one stack, newest first, as many as asked for', async () => {
    const store = await create();
    const ids = Array.from({ length: 12 }, (_, index) => `01KJPX4ZZZ00000000000000${String(index).padStart(2, '0')}`);
    for (const runId of ids) await store.create(aRun({ runId }));
    await store.create(aRun({ runId: '01KJPX4ZZZ9999999999999999', stackId: 'prod/network-2' }));
    await store.started(ids[11] ?? '', TASK);
    const listed = await store.listForStack('prod/network', 5);
    expect(listed.map(({ runId }) => runId)).toEqual(ids.toReversed().slice(0, 5));
    expect(listed[0]).toMatchObject({ status: 'running', taskArn: TASK });
    expect(await store.listForStack('prod/other', 5)).toEqual([]);
  });
});
