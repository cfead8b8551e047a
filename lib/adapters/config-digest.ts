import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { isFileError } from './file-error.ts';
import { createFramedDigest } from './framed-digest.ts';
import type { InstalledModule } from './module-manifest.ts';
import type { ReferencedFile } from './referenced-files.ts';

/** A configuration file of a module, with the digest of its bytes. */
export interface ConfigFile {
  /** Key of the module, then the file's name. */
  readonly name: string;
  readonly digest: string;
}

export interface ConfigSources {
  readonly modules: readonly InstalledModule[];
  readonly configFiles: readonly ConfigFile[];
  readonly referencedFiles: readonly ReferencedFile[];
}

/**
 * Digest of everything a configuration is made from, in the order given. Directories don't count, so two checkouts of
 * one commit have one digest; a change of a comment makes another.
 */
export async function digestConfig({ modules, configFiles, referencedFiles }: ConfigSources): Promise<string> {
  const digest = createFramedDigest();
  for (const { key, source, version } of modules) digest.add('module', key, source, version);
  for (const { name, digest: content } of configFiles) digest.add('config', name, content);
  for (const { name, path, sizeOnly } of referencedFiles) {
    if (sizeOnly === undefined) digest.add('file', name, await digestFile(path));
    else digest.add('size', name, String(sizeOnly));
  }
  return digest.hex();
}

/** A string may lead to a file by accident: one that can't be read must not fail the check. */
async function digestFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    if (isFileError(error)) return 'unreadable';
    throw error;
  }
  return hash.digest('hex');
}
