import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Baseline } from '../domain/baseline.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { BaselineStore } from '../ports/baseline-store.ts';
import { hasCode, isMissing } from './file-error.ts';
import { sha256 } from './sha256.ts';

export interface FileBaselineStoreOptions {
  /** Made where it is missing. */
  readonly directory: string;
}

const SALT_BYTES = 32;
// File systems take 255 bytes; what is left is for suffixes.
const MAX_NAME_LENGTH = 200;

const StoredBaseline = z.object({
  schemaVersion: z.literal(1),
  stack: z.string(),
  at: z.iso.datetime({ offset: true }),
  commit: z.string().optional(),
  digests: z.object({
    basis: z.enum(['files', 'document']),
    config: z.string(),
    inputs: z.string(),
    providers: z.string().nullable(),
  }),
});

/**
 * Keeps one JSON file for each stack, readable by its owner only. `load` throws `BaselineUnreadable`, `save`
 * `BaselineUnwritable`.
 */
export function createFileBaselineStore({ directory }: FileBaselineStoreOptions): BaselineStore {
  return {
    load: (stack) => loadBaseline(join(directory, fileName(stack)), stack),
    save: async (stack, baseline) => {
      const text = JSON.stringify({ schemaVersion: 1, stack, ...baseline }, null, 2);
      const file = join(directory, fileName(stack));
      await writeWhole(file, `${text}\n`, (temporary) => rename(temporary, file));
    },
  };
}

/**
 * The salt for digests kept in this directory: 32 random bytes, made on first use. Processes that start at once get
 * the same ones. Throws `BaselineUnreadable` where the file holds something else, `BaselineUnwritable` where there is
 * none and none can be made.
 */
export async function loadSalt(directory: string): Promise<Uint8Array> {
  const file = join(directory, 'salt');
  const salt = await readSalt(file);
  if (salt !== undefined) return salt;
  const made = randomBytes(SALT_BYTES);
  // A link fails where the name is taken, and never shows a file that is half written.
  const isFirst = await writeWhole(file, made, (temporary) => linkIfFree(temporary, file));
  return isFirst ? made : loadSalt(directory);
}

async function readSalt(file: string): Promise<Uint8Array | undefined> {
  try {
    const salt = await readFile(file);
    if (salt.length !== SALT_BYTES) throw new RangeError(`${salt.length} bytes, expected ${SALT_BYTES}`);
    return salt;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new HoldfastError('BaselineUnreadable', `salt of the baselines can't be read: ${file}`, {
      hint: 'Delete it and the baselines beside it: digests made with another salt compare with nothing.',
      location: { file },
      cause: error,
    });
  }
}

async function linkIfFree(existing: string, name: string): Promise<boolean> {
  try {
    await link(existing, name);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function loadBaseline(file: string, stack: string): Promise<Baseline | undefined> {
  try {
    const stored = StoredBaseline.parse(JSON.parse(await readFile(file, 'utf8')));
    if (stored.stack !== stack) throw new RangeError(`it belongs to the stack ${JSON.stringify(stored.stack)}`);
    const { digests, commit, at } = stored;
    return { digests, at, ...(commit === undefined ? {} : { commit }) };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new HoldfastError('BaselineUnreadable', `baseline of ${JSON.stringify(stack)} can't be read: ${file}`, {
      hint: 'Delete the file. The next check without pending changes writes a new one.',
      location: { file },
      cause: error,
    });
  }
}

/** Writes a file beside the one that is meant and has it put there, so that nobody ever reads half of it. */
async function writeWhole<T>(
  file: string,
  content: string | Uint8Array,
  publish: (temporary: string) => Promise<T>,
): Promise<T> {
  const directory = dirname(file);
  const temporary = join(directory, `.new-${randomBytes(8).toString('hex')}`);
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    try {
      await writeFile(temporary, content, { flag: 'wx', mode: 0o600, flush: true });
      return await publish(temporary);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (error) {
    throw new HoldfastError('BaselineUnwritable', `can't write ${file}`, {
      hint: 'Name a directory for baselines that this user may write to.',
      location: { file },
      cause: error,
    });
  }
}

/**
 * The id in lower-case letters, digits and percent codes, since some file systems take upper case for lower case. A
 * name too long ends in a digest; the id is in the file as well.
 */
function fileName(stack: string): string {
  const encoded = stack.replace(/[^a-z0-9_-]/gu, percentCode);
  if (encoded.length <= MAX_NAME_LENGTH) return `${encoded}.json`;
  return `${encoded.slice(0, MAX_NAME_LENGTH / 2)}~${sha256(stack)}.json`;
}

function percentCode(character: string): string {
  return Buffer.from(character).toString('hex').replace(/../g, '%$&');
}
