import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CatalogueRepository } from '../domain/catalogue-spec.ts';
import type { OpenedCatalogue } from '../ports/catalogue-source.ts';
import { isMissing } from './file-error.ts';
import { createFolderCatalogueSource, type LocalCheckout } from './folder-catalogue-source.ts';

export interface CatalogueFolderOptions {
  readonly cwd: string;
  /** Files, or folders of them. */
  readonly paths: readonly string[];
  /** Copies of other repositories. */
  readonly checkouts: readonly LocalCheckout[];
}

/**
 * Opens a catalogue where somebody works on it. Its repository is the one around the files; a folder that is in none stands
 * for one, by a `file:` URL.
 */
export async function openCatalogueFolder({ cwd, paths, checkouts }: CatalogueFolderOptions): Promise<OpenedCatalogue> {
  const { directory, ...repository } = await findRepository(resolve(cwd, paths[0] ?? '.'));
  const others = checkouts.map((checkout) => ({ ...checkout, directory: resolve(cwd, checkout.directory) }));
  const own = { url: repository.url, directory };
  return { repository, source: createFolderCatalogueSource({ cwd, paths, checkouts: [...others, own] }) };
}

async function findRepository(path: string): Promise<CatalogueRepository & LocalCheckout> {
  const folder = (await isFolder(path)) ? path : dirname(path);
  for (let directory = folder; ; directory = dirname(directory)) {
    // In a work tree of its own, .git is a file.
    if (await exists(join(directory, '.git'))) return { directory, ...(await readRepository(directory)) };
    if (directory === dirname(directory)) break;
  }
  return { directory: folder, url: pathToFileURL(folder).href, ref: 'HEAD' };
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

/** What `git remote get-url origin` and `git branch --show-current` would say, without credentials. */
async function readRepository(directory: string): Promise<CatalogueRepository> {
  const config = await readIfThere(join(directory, '.git', 'config'));
  const head = await readIfThere(join(directory, '.git', 'HEAD'));
  const origin = /^\[remote "origin"\](?:\n(?!\[).*)*?\n\s*url\s*=\s*(\S+)/m.exec(config)?.[1];
  return {
    url: origin?.replace(/^(https?:\/\/)[^/@]*@/, '$1') ?? pathToFileURL(directory).href,
    ref: /^ref: refs\/heads\/(\S+)/.exec(head)?.[1] ?? 'HEAD',
  };
}

async function readIfThere(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '';
    throw error;
  });
}
