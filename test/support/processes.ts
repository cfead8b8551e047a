import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** True while there is a process with this id that has not ended. */
export function isAlive(pid: number): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
    return !state.trim().startsWith('Z');
  } catch {
    return false;
  }
}

/** Resolves once the process has ended. The test's own time limit ends the wait. */
export async function hasEnded(pid: number): Promise<true> {
  while (isAlive(pid)) await delay(10);
  return true;
}
