import { existsSync } from 'node:fs';
import { unexpectedExit } from '../domain/engine-failure.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { EngineLog } from '../ports/engine-runner.ts';
import type { EngineName, Tool } from '../ports/toolchain.ts';
import { runChild } from './child-process.ts';
import { isMissing } from './file-error.ts';

export type EngineTool = Pick<Tool<EngineName>, 'name' | 'path' | 'version'>;

/** What the commands of one run have in common. */
export interface EngineSession {
  readonly tool: EngineTool;
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  /** Stops the run. Its reason is the error that the run ends with. */
  readonly stop: AbortSignal;
  readonly graceMs: number;
  readonly log?: EngineLog;
}

export interface EngineCommand {
  /** Such as `plan` or `workspace list`. */
  readonly name: string;
  readonly args: readonly string[];
  /** Exit codes that are an answer. */
  readonly answers: readonly number[];
  readonly onStdout: (chunk: Buffer) => void;
}

/**
 * Runs one command of the engine: whatever is returned is an answer. Throws the session's stop reason, `EngineMissing`,
 * `StackNotFound` where the directory is gone, or `UnexpectedExit`.
 */
export async function runEngine(
  { tool, directory, env, stop, graceMs, log }: EngineSession,
  { name, args, answers, onStdout }: EngineCommand,
): Promise<{ readonly exitCode: number; readonly stderr: string }> {
  stop.throwIfAborted();
  const words = [...name.split(' '), ...args];
  const startedAt = performance.now();
  const child = { file: tool.path, args: words, cwd: directory, env, graceMs, onStdout };
  const { stderr, ...end } = await runChild({ ...child, signal: stop }).catch((error: unknown) => {
    throw spawnFailure(tool, directory, error);
  });
  log?.command({ words: [tool.name, ...words], durationMs: Math.round(performance.now() - startedAt), end });
  stop.throwIfAborted();
  if (!('code' in end) || !answers.includes(end.code)) {
    throw unexpectedExit({ command: `${tool.name} ${name}`, stderr, ...end });
  }
  return { exitCode: end.code, stderr };
}

// Node's error lists the arguments, which hold values: it is not kept as the cause.
function spawnFailure({ name, path }: EngineTool, directory: string, error: unknown): HoldfastError {
  // Node reports a missing working directory as if the program were missing.
  if (!existsSync(directory)) return new HoldfastError('StackNotFound', `no directory ${directory}`);
  if (isMissing(error)) return new HoldfastError('EngineMissing', `${name} was not found at ${path}`);
  const reason = error instanceof Error && 'code' in error ? `: ${error.code}` : '';
  return new HoldfastError('EngineMissing', `${name} at ${path} can't be started${reason}`);
}
