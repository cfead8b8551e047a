import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { REPORT_OBJECT, runPrefix, SPEC_OBJECT } from '../contract/keys.ts';
import { PLAN_TAG } from '../contract/object-tags.ts';
import type { ArtifactStore, RunFile, RunReport } from '../ports/artifact-store.ts';
import { toJsonText } from './json-text.ts';
import { parseReport, parseSpec } from './run-files.ts';

export interface S3ArtifactStoreOptions {
  /** Decides about encryption and retention. */
  readonly bucket: string;
  readonly client?: S3Client;
}

const JSON_TYPE = 'application/json';
const FILE_TYPES: Readonly<Record<RunFile['name'], string>> = {
  'plan.tfplan': 'application/octet-stream',
  'plan.json': JSON_TYPE,
  'run.log': 'text/plain; charset=utf-8',
  'state-identity.json': JSON_TYPE,
};

// The bucket deletes what holds attribute values before the rest.
const PLAN_FILES: readonly RunFile['name'][] = ['plan.tfplan', 'plan.json'];
const PLAN_TAGGING = new URLSearchParams({ [PLAN_TAG.key]: PLAN_TAG.value }).toString();

/**
 * Keeps the files of runs in a bucket. The first report of a run is the one that counts: a second, from a runner that was
 * started twice or a request that was repeated, changes nothing. The other files may be written again.
 *
 * Without permission to list the bucket S3 answers 403 for what is not there, which is an error here.
 */
export function createS3ArtifactStore({ bucket, client = new S3Client({}) }: S3ArtifactStoreOptions): ArtifactStore {
  const objects = { client, bucket };
  const keyOf = (stackId: string, runId: string, name: string) => `${runPrefix(stackId, runId)}${name}`;
  return {
    putSpec: async (spec) => {
      const key = keyOf(spec.stack.id, spec.runId, SPEC_OBJECT);
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: key, Body: toJsonText(spec), ContentType: JSON_TYPE }),
      );
    },
    getSpec: async (stackId, runId) =>
      parseSpec(await getText(objects, keyOf(stackId, runId, SPEC_OBJECT)), stackId, runId),
    putReport: (report) => putReport(objects, keyOf(report.stackId, report.runId, REPORT_OBJECT), report),
    getReport: async (stackId, runId) => {
      const text = await getText(objects, keyOf(stackId, runId, REPORT_OBJECT));
      return text === undefined ? undefined : parseReport(text, stackId, runId);
    },
    putFile: async (stackId, runId, { name, content }) => {
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: keyOf(stackId, runId, name),
          Body: content,
          // The SDK can't tell that of an empty text.
          ContentLength: Buffer.byteLength(content),
          ContentType: FILE_TYPES[name],
          ...(PLAN_FILES.includes(name) && { Tagging: PLAN_TAGGING }),
        }),
      );
    },
    getLog: (stackId, runId) => getText(objects, keyOf(stackId, runId, 'run.log')),
  };
}

interface Objects {
  readonly client: S3Client;
  readonly bucket: string;
}

const MOST_CONFLICTS = 3;

async function putReport({ client, bucket }: Objects, key: string, report: RunReport, conflicts = 0): Promise<void> {
  const object = { Bucket: bucket, Key: key, Body: toJsonText(report), ContentType: JSON_TYPE };
  try {
    await client.send(new PutObjectCommand({ ...object, IfNoneMatch: '*' }));
  } catch (error) {
    if (isNamed(error, 'PreconditionFailed')) return;
    // Somebody else writes it at this moment. The SDK does not try again after a conflict, S3 asks for it.
    if (!isNamed(error, 'ConditionalRequestConflict') || conflicts >= MOST_CONFLICTS) throw error;
    await putReport({ client, bucket }, key, report, conflicts + 1);
  }
}

async function getText({ client, bucket }: Objects, key: string): Promise<string | undefined> {
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    return (await Body?.transformToString('utf-8')) ?? '';
  } catch (error) {
    if (isNamed(error, 'NoSuchKey')) return undefined;
    throw error;
  }
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
