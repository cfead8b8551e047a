import type { Diagnostic, Diagnostics } from './diagnostic.ts';
import { HoldfastError, type HoldfastErrorCode } from './errors.ts';
import { adviceFor } from './known-problem.ts';
import { readTextErrors } from './text-diagnostics.ts';
import { stripColours } from './ui-stream.ts';

export interface FailedCommand {
  /** As the reader knows it, such as `terraform plan`. */
  readonly command: string;
  /** What it wrote to its error output, or the end of that. */
  readonly stderr: string;
}

/**
 * The error for a command that failed as it should (exit code 1). It carries the engine's own summary and place of the
 * first error, and `code`, unless somebody holds the lock of the stack: that is `StackBusy`.
 */
export function engineFailure(
  code: HoldfastErrorCode,
  { command, stderr, errors }: FailedCommand & { readonly errors: Diagnostics },
): HoldfastError {
  const known = errors.total > 0 ? errors : readTextErrors(stderr);
  const main = chooseMain(known.first);
  if (main === undefined) return new HoldfastError(code, `${command} failed without a reason${lastWords(stderr)}`);
  const more = known.total - 1;
  const rest = more === 0 ? '' : ` (+${more} more ${more === 1 ? 'error' : 'errors'})`;
  return new HoldfastError(
    main.problem === 'lock-held' ? 'StackBusy' : code,
    `${command} failed: ${main.summary.replace(/\.$/, '')}${rest}`,
    {
      ...(main.problem !== undefined && { hint: adviceFor(main.problem) }),
      ...(main.location !== undefined && { location: main.location }),
    },
  );
}

// Some versions put a general preamble first. The error the reader can act on has a cause or a place.
function chooseMain(errors: readonly Diagnostic[]): Diagnostic | undefined {
  return (
    errors.find(({ problem }) => problem !== undefined) ??
    errors.find(({ location }) => location !== undefined) ??
    errors[0]
  );
}

/** How a process ended: by itself with a code, or by a signal. */
export type ProcessEnd = { readonly code: number } | { readonly signal: string };

// What a shell, or another wrapper round the engine, makes of a signal: 128 and the signal's number.
const SIGNAL_CODES: ReadonlyMap<number, string> = new Map([
  [130, 'SIGINT'],
  [134, 'SIGABRT'],
  [137, 'SIGKILL'],
  [139, 'SIGSEGV'],
  [143, 'SIGTERM'],
]);

/** The error for an end that is no answer: a signal, or a code the command does not have. Never "no drift". */
export function unexpectedExit({ command, stderr, ...end }: FailedCommand & ProcessEnd): HoldfastError {
  const signal = 'signal' in end ? end.signal : SIGNAL_CODES.get(end.code);
  const what = 'signal' in end ? `was ended by ${end.signal}` : `exited with code ${end.code}`;
  const by = 'code' in end && signal !== undefined ? ` (${signal})` : '';
  return new HoldfastError('UnexpectedExit', `${command} ${what}${by}${lastWords(stderr)}`, {
    ...(signal === 'SIGKILL' && { hint: 'something killed it, most often because memory ran out' }),
  });
}

const LONGEST_WORDS = 300;

function lastWords(stderr: string): string {
  const last = stripColours(stderr).trimEnd().split('\n').at(-1)?.trim();
  return last ? `: ${last.slice(0, LONGEST_WORDS)}` : '';
}
