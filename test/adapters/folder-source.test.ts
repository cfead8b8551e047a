import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createFolderSource } from '../../lib/adapters/folder-source.ts';
import type { GitSource } from '../../lib/ports/git-source.ts';
import { aFolder } from '../support/temporary-folder.ts';

const { signal } = new AbortController();

/** A source that has its Git answered by a word. */
function aSource(head?: string) {
  const git: GitSource = {
    checkout: async ({ url }) => ({ root: 'by git', location: url, commit: 'c'.repeat(40) }),
    list: async () => ['by git'],
  };
  return createFolderSource({ git, headOf: async () => head });
}

const ask = (folder: string, path = '.') => ({
  url: pathToFileURL(folder).href,
  ref: 'main',
  path,
  files: 'all' as const,
  signal,
});

describe('createFolderSource', () => {
  it('takes a folder as it is', async () => {
    const root = await aFolder({ 'prod/main.tf': '' });

    expect(await aSource('a'.repeat(40)).checkout(ask(root, 'prod'))).toEqual({
      root,
      location: join(root, 'prod'),
      commit: 'a'.repeat(40),
    });
  });

  it('says as Git does that there is no commit', async () => {
    expect((await aSource().checkout(ask(await aFolder()))).commit).toBe('0'.repeat(40));
  });

  it('lists its files, but for what is hidden or installed', async () => {
    const root = await aFolder({
      'main.tf': '',
      'prod/network/main.tf': '',
      '.git/HEAD': '',
      'prod/.terraform/modules/a/main.tf': '',
      'node_modules/a/main.tf': '',
    });

    expect(await aSource().list(ask(root))).toEqual(['main.tf', 'prod/network/main.tf']);
  });

  it('leaves every other source to Git, bare repositories on this machine included', async () => {
    const bare = await aFolder({ HEAD: 'ref: refs/heads/main' });
    await mkdir(join(bare, 'objects'));
    await writeFile(join(bare, 'config'), '');
    for (const url of [pathToFileURL(bare).href, 'https://git.example.com/a', 'git@git.example.com:a']) {
      expect(await aSource().checkout({ ...ask(bare), url })).toMatchObject({ root: 'by git', location: url });
      expect(await aSource().list({ ...ask(bare), url })).toEqual(['by git']);
    }
  });

  it('fails on what is not there', async () => {
    const root = await aFolder();

    await expect(aSource().checkout(ask(root, 'prod'))).rejects.toMatchObject({ code: 'SourceUnavailable' });
    await expect(aSource().checkout(ask(join(root, 'nope')))).rejects.toMatchObject({ code: 'SourceUnavailable' });
    await expect(aSource().list(ask(join(root, 'nope')))).rejects.toMatchObject({ code: 'SourceUnavailable' });
  });
});
