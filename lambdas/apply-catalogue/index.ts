import { createDynamoCatalogueMarkStore } from '../../lib/adapters/dynamo-catalogue-mark-store.ts';
import { createS3CatalogueStore } from '../../lib/adapters/s3-catalogue-store.ts';
import { ARTIFACTS_BUCKET, CATALOGUE_REMOVALS } from '../../lib/contract/env.ts';
import { optionalEnv, requireEnv, requireOneOf } from '../shared/env.ts';
import { createServiceDeps } from '../shared/service-deps.ts';
import { createHandler } from './handler.ts';

const deps = createServiceDeps();
const isGuarded = optionalEnv(CATALOGUE_REMOVALS) === undefined;

export const handler = createHandler({
  ...deps,
  catalogues: createS3CatalogueStore({ bucket: requireEnv(ARTIFACTS_BUCKET) }),
  marks: createDynamoCatalogueMarkStore(deps.table),
  removals: isGuarded ? 'guarded' : requireOneOf(CATALOGUE_REMOVALS, ['guarded', 'any']),
});
