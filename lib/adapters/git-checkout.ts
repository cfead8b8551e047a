import { mkdir, mkdtemp, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { HoldfastError } from '../domain/errors.ts';
import type { CheckoutRequest, GitSource, Repository } from '../ports/git-source.ts';
import { type GitSession, git, gitFailure, tryGit } from './git-command.ts';

export interface GitCheckoutOptions {
  /** Private folder; a checkout goes to `source` in it, always the same place. */
  readonly root: string;
  /** The whole environment of Git. */
  readonly env: Readonly<Record<string, string>>;
  /** What messages must not show. */
  readonly secrets: readonly string[];
}

/** Gets sources with the git program: one commit, without history where the server can do that. */
export function createGitCheckout({ root, env, secrets }: GitCheckoutOptions): GitSource {
  const fetch = async (folder: string, repository: Repository, filter: Filter) => {
    const { url, signal } = repository;
    const session = { folder, env, url, secrets, signal };
    await git(session, ['init', '--quiet', '--template=', '--initial-branch=none']);
    await git(session, ['remote', 'add', 'origin', url]);
    return { session, commit: await fetchCommit(session, repository, filter) };
  };
  return {
    async checkout(request) {
      requireSafe(request);
      const folder = join(root, 'source');
      await mkdir(folder, { recursive: true });
      const { session, commit } = await fetch(folder, request, request.files === 'part' ? NO_FILES : []);
      return { root: folder, commit, location: await checkOut(session, request, commit) };
    },
    async list(repository) {
      requireSafe({ ...repository, path: '.' });
      const { session, commit } = await fetch(await mkdtemp(join(root, 'list-')), repository, NO_FILES);
      const entries = await git(session, ['ls-tree', '-r', '-z', '--full-tree', commit]);
      return entries.split('\0').flatMap((entry) => REGULAR_FILE.exec(entry)?.[1] ?? []);
    },
  };
}

/** Options that leave out what is not needed yet; a server that can't do that sends everything. */
type Filter = readonly string[];
const NO_FILES: Filter = ['--filter=blob:none'];

// Mode, type, id, and after a tab the name.
const REGULAR_FILE = /^100\d+ blob \w+\t(.+)$/s;

// Credentials in a URL show up in process lists and error messages; a leading dash passes for an option; and `ext::` is
// a transport that runs programs.
function requireSafe({ url, ref, path }: Pick<CheckoutRequest, 'url' | 'ref' | 'path'>): void {
  if (/^[a-z]+:\/\/[^/@]*@/i.test(url) && !/^ssh:\/\/[^/:@]*@/.test(url)) {
    throw new HoldfastError('SourceUnavailable', 'the URL of the source holds a user or a password', {
      hint: 'leave them out and give the runner credentials for the host (HOLDFAST_GIT_CREDENTIALS)',
    });
  }
  if (url.startsWith('-') || /^\w+::/.test(url)) {
    throw new HoldfastError('SourceUnavailable', `${JSON.stringify(url)} is no URL of a Git repository`);
  }
  if (/^[-+^]|[\s:*?~[\\]|\.\.|@\{/.test(ref) || ref === '') {
    throw new HoldfastError('SourceUnavailable', `${JSON.stringify(ref)} is no branch, tag or commit`);
  }
  if (posix.isAbsolute(path) || path.split('/').includes('..')) {
    throw new HoldfastError('SourceUnavailable', `${JSON.stringify(path)} is no path in the repository`);
  }
}

const WHOLE_COMMIT = /^[0-9a-f]{40}$/;

// Old servers give out the tips of branches only, and plain web servers no parts of a history.
const ASK_FOR_MORE = /unadvertised object|not our ref|shallow/;

/** Fetches what the ref stands for, and says which commit that is. */
async function fetchCommit(session: GitSession, { ref }: Repository, filter: Filter): Promise<string> {
  const one = ['fetch', '--quiet', '--no-tags', '--depth=1', ...filter, '--', 'origin', ref];
  const answer = await tryGit(session, one);
  if (answer.kind === 'done') return git(session, ['rev-parse', '--verify', 'FETCH_HEAD^{commit}']);
  if (!ASK_FOR_MORE.test(answer.stderr)) throw gitFailure(session, answer.stderr);
  if (!WHOLE_COMMIT.test(ref)) {
    await git(session, ['fetch', '--quiet', '--no-tags', '--', 'origin', ref]);
    return git(session, ['rev-parse', '--verify', 'FETCH_HEAD^{commit}']);
  }
  await git(session, ['fetch', '--quiet', '--tags', '--', 'origin', '+refs/heads/*:refs/remotes/origin/*']);
  const found = await tryGit(session, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  if (found.kind === 'done') return found.stdout;
  throw new HoldfastError('SourceUnavailable', `no branch of ${session.url} holds the commit ${ref}`);
}

async function checkOut(session: GitSession, { path, files, url }: CheckoutRequest, commit: string): Promise<string> {
  const inside = posix.normalize(path || '.').replace(/\/$/, '');
  if (files === 'part' && inside !== '.') await leaveOutOthers(session, inside, commit);
  await git(session, ['checkout', '--quiet', '--detach', commit]);
  const location = join(session.folder, inside);
  const found = await stat(location).catch(() => undefined);
  if (found !== undefined && (files === 'part' || found.isDirectory())) return location;
  const what = files === 'part' ? 'nothing at' : 'no folder';
  throw new HoldfastError('SourceUnavailable', `${what} ${JSON.stringify(path)} in ${url} at commit ${commit}`, {
    hint: 'check the path, which is relative to the root of the repository',
  });
}

/** Git leaves out whole folders, never files beside the folders that lead to those it keeps. */
async function leaveOutOthers(session: GitSession, path: string, commit: string): Promise<void> {
  const entry = await git(session, ['ls-tree', '-z', '--full-tree', commit, '--', path]);
  const folder = REGULAR_FILE.test(entry.replace(/\0$/, '')) ? posix.dirname(path) : path;
  await git(session, ['sparse-checkout', 'set', '--', ...(folder === '.' ? [] : [`./${folder}`])]);
}
