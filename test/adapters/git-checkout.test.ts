import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createGitCheckout } from '../../lib/adapters/git-checkout.ts';
import type { GitCredential } from '../../lib/adapters/git-credentials.ts';
import { gitEnvironment, prepareGitSettings } from '../../lib/adapters/git-environment.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import type { CheckoutRequest } from '../../lib/ports/git-source.ts';
import { aGitServer } from '../support/git-http-server.ts';
import { aRepository, type GitRepository } from '../support/git-repository.ts';

const FILES = {
  'prod/network/main.tf': 'resource "terraform_data" "a" {}\n',
  'modules/queue/main.tf': 'variable "name" {}\n',
  'README.md': 'live\n',
};

interface Options {
  readonly credentials?: readonly GitCredential[];
  readonly protocols?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
}

async function aSource({ credentials = [], protocols = ['file', 'http'], env = process.env }: Options = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'checkout-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const settings = await prepareGitSettings({ credentials, protocols, folder: join(root, 'git') });
  const source = createGitCheckout({ root, env: gitEnvironment(env, settings), secrets: ['hunter2'] });
  const checkout = (request: Partial<CheckoutRequest> & Pick<CheckoutRequest, 'url'>) =>
    source.checkout({
      ...{ ref: 'main', path: 'prod/network', files: 'all', signal: new AbortController().signal },
      ...request,
    });
  const list = (url: string) => source.list({ url, ref: 'main', signal: new AbortController().signal });
  return { root, checkout, list };
}

const failure = (code: string, message: RegExp, hint?: RegExp) =>
  expect.objectContaining({
    code,
    message: expect.stringMatching(message),
    ...(hint && { hint: expect.stringMatching(hint) }),
  });

describe('a checkout over file://', () => {
  let repository: GitRepository;
  let first: string;

  beforeEach(async () => {
    repository = await aRepository();
    first = await repository.commit(FILES);
  });

  it('has the folder and the commit of a branch', async () => {
    const { root, checkout } = await aSource();
    expect(await checkout({ url: repository.url })).toEqual({
      root: join(root, 'source'),
      location: join(root, 'source/prod/network'),
      commit: first,
    });
    expect(readFileSync(join(root, 'source/prod/network/main.tf'), 'utf8')).toBe(FILES['prod/network/main.tf']);
  });

  it('brings the whole tree, because modules may be anywhere in it, and no history', async () => {
    await repository.commit({ 'README.md': 'newer\n' });
    const { root, checkout } = await aSource();
    await checkout({ url: repository.url });
    expect((await readdir(join(root, 'source'))).sort()).toEqual(['.git', 'README.md', 'modules', 'prod']);
    expect(readFileSync(join(root, 'source/.git/shallow'), 'utf8').trim().split('\n')).toHaveLength(1);
  });

  it.each([
    ['the default branch', 'HEAD'],
    ['a whole ref', 'refs/heads/main'],
    ['a branch with a slash and a plus', 'feature/a+b'],
    ['a lightweight tag', 'v1'],
    ['an annotated tag, as the commit it stands for', 'v2'],
  ])('takes %s', async (_, ref) => {
    repository.git('branch', 'feature/a+b');
    repository.git('tag', 'v1');
    repository.git('tag', '--annotate', '--message', 'release', 'v2');
    const { checkout } = await aSource();
    expect(await checkout({ url: repository.url, ref })).toMatchObject({ commit: first });
  });

  it('takes a commit that is no tip of a branch', async () => {
    await repository.commit({ 'prod/network/main.tf': '# newer\n' });
    const { root, checkout } = await aSource();
    expect(await checkout({ url: repository.url, ref: first })).toMatchObject({ commit: first });
    expect(readFileSync(join(root, 'source/prod/network/main.tf'), 'utf8')).toBe(FILES['prod/network/main.tf']);
  });

  it.each(['.', '', './'])('takes the root of the repository for the path %j', async (path) => {
    const { root, checkout } = await aSource();
    const { location } = await checkout({ url: repository.url, path });
    expect(location).toBe(join(root, 'source'));
  });

  it('leaves out what is beside the folder where only that is asked for', async () => {
    repository.git('config', 'uploadpack.allowFilter', 'true');
    const { root, checkout } = await aSource();
    await checkout({ url: repository.url, files: 'part' });
    // Files of the folders above stay: they are few.
    expect((await readdir(join(root, 'source'))).sort()).toEqual(['.git', 'README.md', 'prod']);
    expect(repositoryObjects(root)).not.toContain(repository.git('rev-parse', 'HEAD:modules/queue/main.tf'));
  });

  it('leaves it out of the working copy where the server sends everything', async () => {
    repository.git('config', 'uploadpack.allowFilter', 'false');
    const { root, checkout } = await aSource();
    await checkout({ url: repository.url, files: 'part' });
    expect((await readdir(join(root, 'source'))).sort()).toEqual(['.git', 'README.md', 'prod']);
  });

  it('takes a single file for a part', async () => {
    await repository.commit({ 'catalogue/live.yaml': 'stacks: []\n', 'catalogue/old.yaml': '\n' });
    const { root, checkout } = await aSource();
    const { location } = await checkout({ url: repository.url, path: 'catalogue/live.yaml', files: 'part' });
    expect(readFileSync(location, 'utf8')).toBe('stacks: []\n');
    expect((await readdir(join(root, 'source'))).sort()).toEqual(['.git', 'README.md', 'catalogue']);
  });

  it.each(['README.md', '.'])('takes %s for a part', async (path) => {
    const { root, checkout } = await aSource();
    const { location } = await checkout({ url: repository.url, path, files: 'part' });
    expect(location).toBe(join(root, 'source', path).replace(/\/\.$/, ''));
    expect(readFileSync(join(root, 'source/README.md'), 'utf8')).toBe('live\n');
  });

  it('fails where there is nothing to take a part of', async () => {
    const { checkout } = await aSource();
    await expect(checkout({ url: repository.url, path: 'gone.yaml', files: 'part' })).rejects.toThrow(
      failure('SourceUnavailable', /^nothing at "gone.yaml" in /, /relative to the root/),
    );
  });

  it('lists all regular files without fetching any', async () => {
    repository.git('config', 'uploadpack.allowFilter', 'true');
    await symlink('README.md', join(repository.directory, 'link'));
    await repository.commit({ 'Grüße\n.tf': '# odd\n' });
    const { root, list } = await aSource();
    expect([...(await list(repository.url))].sort()).toEqual([
      'Grüße\n.tf',
      'README.md',
      'modules/queue/main.tf',
      'prod/network/main.tf',
    ]);
    expect(await readdir(root)).toEqual(['git', expect.stringMatching(/^list-/)]);
  });

  it('runs no hook that the machine has for every repository', async () => {
    const home = await realpath(await mkdtemp(join(tmpdir(), 'home-')));
    onTestFinished(() => rm(home, { recursive: true }));
    const mark = join(home, 'hook-ran');
    const hook = join(home, 'post-checkout');
    await writeFile(hook, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
    await writeFile(join(home, '.gitconfig'), `[core]\n  hooksPath = ${home}\n`);
    const { checkout } = await aSource({ env: { ...process.env, HOME: home } });
    await checkout({ url: repository.url });
    expect((await readdir(home)).sort()).toEqual(['.gitconfig', 'post-checkout']);
  });

  it('leaves submodules alone', async () => {
    const other = await aRepository({ 'main.tf': '# other\n' });
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.url, 'prod/other');
    await repository.commit({});
    const { root, checkout } = await aSource();
    await checkout({ url: repository.url });
    expect(await readdir(join(root, 'source/prod/other'))).toEqual([]);
  });

  it('fails where the ref is not there', async () => {
    const { checkout } = await aSource();
    await expect(checkout({ url: repository.url, ref: 'gone' })).rejects.toThrow(
      failure('SourceUnavailable', /can't be fetched: couldn't find remote ref gone$/, /all 40 digits/),
    );
  });

  it('fails where the commit is not there', async () => {
    const { checkout } = await aSource();
    await expect(checkout({ url: repository.url, ref: 'a'.repeat(40) })).rejects.toThrow(
      failure('SourceUnavailable', /^no branch of file:.* holds the commit a+$/),
    );
  });

  it.each(['prod/dns', 'README.md'])('fails where %s is no folder of the commit', async (path) => {
    const { checkout } = await aSource();
    await expect(checkout({ url: repository.url, path })).rejects.toThrow(
      failure('SourceUnavailable', new RegExp(`^no folder "${path}" in file://.* at commit ${first}$`)),
    );
  });

  it.each(['../outside', '/etc', 'prod/../../x'])(
    'fails on the path %s, which leads out of the repository',
    async (path) => {
      const { checkout } = await aSource();
      await expect(checkout({ url: repository.url, path })).rejects.toThrow(
        failure('SourceUnavailable', /is no path in/),
      );
    },
  );

  it.each(['--upload-pack=touch x', '+main', 'main:refs/heads/x', 'a b', 'main~1', '^main', '', 'a..b', '@{-1}'])(
    'fails on the ref %j before Git sees it',
    async (ref) => {
      const { root, checkout } = await aSource();
      await expect(checkout({ url: repository.url, ref })).rejects.toThrow(
        failure('SourceUnavailable', /is no branch, tag or commit$/),
      );
      expect(await readdir(root)).toEqual(['git']);
    },
  );

  it('fails where file:// is not allowed', async () => {
    const { checkout } = await aSource({ protocols: ['https', 'ssh'] });
    await expect(checkout({ url: repository.url })).rejects.toThrow(
      failure('SourceUnavailable', /transport 'file' not allowed/, /over https or ssh/),
    );
  });

  it('fails where there is no Git', async () => {
    const { checkout } = await aSource({ env: { PATH: '/nowhere' } });
    await expect(checkout({ url: repository.url })).rejects.toThrow(
      failure('SourceUnavailable', /^git was not found on PATH$/),
    );
  });

  it('fails with the reason of the signal where it was aborted', async () => {
    const { checkout } = await aSource();
    const reason = new HoldfastError('TimedOut', 'too long');
    await expect(checkout({ url: repository.url, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('a URL that must not reach Git', () => {
  it.each([
    'https://hunter2@github.com/acme/live',
    'https://bot:hunter2@github.com/acme/live',
    'ssh://git:hunter2@github.com/acme/live',
  ])('fails on credentials in %s, without showing them', async (url) => {
    const { checkout } = await aSource();
    const error: unknown = await checkout({ url }).catch((thrown: unknown) => thrown);
    expect(error).toEqual(failure('SourceUnavailable', /holds a user or a password/, /HOLDFAST_GIT_CREDENTIALS/));
    expect(String(error)).not.toContain('hunter2');
  });

  it.each(['ext::sh -c whoami', '--upload-pack=x'])('fails on %j', async (url) => {
    const { checkout } = await aSource();
    await expect(checkout({ url })).rejects.toThrow(failure('SourceUnavailable', /is no URL of a Git repository/));
  });
});

describe('a checkout over HTTP', () => {
  const login = { username: 'bot', password: 'hunter2 \'$(x)"' };

  async function served(options: { readonly login?: typeof login; readonly protocol?: 0 | 2 } = {}) {
    const repository = await aRepository();
    const commit = await repository.commit(FILES);
    const server = await aGitServer({ root: repository.directory, ...options });
    return { repository, commit, server, url: `http://${server.host}/.git` };
  }

  it('logs in with the credentials of the host', async () => {
    const { commit, url, server } = await served({ login });
    const { root, checkout } = await aSource({ credentials: [{ kind: 'password', host: server.host, ...login }] });
    expect(await checkout({ url })).toMatchObject({ commit });
    expect(readFileSync(join(root, 'source/.git/config'), 'utf8')).not.toContain('hunter2');
    expect(readFileSync(join(root, 'git/askpass'), 'utf8')).not.toContain('hunter2');
  });

  it('keeps the credentials of a host from other hosts', async () => {
    const { url, server } = await served({ login });
    const { checkout } = await aSource({ credentials: [{ kind: 'password', host: 'github.com', ...login }] });
    await expect(checkout({ url })).rejects.toThrow(
      failure('SourceUnavailable', /could not read Username for 'http:/, /HOLDFAST_GIT_CREDENTIALS/),
    );
    expect(server.requests).toHaveLength(1);
  });

  it('fails on wrong credentials without showing them', async () => {
    const { url, server } = await served({ login });
    const wrong: GitCredential = { kind: 'password', host: server.host, username: 'bot', password: 'hunter2' };
    const { checkout } = await aSource({ credentials: [wrong] });
    const error: unknown = await checkout({ url }).catch((thrown: unknown) => thrown);
    expect(error).toEqual(failure('SourceUnavailable', /Authentication failed for/, /HOLDFAST_GIT_CREDENTIALS/));
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  it('takes a commit from a server that gives out tips of branches only', async () => {
    const { repository, commit, url } = await served({ protocol: 0 });
    await repository.commit({ 'README.md': 'newer\n' });
    const { checkout } = await aSource();
    expect(await checkout({ url, ref: commit })).toMatchObject({ commit });
  });

  it('fails where such a server has no such commit', async () => {
    const { url } = await served({ protocol: 0 });
    const { checkout } = await aSource();
    await expect(checkout({ url, ref: 'b'.repeat(40) })).rejects.toThrow(
      failure('SourceUnavailable', /^no branch of http:.* holds the commit b+$/),
    );
  });

  it('takes a branch from a plain web server, which can only give out all of it', async () => {
    const repository = await aRepository();
    const commit = await repository.commit(FILES);
    repository.git('update-server-info');
    const host = await aFileServer(repository.directory);
    const { root, checkout } = await aSource();
    expect(await checkout({ url: `http://${host}/.git` })).toMatchObject({ commit });
    expect((await readdir(join(root, 'source'))).sort()).toEqual(['.git', 'README.md', 'modules', 'prod']);
  });

  it('gives up on a server that says nothing once it is told to', async () => {
    const asked = Promise.withResolvers<void>();
    const server = createServer(() => asked.resolve());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    const { checkout } = await aSource();
    const stop = new AbortController();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`;
    const checkedOut = checkout({ url, signal: stop.signal });
    checkedOut.catch(() => {});
    await asked.promise;
    const reason = new HoldfastError('Interrupted', 'the run was interrupted');
    stop.abort(reason);
    await expect(checkedOut).rejects.toBe(reason);
  });

  it('fails where nobody answers', async () => {
    const { checkout } = await aSource();
    // Port 1 is reserved: nothing listens there.
    await expect(checkout({ url: 'http://127.0.0.1:1/x.git' })).rejects.toThrow(
      failure('SourceUnavailable', /Failed to connect/, /can't be reached/),
    );
  });
});

async function aFileServer(root: string): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    readFile(join(root, pathname)).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Objects that the checkout holds, without asking for others. */
function repositoryObjects(root: string): string {
  return execFileSync('git', ['cat-file', '--batch-check', '--batch-all-objects'], {
    cwd: join(root, 'source'),
    encoding: 'utf8',
    env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
  });
}
