import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_FILE, LocalMode } from '../contract/local-mode.ts';
import { HoldfastError } from '../domain/errors.ts';
import { isMissing } from './file-error.ts';

/**
 * The local mode that runs with this state folder; `undefined`: none does. Throws `ItemUnreadable` where its file can't
 * be read.
 */
export async function findLocalMode(folder: string): Promise<LocalMode | undefined> {
  const file = join(folder, LOCAL_FILE);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const mode = parse(file, text);
  return (await answers(mode)) ? mode : undefined;
}

function parse(file: string, text: string): LocalMode {
  try {
    return LocalMode.parse(JSON.parse(text));
  } catch (cause) {
    throw new HoldfastError('ItemUnreadable', `${file} is not of a local mode of this version`, {
      cause,
      location: { file },
      hint: 'end the local mode that wrote it, or delete the file',
    });
  }
}

/** A local mode that was killed leaves its file behind. */
async function answers({ pid, awsEndpoint }: LocalMode): Promise<boolean> {
  try {
    process.kill(pid, 0);
    return (await fetch(`${awsEndpoint}/health`)).ok;
  } catch {
    return false;
  }
}
