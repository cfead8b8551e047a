import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, normalize, resolve } from 'node:path';
import type { ModuleFile } from '../domain/module-file.ts';
import { findPathLiterals, type PathLiteral } from '../domain/path-literals.ts';
import { hasCode, isMissing } from './file-error.ts';

/** A module directory with its configuration files. */
export interface ModuleDirectory {
  /** The first of the keys it is called under. */
  readonly key: string;
  readonly directory: string;
  readonly files: readonly ModuleFile[];
}

/** A file that the configuration reads. */
export interface ReferencedFile {
  /** Key of the module whose directory the path is relative to, then the path. The same in every checkout. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Set where there are too many files, or too large ones, to read: then name and size stand for the content. */
  readonly sizeOnly?: number;
}

// What one directory may hold to be read in full; 64 MiB are hashed in a fraction of a second.
const MAX_FILES = 2_000;
const MAX_BYTES = 64 * 1024 * 1024;

// State, plans, inputs, and what init puts there: all but configuration.
const NOT_CONFIGURATION =
  /^\.(?:git|holdfast|terraform|terraform\.lock\.hcl)$|\.tfstate(?:\.|$)|\.tfvars(?:\.json)?$|\.tfplan$/;

// Beside those of a missing file: a string too long, a link in a circle, a place that only others may read.
const NOT_A_PATH = ['ENAMETOOLONG', 'ELOOP', 'EACCES'];

interface Place {
  readonly name: string;
  readonly path: string;
}

interface Target extends Place {
  /** False where the path goes on with something that isn't literal: then only a directory can be meant. */
  readonly complete: boolean;
  /** Only directories strictly inside the module are read: others hold more than its files. */
  readonly mayBeDirectory: boolean;
}

/**
 * Finds the files that strings of the configuration lead to, sorted by name: those named in full, and all below a
 * directory inside the module that is named, or that a path with a further template starts with.
 */
export async function findReferencedFiles(
  root: string,
  modules: readonly ModuleDirectory[],
): Promise<readonly ReferencedFile[]> {
  const { read, written } = findTargets(root, modules);
  const named: Place[] = [];
  const directories: Place[] = [];
  for (const { name, path, complete, mayBeDirectory } of read) {
    const stats = await statIfAny(path);
    if (stats?.isFile() && complete) named.push({ name, path });
    else if (stats?.isDirectory() && mayBeDirectory) directories.push({ name, path });
  }
  const files = new Map<string, ReferencedFile>();
  for (const directory of outermost(directories)) {
    for (const file of await readDirectory(directory)) files.set(file.path, file);
  }
  for (const file of named) files.set(file.path, file);
  return [...files.values()].filter(({ path }) => !written.has(path)).sort(byName);
}

function findTargets(root: string, modules: readonly ModuleDirectory[]) {
  const read = new Map<string, Target>();
  const written = new Set<string>();
  for (const module of modules) {
    for (const literals of module.files.map(findPathLiterals)) {
      for (const literal of literals.written) written.add(resolveTarget(root, module, literal).path);
      for (const literal of literals.read.filter(({ path }) => path.split('/').every(isConfiguration))) {
        const target = resolveTarget(root, module, literal);
        read.set(JSON.stringify(target), target);
      }
    }
  }
  return { read: read.values(), written };
}

function resolveTarget(root: string, module: ModuleDirectory, literal: PathLiteral): Target {
  const { key, directory } = literal.base === 'module' ? module : { key: '', directory: root };
  const { complete } = literal;
  const start = complete ? literal.path : literal.path.slice(0, literal.path.lastIndexOf('/') + 1);
  const relative = normalize(start).replace(/\/$/, '');
  return {
    name: `${key}:${relative}`,
    path: resolve(directory, relative),
    complete,
    mayBeDirectory: literal.mayBeDirectory && relative !== '.' && !/^\.\.(?:\/|$)/.test(relative),
  };
}

function isConfiguration(name: string): boolean {
  return !NOT_CONFIGURATION.test(name);
}

/** Any string may look like a path: one that can't be followed names no file. */
async function statIfAny(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error) || NOT_A_PATH.some((code) => hasCode(error, code))) return undefined;
    throw error;
  }
}

function outermost(directories: readonly Place[]): readonly Place[] {
  const kept: Place[] = [];
  for (const directory of directories.toSorted((a, b) => a.path.length - b.path.length)) {
    if (!kept.some((outer) => `${directory.path}/`.startsWith(`${outer.path}/`))) kept.push(directory);
  }
  return kept;
}

async function readDirectory(directory: Place): Promise<readonly ReferencedFile[]> {
  const files: (Place & { sizeOnly: number })[] = [];
  const pending = [directory];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const entry of await readdir(next.path, { withFileTypes: true })) {
      const place = { name: `${next.name}/${entry.name}`, path: join(next.path, entry.name) };
      if (!isConfiguration(entry.name)) continue;
      // A link to a directory is not followed: it may lead anywhere, or in a circle.
      if (entry.isDirectory()) pending.push(place);
      else {
        const stats = await statIfAny(place.path);
        if (stats?.isFile()) files.push({ ...place, sizeOnly: stats.size });
      }
    }
  }
  const bytes = files.reduce((sum, { sizeOnly }) => sum + sizeOnly, 0);
  return files.length > MAX_FILES || bytes > MAX_BYTES ? files : files.map(({ name, path }) => ({ name, path }));
}

function byName(a: Place, b: Place): number {
  return a.name < b.name ? -1 : 1;
}
