import { createEcsTaskLauncher } from '../../lib/adapters/ecs-task-launcher.ts';
import { createS3ArtifactStore } from '../../lib/adapters/s3-artifact-store.ts';
import {
  ARTIFACTS_BUCKET,
  MAX_CONCURRENCY,
  MAX_CONCURRENCY_PER_ACCOUNT,
  MAX_LAUNCHES,
} from '../../lib/contract/env.ts';
import { optionalCount, requireCount, requireEnv } from '../shared/env.ts';
import { readPlacement } from '../shared/placement.ts';
import { createServiceDeps } from '../shared/service-deps.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler({
  ...createServiceDeps(),
  artifacts: createS3ArtifactStore({ bucket: requireEnv(ARTIFACTS_BUCKET) }),
  launcher: createEcsTaskLauncher(readPlacement()),
  limits: {
    mostLaunches: requireCount(MAX_LAUNCHES),
    mostConcurrent: requireCount(MAX_CONCURRENCY),
    mostPerAccount: optionalCount(MAX_CONCURRENCY_PER_ACCOUNT),
  },
});
