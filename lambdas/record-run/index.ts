import { createS3ArtifactStore } from '../../lib/adapters/s3-artifact-store.ts';
import { ARTIFACTS_BUCKET } from '../../lib/contract/env.ts';
import { requireEnv } from '../shared/env.ts';
import { createServiceDeps } from '../shared/service-deps.ts';
import { createHandler } from './handler.ts';

export const handler = createHandler({
  ...createServiceDeps(),
  artifacts: createS3ArtifactStore({ bucket: requireEnv(ARTIFACTS_BUCKET) }),
});
