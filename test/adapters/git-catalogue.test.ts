import { describe, expect, it } from 'vitest';
import { openGitCatalogue } from '../../lib/adapters/git-catalogue.ts';
import { createGitCheckout } from '../../lib/adapters/git-checkout.ts';
import { gitEnvironment, prepareGitSettings } from '../../lib/adapters/git-environment.ts';
import { aRepository } from '../support/git-repository.ts';
import { aFolder } from '../support/temporary-folder.ts';

async function open(url: string, path: string, ref = 'main') {
  const root = await aFolder();
  const settings = await prepareGitSettings({ credentials: [], protocols: ['file'], folder: `${root}/git` });
  const source = createGitCheckout({ root, env: gitEnvironment(process.env, settings), secrets: [] });
  return openGitCatalogue({ source }, { url, ref, path, signal: new AbortController().signal });
}

const MODULES = {
  'main.tf': '# root\n',
  'live/a/main.tf': '# a\n',
  'live/a/more.tf': '# a\n',
  'live/b/main.tofu.json': '{}\n',
  'live/c/README.md': 'none\n',
  'live/.terraform/modules/x/main.tf': '# hidden\n',
  'web/node_modules/x/main.tf': '# left out\n',
};

describe('a catalogue in Git', () => {
  it('has its files and the commit they are from', async () => {
    const repository = await aRepository();
    const commit = await repository.commit({
      'ops/catalogue/a.yaml': 'stacks: []\n',
      'ops/catalogue/b.yaml': 'stacks: []\n',
    });
    const catalogue = await open(repository.url, 'ops/catalogue');
    expect(catalogue).toMatchObject({ commit, repository: { url: repository.url, ref: 'main' } });
    const files = await catalogue.source.files();
    expect(files.map(({ name, value }) => [name, value])).toEqual([
      ['ops/catalogue/a.yaml', { stacks: [] }],
      ['ops/catalogue/b.yaml', { stacks: [] }],
    ]);
  });

  it('can be a single file', async () => {
    const repository = await aRepository({ 'ops/live.yaml': 'stacks: []\n', 'ops/other.yaml': '' });
    const { source } = await open(repository.url, 'ops/live.yaml');
    expect((await source.files()).map(({ name }) => name)).toEqual(['ops/live.yaml']);
  });

  it('knows the root modules of its repository, as they are in that commit', async () => {
    const repository = await aRepository({ 'catalogue.yaml': '', ...MODULES });
    const { source, repository: own } = await open(repository.url, 'catalogue.yaml');
    await repository.commit({ 'live/later/main.tf': '# later\n' });
    expect(await source.rootModules(own)).toEqual(['.', 'live/a', 'live/b']);
  });

  it('knows those of another ref and of another repository', async () => {
    const repository = await aRepository({ 'catalogue.yaml': '' });
    repository.git('branch', 'next');
    const other = await aRepository({ 'x/main.tf': '# x\n' });
    const { source } = await open(repository.url, '.');
    expect(await source.rootModules({ url: repository.url, ref: 'next' })).toEqual([]);
    expect(await source.rootModules({ url: other.url, ref: 'HEAD' })).toEqual(['x']);
  });

  it('fails where another repository is not there', async () => {
    const repository = await aRepository({ 'catalogue.yaml': '' });
    const { source } = await open(repository.url, '.');
    await expect(source.rootModules({ url: 'file:///nowhere', ref: 'main' })).rejects.toThrow(
      expect.objectContaining({ code: 'SourceUnavailable' }),
    );
  });
});
