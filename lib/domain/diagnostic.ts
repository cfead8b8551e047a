import type { SourceLocation } from './errors.ts';
import { asObject, type Json } from './json.ts';
import { type KnownProblem, recogniseProblem } from './known-problem.ts';

/** An error or a warning of the engine. Its detail and its snippet hold attribute values, so they are not kept. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** One line. May quote a literal from the user's files. */
  readonly summary: string;
  /** The file is relative to the root module's directory. */
  readonly location?: SourceLocation;
  /** Recognised from summary and detail while both were at hand. */
  readonly problem?: KnownProblem;
}

/** Diagnostics of one severity: how many there were, and the first of them. */
export interface Diagnostics {
  readonly total: number;
  readonly first: readonly Diagnostic[];
}

export const NO_DIAGNOSTICS: Diagnostics = { total: 0, first: [] };

const KEPT = 20;
const LONGEST_SUMMARY = 300;

export function addDiagnostic({ total, first }: Diagnostics, diagnostic: Diagnostic): Diagnostics {
  return { total: total + 1, first: first.length < KEPT ? [...first, diagnostic] : first };
}

export interface DiagnosticText {
  readonly severity: 'error' | 'warning';
  readonly summary: string;
  readonly detail: string;
  readonly location: SourceLocation | undefined;
}

export function toDiagnostic({ severity, summary, detail, location }: DiagnosticText): Diagnostic {
  const problem = recogniseProblem(summary, detail);
  return {
    severity,
    summary: firstParagraph(summary),
    ...(location !== undefined && { location }),
    ...(problem !== undefined && { problem }),
  };
}

/** Reads the `diagnostic` member of an event, leniently. */
export function readDiagnostic(value: Json | undefined): Diagnostic {
  const { severity, summary, detail, range } = asObject(value);
  return toDiagnostic({
    severity: severity === 'warning' ? 'warning' : 'error',
    summary: typeof summary === 'string' ? summary : '(no summary)',
    detail: typeof detail === 'string' ? detail : '',
    location: readLocation(range),
  });
}

function readLocation(range: Json | undefined): SourceLocation | undefined {
  const { filename, start } = asObject(range);
  if (typeof filename !== 'string' || filename === '') return undefined;
  const { line, column } = asObject(start);
  return {
    file: filename,
    ...(typeof line === 'number' && { line }),
    ...(typeof column === 'number' && { column }),
  };
}

function firstParagraph(text: string): string {
  const [paragraph = ''] = text.trim().split(/\n\s*\n/, 1);
  const line = paragraph.replace(/\s+/g, ' ');
  return line.length > LONGEST_SUMMARY ? `${line.slice(0, LONGEST_SUMMARY)}…` : line;
}
