import { describe, expect, it } from 'vitest';
import { createHandler } from '../../lambdas/apply-catalogue/handler.ts';
import { createMemoryCatalogueMarkStore } from '../../lib/adapters/memory-catalogue-mark-store.ts';
import type { LatestCatalogue } from '../../lib/ports/catalogue-store.ts';
import { createPipelineWorld } from '../support/pipeline-world.ts';
import { aSpec } from '../support/stack-builder.ts';
import { createTestTelemetry, lambdaContext } from '../support/telemetry.ts';

const WRITTEN = {
  version: '0',
  id: '17793124-05d4-b198-2fde-7ededc63b103',
  'detail-type': 'Object Created',
  source: 'aws.s3',
  detail: { bucket: { name: 'holdfast-artifacts' }, object: { key: 'catalogue/latest.json' }, reason: 'PutObject' },
};

async function setup(latest: LatestCatalogue) {
  const world = await createPipelineWorld([]);
  const telemetry = createTestTelemetry();
  const catalogues = { get: async () => latest, put: async () => undefined };
  const marks = createMemoryCatalogueMarkStore();
  const handler = createHandler({ ...world.deps, telemetry, catalogues, marks, removals: 'guarded' });
  return { world, telemetry, invoke: () => handler(WRITTEN, lambdaContext('apply-catalogue')) };
}

const good: LatestCatalogue = { schemaVersion: 1, commit: 'c1', stacks: [aSpec({ id: 'a' }), aSpec({ id: 'b' })] };

describe('apply-catalogue', () => {
  it('takes over the latest catalogue and says what changed', async () => {
    const { world, telemetry, invoke } = await setup(good);
    expect(await invoke()).toEqual({ kind: 'applied', created: 2, updated: 0, removed: 0 });
    expect((await world.deps.stacks.list()).stacks).toHaveLength(2);
    expect(telemetry.emitted()).toEqual({ CatalogueInvalid: [0] });
    expect(telemetry.lines()).toMatchObject([{ message: 'catalogue taken over', created: 2 }]);
  });

  it('says of an invalid one that it is, each time it sees it', async () => {
    const failure = { code: 'CatalogueInvalid', message: 'no YAML' };
    const { world, telemetry, invoke } = await setup({ schemaVersion: 1, commit: 'c1', failure });
    await invoke();
    expect(await invoke()).toEqual({ kind: 'invalid', failure, announced: false });
    expect(telemetry.emitted()).toEqual({ CatalogueInvalid: [1, 1] });
    expect(world.published).toHaveLength(1);
  });

  it('fails where a stack could not be written, after all the others', async () => {
    const { world, invoke } = await setup(good);
    const { putSpec } = world.deps.stacks;
    world.deps.stacks.putSpec = async (spec, initial) => {
      if (spec.id === 'a') throw new TypeError('too large');
      return putSpec(spec, initial);
    };
    await expect(invoke()).rejects.toThrow('1 steps failed');
    expect((await world.deps.stacks.list()).stacks.map(({ spec }) => spec.id)).toEqual(['b']);
  });
});
