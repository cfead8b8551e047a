import { describe, expect, it } from 'vitest';
import { createMemoryCatalogueStore } from '../../lib/adapters/memory-catalogue-store.ts';
import { parseYaml } from '../../lib/adapters/yaml-document.ts';
import { syncCatalogue } from '../../lib/app/sync-catalogue.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import type { CatalogueSource } from '../../lib/ports/catalogue-source.ts';
import type { CatalogueStore } from '../../lib/ports/catalogue-store.ts';

const COMMIT = 'a'.repeat(40);
const REPOSITORY = { url: 'https://git.example/live', ref: 'main' };
const GOOD = 'defaults: { routes: [ops] }\nstacks:\n  - { id: prod/network, source: { path: live/network } }\n';

const documents = (text: string) => {
  const { value, mistakes, locate } = parseYaml('catalogue.yaml', text);
  return [{ name: 'catalogue.yaml', value, mistakes, locate }];
};

const sourceOf = (text: string): CatalogueSource => ({
  files: async () => documents(text),
  rootModules: async () => [],
});

async function sync(open: () => Promise<CatalogueSource>, store: CatalogueStore = createMemoryCatalogueStore()) {
  const clock = { now: () => new Date('2026-11-30T12:00:00.000Z') };
  const deps = {
    open: async () => ({ source: await open(), repository: REPOSITORY, commit: COMMIT }),
    catalogues: store,
    clock,
  };
  const latest = await syncCatalogue(deps);
  expect(await store.get()).toEqual(latest);
  return latest;
}

describe('syncCatalogue', () => {
  it('writes down the stacks of a good catalogue', async () => {
    expect(await sync(async () => sourceOf(GOOD))).toMatchObject({
      schemaVersion: 1,
      commit: COMMIT,
      stacks: [{ id: 'prod/network', source: { ...REPOSITORY, path: 'live/network' } }],
    });
  });

  it('writes down what is wrong with a broken one, where and in which commit', async () => {
    const latest = await sync(async () => sourceOf(GOOD.replace('id: prod/network', 'id: "Prod Network"')));
    expect(latest).toMatchObject({
      commit: COMMIT,
      failure: { code: 'CatalogueInvalid', location: { file: 'catalogue.yaml', line: 3 }, hint: expect.any(String) },
    });
  });

  it.each([{ hint: 'check the path', location: { file: 'catalogue.yaml' } }, {}])(
    'writes down that its files can not be read',
    async (details) => {
      const error = new HoldfastError('CatalogueInvalid', "can't read the catalogue", details);
      const latest = await sync(async () => ({ ...sourceOf(''), files: () => Promise.reject(error) }));
      expect(latest).toEqual({
        schemaVersion: 1,
        commit: COMMIT,
        failure: { code: 'CatalogueInvalid', message: "can't read the catalogue", ...details },
      });
    },
  );

  it('writes down that its repository can not be fetched', async () => {
    const latest = await sync(() => Promise.reject(new HoldfastError('SourceUnavailable', 'no such host')));
    expect(latest).toEqual({
      schemaVersion: 1,
      commit: null,
      failure: { code: 'SourceUnavailable', message: 'no such host' },
    });
  });

  it('writes nothing where it is interrupted: that is no fault of the catalogue', async () => {
    const store = createMemoryCatalogueStore();
    const interrupted = sync(() => Promise.reject(new HoldfastError('Interrupted', 'the task is to end')), store);
    await expect(interrupted).rejects.toThrow('the task is to end');
    expect(await store.get()).toBeUndefined();
  });

  it('fails with a bug as it is', async () => {
    await expect(sync(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
  });

  it('fails where it can not be written', async () => {
    const store = { ...createMemoryCatalogueStore(), put: () => Promise.reject(new Error('AccessDenied')) };
    await expect(sync(async () => sourceOf(GOOD), store)).rejects.toThrow('AccessDenied');
  });
});
