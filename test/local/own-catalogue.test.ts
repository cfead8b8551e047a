import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { locateCatalogue } from '../../lib/local/own-catalogue.ts';
import { aFolder } from '../support/temporary-folder.ts';

describe('locateCatalogue', () => {
  it.each([
    ['ops/catalogue.yaml', 'ops/catalogue.yaml'],
    ['ops', 'ops'],
    ['.', '.'],
  ])('finds %s in its repository', async (path, expected) => {
    const root = await aFolder({ 'ops/catalogue.yaml': '' });
    await mkdir(join(root, '.git'));

    expect(await locateCatalogue(root, path)).toEqual({ url: pathToFileURL(root).href, ref: 'HEAD', path: expected });
  });

  it('finds it in a worktree, whose .git is a file', async () => {
    const root = await aFolder({ 'catalogue.yaml': '', '.git': 'gitdir: /elsewhere' });

    expect(await locateCatalogue(root, 'catalogue.yaml')).toMatchObject({ url: pathToFileURL(root).href });
  });

  it('takes its folder for the repository where there is none', async () => {
    const root = await aFolder({ 'ops/catalogue.yaml': '' });
    const ops = pathToFileURL(join(root, 'ops')).href;

    expect(await locateCatalogue(root, 'ops/catalogue.yaml')).toEqual({
      url: ops,
      ref: 'HEAD',
      path: 'catalogue.yaml',
    });
    expect(await locateCatalogue(root, 'ops')).toEqual({ url: ops, ref: 'HEAD', path: '.' });
  });

  it('fails on one that is not there', async () => {
    await expect(locateCatalogue(await aFolder(), 'nope.yaml')).rejects.toMatchObject({ code: 'CatalogueInvalid' });
  });
});
