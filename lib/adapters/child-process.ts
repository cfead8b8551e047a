import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { ProcessEnd } from '../domain/engine-failure.ts';
import { atExit } from './exit-tasks.ts';

export interface ChildOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child. */
  readonly env: Readonly<Record<string, string>>;
  /** Aborting it stops the child: one interrupt, `graceMs` to finish, then a kill. */
  readonly signal: AbortSignal;
  readonly graceMs: number;
  readonly onStdout: (chunk: Buffer) => void;
  /**
   * How long to go on reading from a pipe that is silent although the child is gone, in milliseconds.
   *
   * @default 5000
   */
  readonly silenceMs?: number;
}

export type ChildExit = ProcessEnd & {
  /** The last 64 KiB of the child's error output. */
  readonly stderr: string;
};

/**
 * Runs a program to its end, without a shell. Rejects with Node's own error where it can't be started.
 *
 * The child leads a process group of its own. So a Ctrl-C in the terminal does not reach it beside the interrupt sent
 * from here (Terraform takes a second one as an order to quit at once), and whatever it started ends with it.
 */
export async function runChild({
  file,
  args,
  cwd,
  env,
  silenceMs = 5000,
  ...options
}: ChildOptions): Promise<ChildExit> {
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stderr = keepTail(child.stderr);
  child.stdout.on('data', options.onStdout);
  const releases = [
    atExit(() => killGroup(child)),
    stopOnAbort(child, options),
    endWithLeader(child, [child.stdout, child.stderr], silenceMs),
  ];
  try {
    await once(child, 'close');
    return { ...endOf(child), stderr: stderr() };
  } finally {
    for (const release of releases) release();
  }
}

function endOf({ exitCode, signalCode }: ChildProcess): ProcessEnd {
  return exitCode === null ? { signal: signalCode ?? 'an unknown signal' } : { code: exitCode };
}

const STDERR_KEPT = 64 * 1024;

function keepTail(stream: Readable): () => string {
  let tail = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    tail = Buffer.concat([tail, chunk]).subarray(-STDERR_KEPT);
  });
  return () => tail.toString('utf8');
}

function stopOnAbort(child: ChildProcess, { signal, graceMs }: Pick<ChildOptions, 'signal' | 'graceMs'>): () => void {
  let grace: NodeJS.Timeout | undefined;
  const stop = (): void => {
    child.kill('SIGINT');
    grace = setTimeout(() => killGroup(child), graceMs);
  };
  signal.addEventListener('abort', stop, { once: true });
  return () => {
    signal.removeEventListener('abort', stop);
    clearTimeout(grace);
  };
}

/**
 * When the child is gone, ends what it left behind, then stops reading once the pipes are silent: a process that moved
 * to a session of its own (a kept SSH connection, say) would hold them open for ever.
 */
function endWithLeader(child: ChildProcess, pipes: readonly Readable[], silenceMs: number): () => void {
  let received = 0;
  let seen = -1;
  let ticks: NodeJS.Timeout | undefined;
  for (const pipe of pipes) {
    pipe.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
  }
  child.once('exit', () => {
    killGroup(child);
    // Node reads between two ticks even after it was busy for longer, so data in a pipe is never mistaken for silence.
    ticks = setInterval(() => {
      if (received === seen) for (const pipe of pipes) pipe.destroy();
      seen = received;
    }, silenceMs);
  });
  return () => clearInterval(ticks);
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in the group.
  }
}
