import { glob, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HoldfastError } from '../domain/errors.ts';
import type { GitSource, Repository } from '../ports/git-source.ts';
import { isLeftOut } from './folder-catalogue-source.ts';

export interface FolderSourceOptions {
  /** For everything else, bare repositories on this machine included. */
  readonly git: GitSource;
  /** The commit that is checked out in a folder; `undefined`: it is no repository, or there is no Git. */
  readonly headOf: (folder: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** Git's own way to say that there is no commit. */
const NO_COMMIT = '0'.repeat(40);

/**
 * Takes folders that `file:` URLs name as they are, with whatever is not committed, and whatever ref is asked for: for
 * somebody's own machine, where the work at hand is what is to be checked. Nothing is copied.
 */
export function createFolderSource({ git, headOf }: FolderSourceOptions): GitSource {
  return {
    async checkout(request) {
      const root = await folderOf(request);
      if (root === undefined) return git.checkout(request);
      const location = join(root, request.path);
      if (!(await isThere(location))) {
        throw new HoldfastError('SourceUnavailable', `there is no ${JSON.stringify(request.path)} in ${root}`);
      }
      return { root, location, commit: (await headOf(root, request.signal)) ?? NO_COMMIT };
    },
    async list(repository) {
      const root = await folderOf(repository);
      return root === undefined ? git.list(repository) : listFiles(root);
    },
  };
}

/** `undefined`: another kind of source. A bare repository holds no files to look at. */
async function folderOf({ url }: Repository): Promise<string | undefined> {
  if (!url.startsWith('file://')) return undefined;
  const folder = fileURLToPath(url);
  if (!(await isThere(folder))) throw new HoldfastError('SourceUnavailable', `there is no folder ${folder}`);
  const isBare = (await isThere(join(folder, 'objects'))) && (await isThere(join(folder, 'HEAD')));
  return isBare ? undefined : folder;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function listFiles(root: string): Promise<readonly string[]> {
  const files: string[] = [];
  const entries = glob('**', {
    cwd: root,
    withFileTypes: true,
    exclude: ({ name }) => name !== '.' && isLeftOut(name),
  });
  for await (const entry of entries) {
    if (entry.isFile()) files.push(relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
  }
  return files.sort();
}
