import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HoldfastError } from '../domain/errors.ts';
import { sameRepository } from '../domain/same-repository.ts';
import type { CatalogueDocument, CatalogueSource } from '../ports/catalogue-source.ts';
import { parseYaml } from './yaml-document.ts';
import { readYamlText } from './yaml-file.ts';

/** A copy of a repository on this machine. Which of its refs is checked out does not matter. */
export interface LocalCheckout {
  readonly url: string;
  readonly directory: string;
}

export interface FolderCatalogueSourceOptions {
  /** Names of files are relative to it. */
  readonly cwd: string;
  /**
   * Files and folders. In a folder `catalogue.yaml` and all YAML files below `catalogue/` count; where there are none,
   * all YAML files below the folder.
   */
  readonly paths: readonly string[];
  readonly checkouts: readonly LocalCheckout[];
}

// A generated catalogue of some ten thousand stacks.
const LARGEST_BYTES = 4 * 1024 * 1024;
const YAML_FILE = /\.ya?ml$/;
const NAMED = /^catalogue(?:\.ya?ml$|\/)/;
export const TERRAFORM_FILE = /\.(tf|tofu)(\.json)?$/;

/** Reads a catalogue from files, and looks for root modules in checkouts. A `file:` URL needs none. */
export function createFolderCatalogueSource({ cwd, paths, checkouts }: FolderCatalogueSourceOptions): CatalogueSource {
  return {
    async files() {
      const found = new Set<string>();
      for (const path of paths) for (const file of await expand(cwd, path)) found.add(file);
      return Promise.all([...found].sort().map((file) => readDocument(cwd, file)));
    },
    async rootModules({ url }) {
      const checkout = checkouts.find((candidate) => sameRepository(candidate.url, url));
      const directory = checkout?.directory ?? (url.startsWith('file:') ? fileURLToPath(url) : undefined);
      return directory === undefined ? undefined : listRootModules(directory);
    },
  };
}

/** Folders below a directory that hold Terraform files, relative to it with `/` (`.`: itself), hidden ones left out. */
export async function listRootModules(directory: string): Promise<readonly string[]> {
  const modules: string[] = [];
  await walk(directory, (folder, names) => {
    if (names.some((name) => TERRAFORM_FILE.test(name))) modules.push(posixPath(directory, folder));
  });
  return modules.sort();
}

async function expand(cwd: string, path: string): Promise<readonly string[]> {
  const absolute = resolve(cwd, path);
  const entry = await stat(absolute).catch((cause: NodeJS.ErrnoException) => {
    throw new HoldfastError('CatalogueInvalid', `can't read the catalogue ${path}: ${cause.code}`, {
      cause,
      location: { file: path },
      hint: 'Name its files, or a folder of them.',
    });
  });
  if (!entry.isDirectory()) return [absolute];
  const files: string[] = [];
  await walk(absolute, (folder, names) => {
    for (const name of names) if (YAML_FILE.test(name)) files.push(join(folder, name));
  });
  const named = files.filter((file) => NAMED.test(posixPath(absolute, file)));
  if (files.length > 0) return named.length > 0 ? named : files;
  throw new HoldfastError('CatalogueInvalid', `no YAML file in ${path}`, {
    location: { file: path },
    hint: 'Name the files of the catalogue, or a folder of them.',
  });
}

async function readDocument(cwd: string, file: string): Promise<CatalogueDocument> {
  const name = posixPath(cwd, file);
  const text = await readYamlText(file, { code: 'CatalogueInvalid', largest: LARGEST_BYTES, name });
  const { value, mistakes, losses, locate } = parseYaml(name, text);
  return { name, value, mistakes: [...mistakes, ...losses], locate };
}

/** Visits folders and the names of the files in them. Links are not followed: they may lead out, or in circles. */
async function walk(folder: string, visit: (folder: string, names: readonly string[]) => void): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  visit(
    folder,
    entries.filter((entry) => entry.isFile()).map(({ name }) => name),
  );
  for (const entry of entries) {
    if (entry.isDirectory() && !isLeftOut(entry.name)) await walk(join(folder, entry.name), visit);
  }
}

export const isLeftOut = (name: string) => name.startsWith('.') || name === 'node_modules';

function posixPath(from: string, to: string): string {
  return relative(from, to).split(sep).join('/') || '.';
}
