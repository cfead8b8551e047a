import { addDiagnostic, type Diagnostic, type Diagnostics, NO_DIAGNOSTICS, toDiagnostic } from './diagnostic.ts';
import type { SourceLocation } from './errors.ts';
import { stripColours } from './ui-stream.ts';

interface Block {
  readonly severity: 'error' | 'warning';
  readonly lines: string[];
}

/**
 * Reads the errors out of diagnostics printed for people. That is all there is where an engine gives no events: on
 * `init` of older versions, and when it fails before it has set up its output.
 *
 * Good for the reason of a failure only. No verdict may depend on it, since a stack's own text can look the same.
 */
export function readTextErrors(text: string): Diagnostics {
  return splitBlocks(text)
    .map(readBlock)
    .filter(({ severity }) => severity === 'error')
    .reduce(addDiagnostic, NO_DIAGNOSTICS);
}

function splitBlocks(text: string): readonly Block[] {
  const blocks: Block[] = [];
  for (const raw of stripColours(text).split('\n')) {
    const line = raw.replace(/^[╷│╵] ?/, '').trimEnd();
    const severity = severityOf(line);
    if (severity === undefined) blocks.at(-1)?.lines.push(line);
    else blocks.push({ severity, lines: [line.slice(line.indexOf(' ') + 1)] });
  }
  return blocks;
}

function severityOf(line: string): Block['severity'] | undefined {
  if (line.startsWith('Error: ')) return 'error';
  return line.startsWith('Warning: ') ? 'warning' : undefined;
}

function readBlock({ severity, lines }: Block): Diagnostic {
  return toDiagnostic({ severity, summary: lines.join('\n'), detail: '', location: readLocation(lines) });
}

const LOCATION = /^ +on (?<file>.+) line (?<line>\d+)(?:, in .*)?:$/;

function readLocation(lines: readonly string[]): SourceLocation | undefined {
  for (const text of lines) {
    const { file, line } = LOCATION.exec(text)?.groups ?? {};
    if (file !== undefined) return { file, line: Number(line) };
  }
  return undefined;
}
