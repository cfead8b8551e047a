import * as names from '../../lib/contract/env.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import { readEnvironment } from './environment.ts';
import type { TaskContext } from './task-context.ts';

const { env } = process;
const stop = new AbortController();
// Once is enough, and without a listener the second one would end the runner before the engine: a plan under way would
// be left to itself, and its result lost.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

const keys = { runId: env[names.RUN_ID], stackId: env[names.STACK_ID] };
const log = (level: 'INFO' | 'ERROR', message: string): void => {
  process.stdout.write(`${JSON.stringify({ level, time: new Date().toISOString(), ...keys, message })}\n`);
};

async function run(task: TaskContext): Promise<void> {
  const environment = readEnvironment(env);
  // Each mode loads what it needs: reading a catalogue takes no engine.
  if (environment[names.MODE] === 'check') await (await import('./check.ts')).check(task, environment);
  else await (await import('./sync.ts')).sync(task, environment);
}

// The exit code says whether there is a result, never which.
try {
  await run({ env, signal: stop.signal, say: (message) => log('INFO', message) });
} catch (error) {
  const hint = error instanceof HoldfastError && error.hint !== undefined ? ` (${error.hint})` : '';
  log('ERROR', error instanceof HoldfastError ? `${error.code}: ${error.message}${hint}` : String(error));
  if (!(error instanceof HoldfastError) && error instanceof Error) log('ERROR', error.stack ?? '');
  process.exitCode = 1;
}
