import { createAwsSecretSource } from '../../lib/adapters/aws-secret-source.ts';
import { openGitCatalogue } from '../../lib/adapters/git-catalogue.ts';
import { withinLimits } from '../../lib/adapters/run-limit.ts';
import { createS3CatalogueStore } from '../../lib/adapters/s3-catalogue-store.ts';
import { syncCatalogue } from '../../lib/app/sync-catalogue.ts';
import * as names from '../../lib/contract/env.ts';
import type { SyncEnvironment } from './environment.ts';
import { openGit } from './git.ts';
import { artifactsClient } from './local.ts';
import type { TaskContext } from './task-context.ts';
import { withWorkFolder } from './work-folder.ts';

// The next reading is minutes away.
const TIMEOUT_MS = 10 * 60_000;

/** Mode `sync-catalogue`: reads the catalogue from Git and leaves it in the bucket. */
export async function sync({ env, signal, say }: TaskContext, environment: SyncEnvironment): Promise<void> {
  const location = {
    url: environment[names.CATALOGUE_URL],
    ref: environment[names.CATALOGUE_REF],
    path: environment[names.CATALOGUE_PATH],
  };
  const latest = await withWorkFolder(environment[names.WORK_FOLDER], async (folder) => {
    const { source } = await openGit({ secrets: createAwsSecretSource() }, { env, environment, folder });
    const catalogues = createS3CatalogueStore({
      bucket: environment[names.ARTIFACTS_BUCKET],
      client: artifactsClient(environment),
    });
    return withinLimits({ timeoutMs: TIMEOUT_MS, signal }, (stop) => {
      const open = () => openGitCatalogue({ source }, { ...location, signal: stop });
      return syncCatalogue({ open, catalogues, clock: { now: () => new Date() } });
    });
  });
  say('failure' in latest ? `not taken over: ${latest.failure.message}` : `read ${count(latest.stacks.length)}`);
}

const count = (stacks: number): string => (stacks === 1 ? '1 stack' : `${stacks} stacks`);
