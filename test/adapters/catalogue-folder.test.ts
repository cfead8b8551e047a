import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openCatalogueFolder } from '../../lib/adapters/catalogue-folder.ts';
import { aFolder } from '../support/temporary-folder.ts';

const open = (cwd: string, ...paths: readonly string[]) => openCatalogueFolder({ cwd, paths, checkouts: [] });
const repositoryOf = async (cwd: string, ...paths: readonly string[]) => (await open(cwd, ...paths)).repository;

const config = (url: string) => `[core]
\tbare = false
[remote "upstream"]
\turl = https://github.com/upstream/infra
[remote "origin"]
\tfetch = +refs/heads/*:refs/remotes/origin/*
\turl = ${url}
[branch "main"]
\tremote = origin
`;
const git = (url: string, head = 'ref: refs/heads/feature/x\n') => ({ '.git/config': config(url), '.git/HEAD': head });

describe('openCatalogueFolder', () => {
  it('takes the repository around the files for theirs', async () => {
    const folder = await aFolder({
      ...git('git@github.com:acme/infra.git'),
      'ops/catalogue.yaml': '',
      'live/a/main.tf': '',
    });

    const { source, repository } = await open(folder, 'ops/catalogue.yaml');

    expect(repository).toEqual({ url: 'git@github.com:acme/infra.git', ref: 'feature/x' });
    expect(await source.rootModules({ url: 'https://github.com/acme/infra', ref: 'main' })).toEqual(['live/a']);
    expect(await repositoryOf(`${folder}/ops`, '.')).toEqual(repository);
    expect(await repositoryOf(`${folder}/ops`)).toEqual(repository);
  });

  it('never takes credentials from a remote', async () => {
    const folder = await aFolder(git('https://user:hunter22@github.com/acme/infra'));

    expect((await repositoryOf(folder, '.')).url).toBe('https://github.com/acme/infra');
  });

  it('knows a repository by its folder where it has no origin, or is none', async () => {
    const bare = await aFolder({ '.git/config': '[core]\n', '.git/HEAD': 'abc\n', 'a/b.yaml': '' });
    const none = await aFolder({ 'a/b.yaml': '' });
    const empty = await aFolder({ '.git/x': '', 'b.yaml': '' });
    const tree = await aFolder({ '.git': 'gitdir: elsewhere\n', 'a/b.yaml': '' });

    expect(await repositoryOf(bare, 'a/b.yaml')).toEqual({ url: pathToFileURL(bare).href, ref: 'HEAD' });
    expect(await repositoryOf(none, 'a/b.yaml')).toEqual({ url: pathToFileURL(`${none}/a`).href, ref: 'HEAD' });
    expect(await repositoryOf(tree, 'a/b.yaml')).toEqual({ url: pathToFileURL(tree).href, ref: 'HEAD' });
    expect(await repositoryOf(empty, 'b.yaml')).toEqual({ url: pathToFileURL(empty).href, ref: 'HEAD' });
  });

  it('does not take the URL of another section for that of the origin', async () => {
    const folder = await aFolder({ '.git/config': '[remote "origin"]\n[submodule "x"]\n\turl = https://x/y\n' });

    expect((await repositoryOf(folder, '.')).url).toBe(pathToFileURL(folder).href);
  });

  it('finds other repositories in their checkouts', async () => {
    const folder = await aFolder({ 'ops/a.yaml': '', 'other/x/main.tf': '' });
    const { source } = await openCatalogueFolder({
      cwd: `${folder}/ops`,
      paths: ['a.yaml'],
      checkouts: [{ url: 'https://github.com/acme/other', directory: '../other' }],
    });

    expect(await source.rootModules({ url: 'https://github.com/acme/other', ref: 'v1' })).toEqual(['x']);
  });
});
