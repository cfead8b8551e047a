import { S3Client } from '@aws-sdk/client-s3';
import { createFolderSource } from '../../lib/adapters/folder-source.ts';
import { tryGit } from '../../lib/adapters/git-command.ts';
import * as names from '../../lib/contract/env.ts';
import { LOCAL_CREDENTIALS } from '../../lib/contract/local-mode.ts';
import type { GitSource } from '../../lib/ports/git-source.ts';
import type { RunnerEnvironment } from './environment.ts';

/** What is different where somebody's own machine takes the place of AWS. */
export type Place = Pick<RunnerEnvironment, typeof names.LOCAL_ENDPOINT>;

/** For the artefact bucket, and for nothing else: stacks and secrets may well be on AWS. */
export function artifactsClient({ [names.LOCAL_ENDPOINT]: endpoint }: Place): S3Client {
  if (endpoint === undefined) return new S3Client({});
  return new S3Client({ endpoint, region: 'us-east-1', credentials: LOCAL_CREDENTIALS });
}

/** Folders of this machine count as they are. `env` is the whole environment for Git. */
export function withOwnFolders(place: Place, source: GitSource, env: Readonly<Record<string, string>>): GitSource {
  if (place[names.LOCAL_ENDPOINT] === undefined) return source;
  return createFolderSource({ git: source, headOf: (folder, signal) => headOf({ folder, env, signal }) });
}

async function headOf(session: {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}): Promise<string | undefined> {
  const command = tryGit({ ...session, url: session.folder, secrets: [] }, [
    'rev-parse',
    '--verify',
    '--quiet',
    'HEAD',
  ]);
  const answer = await command.catch(() => undefined);
  return answer?.kind === 'done' ? answer.stdout : undefined;
}
