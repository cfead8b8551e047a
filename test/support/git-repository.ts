import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A Git repository with a working copy of its own. Gone when the test ends. */
export interface GitRepository {
  readonly directory: string;
  /** `file://…` */
  readonly url: string;
  /** Writes files and commits them on the current branch. Returns the commit. */
  commit(files: Readonly<Record<string, string>>): Promise<string>;
  git(...args: readonly string[]): string;
}

const IDENTITY = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];

export async function aRepository(files: Readonly<Record<string, string>> = {}): Promise<GitRepository> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'repository-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...IDENTITY, ...args], { cwd: directory, encoding: 'utf8', stdio: 'pipe' }).trim();
  const commit = async (changed: Readonly<Record<string, string>>) => {
    for (const [name, content] of Object.entries(changed)) {
      await mkdir(dirname(join(directory, name)), { recursive: true });
      await writeFile(join(directory, name), content);
    }
    git('add', '--all');
    git('commit', '--quiet', '--message', 'change');
    return git('rev-parse', 'HEAD');
  };
  git('init', '--quiet', '--initial-branch=main');
  if (Object.keys(files).length > 0) await commit(files);
  return { directory, url: `file://${directory}`, commit, git };
}
