import { CreateBucketCommand, GetObjectTaggingCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createS3ArtifactStore } from '../../lib/adapters/s3-artifact-store.ts';
import { PLAN_TAG } from '../../lib/contract/object-tags.ts';
import type { RunReport } from '../../lib/ports/artifact-store.ts';
import { type Answer, startAnsweringServer } from '../support/answering-server.ts';
import { aResult } from '../support/builders.ts';
import { type Moto, startMoto } from '../support/moto.ts';
import { describeInWorld } from '../support/world.ts';

const STACK = 'prod/network';
const RUN = '01KJPX4ZZZ0000000000000001';

const aReport = (over: Partial<RunReport> = {}): RunReport => ({
  schemaVersion: 1,
  runId: RUN,
  stackId: STACK,
  result: aResult({ stack: STACK }),
  commit: null,
  peakMemoryMiB: null,
  ...over,
});

const clientOf = (endpoint: string): S3Client =>
  new S3Client({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  });

const ok: Answer = (response) => response.writeHead(200).end();
const refuse =
  (status: number, code: string): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);

describe('the S3 artifact store', () => {
  let server: Awaited<ReturnType<typeof startAnsweringServer>>;
  let client: S3Client;
  beforeAll(async () => {
    server = await startAnsweringServer();
    client = clientOf(server.endpoint);
  });
  beforeEach(() => server.answer());
  afterAll(async () => {
    client.destroy();
    await server.close();
  });
  const store = () => createS3ArtifactStore({ bucket: 'artifacts', client });

  it('writes a report under its run, only where there is none', async () => {
    server.answer(ok);
    await store().putReport(aReport());
    expect(server.requests).toEqual([
      expect.objectContaining({
        method: 'PUT',
        url: `/artifacts/runs/${STACK}/${RUN}/result.json?x-id=PutObject`,
        headers: expect.objectContaining({ 'if-none-match': '*', 'content-type': 'application/json' }),
        body: JSON.stringify(aReport()),
      }),
    ]);
  });

  it('leaves encryption to the bucket', async () => {
    server.answer(ok);
    await store().putReport(aReport());
    await store().putFile(STACK, RUN, { name: 'plan.json', content: '{}' });
    const names = server.requests.flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => name.includes('encryption'))).toEqual([]);
  });

  it.each([
    { name: 'plan.tfplan', tagging: 'holdfast%3Acontent=plan', type: 'application/octet-stream' },
    { name: 'plan.json', tagging: 'holdfast%3Acontent=plan', type: 'application/json' },
    { name: 'run.log', tagging: undefined, type: 'text/plain; charset=utf-8' },
    { name: 'state-identity.json', tagging: undefined, type: 'application/json' },
  ] as const)('writes $name with its type, and marks what holds attribute values', async ({ name, tagging, type }) => {
    server.answer(ok);
    await store().putFile(STACK, RUN, { name, content: 'x' });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      url: `/artifacts/runs/${STACK}/${RUN}/${name}?x-id=PutObject`,
      body: 'x',
    });
    expect(server.requests[0]?.headers['x-amz-tagging']).toBe(tagging);
    expect(server.requests[0]?.headers['content-type']).toBe(type);
  });

  it('takes a report that is there already for written', async () => {
    server.answer(refuse(412, 'PreconditionFailed'));
    await store().putReport(aReport());
    expect(server.requests).toHaveLength(1);
  });

  it('writes a report again after a conflict with another write', async () => {
    server.answer(refuse(409, 'ConditionalRequestConflict'), ok);
    await store().putReport(aReport());
    expect(server.requests).toHaveLength(2);
  });

  it('fails where conflicts do not end, and where a report is refused', async () => {
    server.answer(refuse(409, 'ConditionalRequestConflict'));
    await expect(store().putReport(aReport())).rejects.toThrow(
      expect.objectContaining({ name: 'ConditionalRequestConflict' }),
    );
    expect(server.requests).toHaveLength(4);
    server.answer(refuse(403, 'AccessDenied'));
    await expect(store().putReport(aReport())).rejects.toThrow(expect.objectContaining({ name: 'AccessDenied' }));
  });

  it.each([
    { status: 403, code: 'AccessDenied' },
    { status: 404, code: 'NoSuchBucket' },
    { status: 503, code: 'SlowDown' },
  ])('fails on $code, and never takes it for a report that is not there', async ({ status, code }) => {
    server.answer(refuse(status, code));
    await expect(store().getReport(STACK, RUN)).rejects.toThrow(expect.objectContaining({ name: code }));
    await expect(store().getLog(STACK, RUN)).rejects.toThrow(expect.objectContaining({ name: code }));
    await expect(store().getSpec(STACK, RUN)).rejects.toThrow(expect.objectContaining({ name: code }));
  });

  it('fails where the connection breaks in the middle of a report', async () => {
    const text = JSON.stringify(aReport());
    server.answer((response) => {
      response.writeHead(200, { 'content-length': Buffer.byteLength(text) });
      response.write(text.slice(0, 100), () => response.destroy());
    });
    await expect(store().getReport(STACK, RUN)).rejects.toThrow('aborted');
  });
});

describeInWorld('the S3 artifact store on an emulator with tags and conditions', () => {
  let moto: Moto;
  let client: S3Client;
  beforeAll(async () => {
    moto = await startMoto('moto_server', { PATH: process.env.PATH ?? '' });
    client = clientOf(moto.endpoint);
    await client.send(new CreateBucketCommand({ Bucket: 'artifacts' }));
  });
  afterAll(async () => {
    client.destroy();
    await moto.close();
  });

  it('keeps the first report, and tags plan files', async () => {
    const store = createS3ArtifactStore({ bucket: 'artifacts', client });
    await store.putReport(aReport());
    await store.putReport(aReport({ commit: 'later' }));
    expect(await store.getReport(STACK, RUN)).toEqual(aReport());
    await store.putFile(STACK, RUN, { name: 'plan.tfplan', content: new Uint8Array([0, 255]) });
    const object = { Bucket: 'artifacts', Key: `runs/${STACK}/${RUN}/plan.tfplan` };
    const { TagSet } = await client.send(new GetObjectTaggingCommand(object));
    expect(TagSet).toEqual([{ Key: PLAN_TAG.key, Value: PLAN_TAG.value }]);
    expect(await store.getLog(STACK, RUN)).toBeUndefined();
  });
});
