import { CreateBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, describe, expect, it } from 'vitest';
import { createMemoryArtifactStore } from '../../lib/adapters/memory-artifact-store.ts';
import { createS3ArtifactStore } from '../../lib/adapters/s3-artifact-store.ts';
import { runPrefix } from '../../lib/contract/keys.ts';
import { PreciseNumber } from '../../lib/domain/json.ts';
import type { RunSpec } from '../../lib/domain/run.ts';
import type { ArtifactStore, RunReport } from '../../lib/ports/artifact-store.ts';
import { aFinding, aResult } from '../support/builders.ts';
import { startFauxqs } from '../support/fauxqs.ts';
import { aSpec } from '../support/stack-builder.ts';

const fauxqs = await startFauxqs();
afterAll(() => fauxqs.close());

interface Made {
  readonly store: ArtifactStore;
  /** Writes an object past the store. */
  write(key: string, text: string): Promise<unknown>;
}

let buckets = 0;
const makers: readonly { readonly name: string; create(): Promise<Made> }[] = [
  {
    name: 'memory',
    create: async () => {
      const objects = new Map<string, string | Uint8Array>();
      return { store: createMemoryArtifactStore(objects), write: async (key, text) => objects.set(key, text) };
    },
  },
  {
    name: 'S3',
    create: async () => {
      buckets += 1;
      const Bucket = `artifacts-${buckets}`;
      await fauxqs.s3.send(new CreateBucketCommand({ Bucket }));
      return {
        store: createS3ArtifactStore({ bucket: Bucket, client: fauxqs.s3 }),
        write: (Key, text) => fauxqs.s3.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(text) })),
      };
    },
  },
];

const STACK = 'prod/network';
const RUN = '01KJPX4ZZZ0000000000000001';

const aReport = (over: Partial<RunReport> = {}): RunReport => ({
  schemaVersion: 1,
  runId: RUN,
  stackId: STACK,
  result: aResult({
    stack: STACK,
    verdict: 'drifted',
    findings: [aFinding({ address: 'aws_sqs_queue.jobs["水🙂"]' })],
  }),
  commit: '1f0e',
  peakMemoryMiB: 512.5,
  ...over,
});

const aRunSpec = (over: Partial<RunSpec> = {}): RunSpec => ({
  schemaVersion: 1,
  runId: RUN,
  kind: 'check',
  stack: aSpec({ vars: { precise: new PreciseNumber('12345678901234567890.10'), text: 'zß水🙂' } }),
  catalogueCommit: null,
  baseline: {
    digests: { basis: 'files', config: 'c'.repeat(64), inputs: 'd'.repeat(64), providers: null },
    at: '2026-11-30T09:00:00.000Z',
  },
  deadline: '2026-11-30T10:00:00.000Z',
  ...over,
});

describe.each(makers)('the $name artifact store', ({ create }) => {
  it('gives the runner the spec that was put for it, with every digit', async () => {
    const { store } = await create();
    await store.putSpec(aRunSpec());
    expect(await store.getSpec(STACK, RUN)).toStrictEqual(aRunSpec());
  });

  it('gives the spec that was put last', async () => {
    const { store } = await create();
    await store.putSpec(aRunSpec());
    await store.putSpec(aRunSpec({ catalogueCommit: '2b1c' }));
    expect(await store.getSpec(STACK, RUN)).toMatchObject({ catalogueCommit: '2b1c' });
  });

  it('fails for a run without a spec', async () => {
    const { store } = await create();
    await expect(store.getSpec(STACK, RUN)).rejects.toThrow(expect.objectContaining({ code: 'RunNotFound' }));
  });

  it.each([
    { what: 'is cut off', text: JSON.stringify(aRunSpec()).slice(0, 200) },
    { what: 'is of another version', text: JSON.stringify({ ...aRunSpec(), schemaVersion: 2 }) },
    { what: 'belongs to another run', text: JSON.stringify(aRunSpec({ runId: 'other' })) },
    { what: 'belongs to another stack', text: JSON.stringify(aRunSpec({ stack: aSpec({ id: 'prod/other' }) })) },
  ])('fails for a spec that $what', async ({ text }) => {
    const { store, write } = await create();
    await write(`${runPrefix(STACK, RUN)}spec.json`, text);
    await expect(store.getSpec(STACK, RUN)).rejects.toThrow(expect.objectContaining({ code: 'ItemUnreadable' }));
  });

  it('has no report before the runner wrote one', async () => {
    const { store } = await create();
    await store.putSpec(aRunSpec());
    expect(await store.getReport(STACK, RUN)).toBeUndefined();
  });

  it('gives back a report', async () => {
    const { store } = await create();
    await store.putReport(aReport());
    expect(await store.getReport(STACK, RUN)).toEqual(aReport());
  });

  it('keeps the first report of a run', async () => {
    const { store } = await create();
    await store.putReport(aReport());
    await store.putReport(aReport({ commit: 'later' }));
    expect(await store.getReport(STACK, RUN)).toEqual(aReport());
  });

  it('keeps runs and stacks apart', async () => {
    const { store } = await create();
    await store.putReport(aReport());
    expect(await store.getReport(STACK, `${RUN}2`)).toBeUndefined();
    expect(await store.getReport('prod', RUN)).toBeUndefined();
    expect(await store.getReport('prod/network/a', RUN)).toBeUndefined();
  });

  const text = (report: object): string => JSON.stringify(report);
  it.each([
    { what: 'is empty', damaged: '', message: "can't be read" },
    { what: 'is cut off', damaged: text(aReport()).slice(0, -20), message: "can't be read" },
    { what: 'is no report', damaged: '{"message":"Service Unavailable"}', message: "can't be read" },
    { what: 'is of another version', damaged: text({ ...aReport(), schemaVersion: 2 }), message: "can't be read" },
    { what: 'belongs to another run', damaged: text(aReport({ runId: 'other' })), message: 'belongs to run other' },
    { what: 'belongs to another stack', damaged: text(aReport({ stackId: 'a' })), message: 'belongs to stack a' },
    {
      what: 'is about another stack',
      damaged: text(aReport({ result: aResult() })),
      message: 'is about stack prod/queues',
    },
  ])('fails for a report that $what', async ({ damaged, message }) => {
    const { store, write } = await create();
    await write(`${runPrefix(STACK, RUN)}result.json`, damaged);
    await expect(store.getReport(STACK, RUN)).rejects.toThrow(
      expect.objectContaining({ code: 'ResultUnreadable', message: expect.stringContaining(message) }),
    );
  });

  it('gives back the log of a run, once there is one', async () => {
    const { store } = await create();
    expect(await store.getLog(STACK, RUN)).toBeUndefined();
    await store.putFile(STACK, RUN, { name: 'run.log', content: 'init\nplan: 水🙂\n' });
    expect(await store.getLog(STACK, RUN)).toBe('init\nplan: 水🙂\n');
    await store.putFile(STACK, RUN, { name: 'run.log', content: new TextEncoder().encode('again') });
    expect(await store.getLog(STACK, RUN)).toBe('again');
    await store.putFile(STACK, RUN, { name: 'run.log', content: '' });
    expect(await store.getLog(STACK, RUN)).toBe('');
  });

  it('takes plan files beside the report', async () => {
    const { store } = await create();
    await store.putFile(STACK, RUN, { name: 'plan.tfplan', content: new Uint8Array([0, 255, 13, 10]) });
    await store.putFile(STACK, RUN, { name: 'plan.json', content: '{}' });
    await store.putFile(STACK, RUN, { name: 'state-identity.json', content: '{}' });
    expect(await store.getReport(STACK, RUN)).toBeUndefined();
  });
});
