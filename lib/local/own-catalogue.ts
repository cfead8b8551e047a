import { stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { HoldfastError } from '../domain/errors.ts';
import type { CatalogueLocation } from './local-cluster.ts';

/**
 * A catalogue of the user's own, in its repository as it is on disk; a folder that is in no repository stands for one.
 * Throws `CatalogueInvalid` where there is none.
 */
export async function locateCatalogue(cwd: string, path: string): Promise<CatalogueLocation> {
  const file = resolve(cwd, path);
  const kind = await kindOf(file);
  if (kind === 'missing') throw new HoldfastError('CatalogueInvalid', `there is no catalogue ${path}`);
  const folder = kind === 'folder' ? file : dirname(file);
  const root = await findRoot(folder);
  return {
    url: pathToFileURL(root).href,
    ref: 'HEAD',
    path: relative(root, file).split(sep).join('/') || '.',
  };
}

async function findRoot(folder: string): Promise<string> {
  for (let directory = folder; ; directory = dirname(directory)) {
    if ((await kindOf(join(directory, '.git'))) !== 'missing') return directory;
    if (directory === dirname(directory)) return folder;
  }
}

async function kindOf(path: string): Promise<'folder' | 'file' | 'missing'> {
  const entry = await stat(path).catch(() => undefined);
  if (entry === undefined) return 'missing';
  return entry.isDirectory() ? 'folder' : 'file';
}
