import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import semver from 'semver';
import { HoldfastError } from '../domain/errors.ts';
import type { ToolName } from '../ports/toolchain.ts';

export interface Cache {
  readonly cacheDir: string;
  /** Such as `linux_amd64`: a home directory can be shared between machines. */
  readonly platform: string;
}

export function cachedPath({ cacheDir, platform }: Cache, tool: ToolName, version: string): string {
  return join(cacheDir, tool, version, platform, tool);
}

/** Versions that have a folder in the cache, newest first. Throws `EngineMissing` where the cache can't be read. */
export async function cachedVersions({ cacheDir }: Cache, tool: ToolName): Promise<string[]> {
  const folder = join(cacheDir, tool);
  try {
    const names = await readdir(folder);
    return names.filter((name) => semver.valid(name) !== null).sort(semver.rcompare);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw unusable(folder, error);
  }
}

/**
 * Writes a whole file or none: other processes see the old content or the new, and a crash leaves the old. Throws
 * `EngineMissing` where the cache can't be written to.
 */
export async function writeAtomically(path: string, content: Buffer | string, mode: number): Promise<void> {
  await makeFolder(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeDurably(temporary, content, mode);
    await rename(temporary, path);
  } catch (error) {
    throw unusable(path, error);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Throws `EngineMissing`. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, cause: unknown): HoldfastError {
  return new HoldfastError('EngineMissing', `the cache can't be used: ${codeOf(cause)} at ${path}`, {
    cause,
    hint: 'Choose a cache folder that you can write to, or put the tools on PATH.',
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

async function writeDurably(path: string, content: Buffer | string, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    // The mode given to open is subject to the umask.
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}
