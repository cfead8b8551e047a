import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export interface RunnerEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Messages of the log of the container, in order. */
  readonly messages: readonly string[];
  /** All that it printed. */
  readonly output: string;
}

export interface RunnerProcess {
  readonly pid: number;
  readonly end: Promise<RunnerEnd>;
  /** Resolves once it has said something that contains the text. The test's own time limit ends the wait. */
  says(text: string): Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

const ENTRY = fileURLToPath(new URL('../../runner-image/src/main.ts', import.meta.url));

/** Starts the runner as the image does, but for its entry: the sources, unless told otherwise. */
export function startRunner(env: Readonly<Record<string, string>>, entry: string = ENTRY): RunnerProcess {
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      for (const listener of listeners) listener();
    });
  }
  return {
    pid: child.pid ?? 0,
    end: endOf(child, () => output),
    says: async (text) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const listener = () => {
        if (output.includes(text)) resolve();
      };
      listeners.add(listener);
      listener();
      await promise;
      listeners.delete(listener);
    },
    kill: (signal) => void child.kill(signal),
  };
}

async function endOf(child: ChildProcess, output: () => string): Promise<RunnerEnd> {
  await once(child, 'close');
  const { exitCode, signalCode: signal } = child;
  const lines = output()
    .split('\n')
    .filter((line) => line.startsWith('{'));
  const messages = lines.map((line) => String((JSON.parse(line) as { readonly message: unknown }).message));
  return { exitCode, signal, messages, output: output() };
}
