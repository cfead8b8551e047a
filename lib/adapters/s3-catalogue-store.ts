import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { CATALOGUE_OBJECT } from '../contract/keys.ts';
import type { CatalogueStore } from '../ports/catalogue-store.ts';
import { parseLatestCatalogue } from './catalogue-file.ts';
import { toJsonText } from './json-text.ts';

export interface S3CatalogueStoreOptions {
  readonly bucket: string;
  readonly client?: S3Client;
}

/** Keeps the latest catalogue in a bucket, whose notification makes it take effect. */
export function createS3CatalogueStore({ bucket, client = new S3Client({}) }: S3CatalogueStoreOptions): CatalogueStore {
  const object = { Bucket: bucket, Key: CATALOGUE_OBJECT };
  return {
    put: async (latest) => {
      await client.send(new PutObjectCommand({ ...object, Body: toJsonText(latest), ContentType: 'application/json' }));
    },
    get: async () => {
      try {
        const { Body } = await client.send(new GetObjectCommand(object));
        return parseLatestCatalogue((await Body?.transformToString('utf-8')) ?? '');
      } catch (error) {
        if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
        throw error;
      }
    },
  };
}
