import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createFolderCatalogueSource, listRootModules } from '../../lib/adapters/folder-catalogue-source.ts';
import { aFolder } from '../support/temporary-folder.ts';

const filesOf = async (folder: string, ...paths: readonly string[]) => {
  const files = await createFolderCatalogueSource({ cwd: folder, paths, checkouts: [] }).files();
  return files.map(({ name }) => name);
};

describe('the files of a catalogue', () => {
  it('are those that are named, each once, parsed, with places by names that read the same everywhere', async () => {
    const folder = await aFolder({ 'a.yaml': 'x: 1\n', 'more/b.yml': 'y: [\n', 'c.yaml': 'z: 012' });
    const source = createFolderCatalogueSource({
      cwd: folder,
      paths: ['more/b.yml', 'a.yaml', './a.yaml', 'c.yaml'],
      checkouts: [],
    });

    const [a, c, b] = await source.files();

    expect(a).toMatchObject({ name: 'a.yaml', value: { x: 1 }, mistakes: [] });
    expect(a?.locate(['x'])).toEqual({ file: 'a.yaml', line: 1, column: 4 });
    expect(b).toMatchObject({ name: 'more/b.yml', mistakes: [{ location: { file: 'more/b.yml', line: 2 } }] });
    expect(c?.mistakes).toMatchObject([{ location: { line: 1, column: 4 } }]);
  });

  it('are all YAML files below a folder, hidden ones left out', async () => {
    const folder = await aFolder({
      'ops/a.yaml': '',
      'ops/b.yml': '',
      'ops/deep/c.yaml': '',
      'ops/.hidden/d.yaml': '',
      'ops/node_modules/x/e.yaml': '',
      'ops/readme.md': '',
    });

    expect(await filesOf(folder, 'ops')).toEqual(['ops/a.yaml', 'ops/b.yml', 'ops/deep/c.yaml']);
  });

  it('are those with the usual names where a folder has them', async () => {
    const others = { 'compose.yaml': '', 'deep/catalogue.yaml': '' };

    expect(await filesOf(await aFolder({ ...others, 'catalogue.yaml': '' }), '.')).toEqual(['catalogue.yaml']);
    expect(
      await filesOf(
        await aFolder({ ...others, 'catalogue.yml': '', 'catalogue/a.yaml': '', 'catalogue/b/c.yml': '' }),
        '.',
      ),
    ).toEqual(['catalogue.yml', 'catalogue/a.yaml', 'catalogue/b/c.yml']);
  });

  it('fail where a path leads to nothing', async () => {
    const folder = await aFolder({ 'empty/readme.md': '' });

    await expect(filesOf(folder, 'missing.yaml')).rejects.toMatchObject({
      code: 'CatalogueInvalid',
      message: "can't read the catalogue missing.yaml: ENOENT",
      location: { file: 'missing.yaml' },
    });
    await expect(filesOf(folder, 'empty')).rejects.toMatchObject({
      code: 'CatalogueInvalid',
      message: 'no YAML file in empty',
    });
  });

  it('fail where one is larger than any catalogue', async () => {
    const folder = await aFolder({ 'big.yaml': `#${' '.repeat(4 * 1024 * 1024)}` });

    await expect(filesOf(folder, 'big.yaml')).rejects.toMatchObject({
      code: 'CatalogueInvalid',
      message: 'big.yaml is larger than 4194304 bytes',
      location: { file: 'big.yaml' },
    });
  });
});

describe('listRootModules', () => {
  it('finds folders with Terraform files, hidden and linked ones left out', async () => {
    const folder = await aFolder({
      'main.tf': '',
      'live/prod/dns/main.tf': '',
      'live/prod/web/main.tofu': '',
      'live/prod/db/main.tf.json': '',
      'live/prod/notes/main.tf.md': '',
      'live/prod/dns/.terraform/modules/x/main.tf': '',
      'live/node_modules/x/main.tf': '',
      '.github/main.tf': '',
    });
    await symlink(join(folder, 'live'), join(folder, 'live', 'again'));

    expect(await listRootModules(folder)).toEqual(['.', 'live/prod/db', 'live/prod/dns', 'live/prod/web']);
  });
});

describe('the root modules of a repository', () => {
  it('are those of its checkout, by whatever URL it is known', async () => {
    const directory = await aFolder({ 'a/main.tf': '' });
    const source = createFolderCatalogueSource({
      cwd: directory,
      paths: [],
      checkouts: [{ url: 'https://github.com/acme/infra.git', directory }],
    });

    expect(await source.rootModules({ url: 'git@github.com:acme/infra', ref: 'any' })).toEqual(['a']);
    expect(await source.rootModules({ url: 'https://github.com/acme/other', ref: 'any' })).toBeUndefined();
  });

  it('are those of the folder that a file URL names', async () => {
    const directory = await aFolder({ 'a/main.tf': '' });
    const source = createFolderCatalogueSource({ cwd: directory, paths: [], checkouts: [] });

    expect(await source.rootModules({ url: pathToFileURL(directory).href, ref: 'HEAD' })).toEqual(['a']);
  });
});
