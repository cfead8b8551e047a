import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { startTaskProcess } from '../../lib/local/task-process.ts';
import { hasEnded } from '../support/processes.ts';
import { aFolder } from '../support/temporary-folder.ts';

/** A runner that is this script. */
async function aTask(script: string, env: Readonly<Record<string, string>> = {}) {
  const folder = await aFolder({ 'main.mjs': script });
  const logFile = join(folder, 'task.log');
  const container = startTaskProcess({ script: join(folder, 'main.mjs'), env, logFile });
  const says = (pattern: RegExp) =>
    vi.waitFor(async () => {
      const match = pattern.exec(await readFile(logFile, 'utf8'));
      if (match === null) throw new Error(`it has not said ${pattern} yet`);
      return match;
    }, 10_000);
  return { container, logFile, says };
}

const HOLD = 'setInterval(() => {}, 1000);';

describe('startTaskProcess', () => {
  it('runs a script in the environment it gets, and in no other, and keeps what it prints', async () => {
    const { container, logFile } = await aTask('console.log(JSON.stringify(process.env)); console.error("oops")', {
      A: '1',
    });

    expect(await container.ended).toEqual({ code: 0 });
    expect(await readFile(logFile, 'utf8')).toBe('{"A":"1"}\noops\n');
  });

  it('tells how it ended', async () => {
    const { container } = await aTask('process.exit(3)');

    expect(await container.ended).toEqual({ code: 3 });
  });

  it('hands a signal on, for the runner to end in order', async () => {
    const { container, says } = await aTask(
      `process.on('SIGTERM', () => process.exit(7)); console.log('ready'); ${HOLD}`,
    );
    await says(/ready/);
    container.signal('SIGTERM');

    expect(await container.ended).toEqual({ code: 7 });
  });

  it('kills everything in it, groups of their own included', async () => {
    const { container, says } = await aTask(`
      import { spawn } from 'node:child_process';
      process.on('SIGTERM', () => {});
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(HOLD)}], { detached: true });
      console.log('child', child.pid);
      ${HOLD}`);
    const [, pid = ''] = await says(/child (\d+)/);
    container.signal('SIGTERM');
    container.signal('SIGKILL');

    expect(await container.ended).toEqual({ signal: 'SIGKILL' });
    expect(await hasEnded(Number(pid))).toBe(true);
  });

  it('is no error to signal what has ended', async () => {
    const { container } = await aTask('');
    await container.ended;
    container.signal('SIGKILL');
    container.signal('SIGTERM');
  });
});
