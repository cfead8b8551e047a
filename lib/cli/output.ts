import { describeLocation } from '../domain/describe.ts';
import { HoldfastError } from '../domain/errors.ts';
import { escapeUnsafe } from '../domain/scrub.ts';
import { createPaint, type Paint } from './palette.ts';

/** What is used of `process.stdout` and `process.stderr`. */
export interface OutputStream {
  readonly isTTY?: boolean | undefined;
  /** Width of the terminal; some report 0. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
}

export interface OutputDeps {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The only place that prints. Results go to stdout, everything about the run to stderr. */
export interface Output {
  /** Whether reports may have colour. */
  readonly color: boolean;
  /** Columns for reports; infinite where they go to a file or a pipe, whose reader does the wrapping. */
  readonly width: number;
  /** Whether stderr is a terminal somebody watches, so that progress can redraw itself. */
  readonly live: boolean;
  /** Writes a report, which ends with a newline of its own. */
  print(report: string): void;
  /** Tells people something about the run. */
  say(message: string): void;
  /** Tells what went wrong: message, place and hint of a `HoldfastError`; the stack of anything else, which is a bug. */
  error(error: unknown): void;
}

export function createOutput({ stdout, stderr, env }: OutputDeps): Output {
  const color = wantsColor(stdout, env);
  const paintError = createPaint({ color: wantsColor(stderr, env) });
  const toStdout = createWriter(stdout);
  const toStderr = createWriter(stderr);
  return {
    color,
    width: stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    live: stderr.isTTY === true && env.TERM !== 'dumb' && !env.CI,
    print: (report) => toStdout(withoutControls(report, color)),
    say: (message) => toStderr(`${withoutControls(message, false)}\n`),
    error: (error) => toStderr(`${errorLines(paintError, error).join('\n')}\n`),
  };
}

// As Node itself: FORCE_COLOR before NO_COLOR (https://no-color.org), and both before what the stream is.
function wantsColor(stream: OutputStream, env: OutputDeps['env']): boolean {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR) return false;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** A reader that has seen enough (`| head`) closes the pipe: that ends the output, not the program. */
function createWriter(stream: OutputStream): (text: string) => void {
  let open = true;
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
    open = false;
  });
  return (text) => {
    if (open) stream.write(text);
  };
}

const LAYOUT = /([\n\t])/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour is written with a control character
const LAYOUT_AND_INK = /([\n\t]|\u001b\[[\d;]*m)/;

/** Whatever a report may have let through, a terminal gets no command but line breaks and our colours. */
function withoutControls(text: string, color: boolean): string {
  const parts = text.split(color ? LAYOUT_AND_INK : LAYOUT);
  return parts.map((part, at) => (at % 2 === 0 ? escapeUnsafe(part) : part)).join('');
}

function errorLines(paint: Paint, error: unknown): readonly string[] {
  const label = paint('red', 'error:');
  if (!(error instanceof HoldfastError)) {
    const stack = error instanceof Error ? (error.stack ?? String(error)) : String(error);
    return [`${label} unexpected failure, a bug in Holdfast`, withoutControls(stack, false)];
  }
  const { message, location, hint } = error;
  return [
    `${label} ${withoutControls(message, false)}`,
    ...(location === undefined ? [] : [`  at ${escapeUnsafe(describeLocation(location))}`]),
    ...(hint === undefined ? [] : [`  hint: ${withoutControls(hint, false)}`]),
  ];
}
