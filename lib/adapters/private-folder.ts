import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { atExit } from './exit-tasks.ts';

/** Gives the work a folder that only this user can enter, and removes it whatever comes of the work. */
export async function withPrivateFolder<T>(root: string, work: (folder: string) => Promise<T>): Promise<T> {
  // Node makes it with mode 0700.
  const folder = await mkdtemp(join(root, 'holdfast-'));
  // Whoever writes there may have been killed only just now, hence the retries.
  const release = atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    release();
  }
}
