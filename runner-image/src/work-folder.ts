import { rmSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atExit } from '../../lib/adapters/exit-tasks.ts';
import { withPrivateFolder } from '../../lib/adapters/private-folder.ts';

/**
 * Gives a run a folder that only this user can enter, and removes it afterwards: `run` in the folder that is named, which
 * is emptied first, else a new one.
 */
export async function withWorkFolder<T>(parent: string | undefined, work: (folder: string) => Promise<T>): Promise<T> {
  if (parent === undefined) return withPrivateFolder(tmpdir(), work);
  const folder = join(parent, 'run');
  const remove = { recursive: true, force: true, maxRetries: 3 } as const;
  await rm(folder, remove);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const release = atExit(() => rmSync(folder, remove));
  try {
    return await work(folder);
  } finally {
    await rm(folder, remove);
    release();
  }
}
