import { DeleteObjectsCommand, ListObjectsV2Command, type S3Client } from '@aws-sdk/client-s3';
import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Deployment } from '../contract/deployment.ts';
import { runKey } from '../contract/keys.ts';

export interface RetentionDeps {
  readonly s3: S3Client;
  readonly client: DynamoDBDocumentClient;
  readonly deployment: Pick<Deployment, 'artifactsBucket' | 'tableName'>;
}

/**
 * Forgets runs that were written before a moment, with their files. On AWS expiry and lifecycle rules do that, which the
 * emulators don't have. Resolves with the number of files.
 */
export async function forgetRuns({ s3, client, deployment }: RetentionDeps, before: Date): Promise<number> {
  const { artifactsBucket: Bucket, tableName } = deployment;
  let forgotten = 0;
  let ContinuationToken: string | undefined;
  do {
    const page = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'runs/', ContinuationToken }));
    const old = (page.Contents ?? []).filter(({ LastModified }) => LastModified !== undefined && LastModified < before);
    const keys = old.map(({ Key = '' }) => Key);
    for (const runId of new Set(keys.map(runOf))) {
      await client.send(new DeleteCommand({ TableName: tableName, Key: runKey(runId) }));
    }
    if (keys.length > 0) {
      await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: keys.map((Key) => ({ Key })) } }));
    }
    forgotten += keys.length;
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return forgotten;
}

/** `runs/<stack>/<run>/<file>`, where ids of stacks may hold slashes. */
function runOf(key: string): string {
  return key.split('/').at(-2) ?? '';
}
