import { existsSync } from 'node:fs';
import { unexpectedExit } from '../domain/engine-failure.ts';
import { HoldfastError } from '../domain/errors.ts';
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
  { tool, directory, env, stop, graceMs }: EngineSession,
  { name, args, answers, onStdout }: EngineCommand,
): Promise<{ readonly exitCode: number; readonly stderr: string }> {
  stop.throwIfAborted();
  const child = { file: tool.path, args: [...name.split(' '), ...args], cwd: directory, env, graceMs, onStdout };
  const exit = await runChild({ ...child, signal: stop }).catch((error: unknown) => {
    throw spawnFailure(tool, directory, error);
  });
  stop.throwIfAborted();
  if (!('code' in exit) || !answers.includes(exit.code)) {
    throw unexpectedExit({ command: `${tool.name} ${name}`, ...exit });
  }
  return { exitCode: exit.code, stderr: exit.stderr };
}

// Node's error lists the arguments, which hold values: it is not kept as the cause.
function spawnFailure({ name, path }: EngineTool, directory: string, error: unknown): HoldfastError {
  // Node reports a missing working directory as if the program were missing.
  if (!existsSync(directory)) return new HoldfastError('StackNotFound', `no directory ${directory}`);
  if (isMissing(error)) return new HoldfastError('EngineMissing', `${name} was not found at ${path}`);
  const reason = error instanceof Error && 'code' in error ? `: ${error.code}` : '';
  return new HoldfastError('EngineMissing', `${name} at ${path} can't be started${reason}`);
}
