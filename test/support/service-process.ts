import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { atExit } from '../../lib/adapters/exit-tasks.ts';

export interface ServiceOptions {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>;
  /** Matches what it prints once it can be used. The first group is handed on. */
  readonly ready: RegExp;
}

export interface ServiceProcess {
  readonly pid: number;
  /** What the first group of `ready` matched. */
  readonly said: string;
  /** Interrupts the process and waits until it is gone. */
  close(): Promise<void>;
}

/** Starts a program that runs until it is closed. Rejects with its output where it ends before it is ready. */
export async function startService({ file, args, env, ready }: ServiceOptions): Promise<ServiceProcess> {
  const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const release = atExit(() => child.kill('SIGKILL'));
  const gone = once(child, 'close').finally(release);
  const said = await waitUntilReady(child, gone, ready);
  return {
    pid: child.pid ?? 0,
    said,
    async close() {
      child.kill('SIGINT');
      await gone;
    },
  };
}

async function waitUntilReady(child: ChildProcess, gone: Promise<unknown>, ready: RegExp): Promise<string> {
  let output = '';
  const { promise, resolve } = Promise.withResolvers<string>();
  const read = (chunk: Buffer): void => {
    output += chunk.toString();
    const said = ready.exec(output)?.[1];
    if (said !== undefined) resolve(said);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', read);
  const ended = gone.then(() => {
    throw new Error(`${child.spawnfile} ended before it was ready:\n${output}`);
  });
  const said = await Promise.race([promise, ended]);
  // From here on its output is thrown away, but still read: a full pipe would stop it.
  for (const stream of [child.stdout, child.stderr]) stream?.off('data', read).resume();
  return said;
}
