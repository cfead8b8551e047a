import { join } from 'node:path';
import { createAwsSecretSource } from '../../lib/adapters/aws-secret-source.ts';
import { measurePeakMemory } from '../../lib/adapters/peak-memory.ts';
import { withinLimits } from '../../lib/adapters/run-limit.ts';
import { createRunnerStackEngines } from '../../lib/adapters/runner-stack-engines.ts';
import { createS3ArtifactStore } from '../../lib/adapters/s3-artifact-store.ts';
import { sha256 } from '../../lib/adapters/sha256.ts';
import { createStsRoleAssumer } from '../../lib/adapters/sts-role-assumer.ts';
import { type RunCheckDeps, runCheck } from '../../lib/app/run-check.ts';
import * as names from '../../lib/contract/env.ts';
import type { CheckEnvironment } from './environment.ts';
import { openGit } from './git.ts';
import { artifactsClient } from './local.ts';
import type { TaskContext } from './task-context.ts';
import { withWorkFolder } from './work-folder.ts';

/** Mode `check`: plans one stack and leaves a report. */
export async function check(task: TaskContext, environment: CheckEnvironment): Promise<void> {
  const memory = measurePeakMemory();
  const deps = { ...task, environment, peakMemoryMiB: memory.mebibytes };
  try {
    await withWorkFolder(environment[names.WORK_FOLDER], async (folder) => {
      await runCheck(await assemble({ ...deps, folder }), {
        runId: environment[names.RUN_ID],
        stackId: environment[names.STACK_ID],
        signal: task.signal,
      });
    });
  } finally {
    memory.stop();
  }
}

interface AssembleInput extends TaskContext, Pick<RunCheckDeps, 'peakMemoryMiB'> {
  readonly environment: CheckEnvironment;
  readonly folder: string;
}

async function assemble({ env, say, environment, folder, peakMemoryMiB }: AssembleInput): Promise<RunCheckDeps> {
  const secrets = createAwsSecretSource();
  const { source, git, ownSecrets } = await openGit({ secrets }, { env, environment, folder });
  return {
    artifacts: createS3ArtifactStore({
      bucket: environment[names.ARTIFACTS_BUCKET],
      client: artifactsClient(environment),
    }),
    source,
    secrets,
    roles: createStsRoleAssumer(),
    engines: createRunnerStackEngines({
      ...{ task: env, folder, git, say },
      cacheDir: environment[names.CACHE_FOLDER] ?? join(folder, 'cache'),
      salt: environment[names.DIGEST_SALT],
      identity: environment[names.LOCAL_ENDPOINT] === undefined ? 'plan-role' : 'own',
    }),
    withinLimits,
    peakMemoryMiB,
    clock: { now: () => new Date() },
    sha256,
    ownSecrets,
    say,
  };
}
