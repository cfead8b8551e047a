import { constants } from 'node:buffer';
import { NO_DIAGNOSTICS } from '../domain/diagnostic.ts';
import { engineFailure } from '../domain/engine-failure.ts';
import { HoldfastError, type HoldfastErrorCode } from '../domain/errors.ts';
import { countUnparsedLine, emptyUiStream, readUiEvent, type UiStream } from '../domain/ui-stream.ts';
import { type EngineSession, runEngine } from './engine-command.ts';
import { createLineReader } from './line-reader.ts';

export interface StreamingCommand {
  readonly name: string;
  readonly args: readonly string[];
  /** Exit codes that mean success. */
  readonly successes: readonly number[];
  /** Code of the error where the command fails. */
  readonly failure: HoldfastErrorCode;
  readonly onRefresh?: (count: number) => void;
}

/** Runs a command that prints events, and reads them as they come. */
export async function runStreaming(
  session: EngineSession,
  { name, args, successes, failure, onRefresh }: StreamingCommand,
): Promise<{ readonly exitCode: number; readonly stream: UiStream }> {
  let stream = emptyUiStream();
  const lines = createLineReader({
    onLine: (line) => {
      const { refreshed } = stream;
      stream = readUiEvent(stream, line);
      if (stream.refreshed > refreshed) onRefresh?.(stream.refreshed);
    },
    onTooLong: () => {
      stream = countUnparsedLine(stream);
    },
  });
  const onStdout = (chunk: Buffer) => lines.write(chunk);
  const { exitCode, stderr } = await runEngine(session, { name, args, answers: [...successes, 1], onStdout });
  lines.end();
  for (const diagnostic of [...stream.errors.first, ...stream.warnings.first]) session.log?.diagnostic(diagnostic);
  if (!successes.includes(exitCode)) {
    throw engineFailure(failure, { command: `${session.tool.name} ${name}`, stderr, errors: stream.errors });
  }
  return { exitCode, stream };
}

export interface PrintingCommand {
  readonly name: string;
  readonly args: readonly string[];
  /** @default - the longest text that Node can hold, about 512 MiB */
  readonly maxBytes?: number;
}

/** Runs a command that prints one document, and returns that. Throws `EngineFailed`, or `PlanUnreadable` if too big. */
export async function runPrinting(
  session: EngineSession,
  { name, args, maxBytes = constants.MAX_STRING_LENGTH }: PrintingCommand,
): Promise<string> {
  const chunks: Buffer[] = [];
  const overflow = new AbortController();
  let size = 0;
  const onStdout = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else if (!overflow.signal.aborted) overflow.abort(tooBig(`${session.tool.name} ${name}`, maxBytes));
  };
  const stop = AbortSignal.any([session.stop, overflow.signal]);
  const { exitCode, stderr } = await runEngine({ ...session, stop }, { name, args, answers: [0, 1], onStdout });
  if (exitCode === 0) return Buffer.concat(chunks).toString('utf8');
  throw engineFailure('EngineFailed', { command: `${session.tool.name} ${name}`, stderr, errors: NO_DIAGNOSTICS });
}

function tooBig(command: string, maxBytes: number): HoldfastError {
  return new HoldfastError('PlanUnreadable', `${command} printed more than ${maxBytes} bytes`, {
    hint: 'split the stack: a plan of this size can neither be read nor reviewed',
  });
}
