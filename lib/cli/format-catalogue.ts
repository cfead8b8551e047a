import type { LoadedCatalogue } from '../app/load-catalogue.ts';
import type { CatalogueProblem } from '../domain/catalogue-problem.ts';
import { describeLocation } from '../domain/describe.ts';
import { escapeUnsafe } from '../domain/scrub.ts';
import { createPaint, type Paint } from './palette.ts';
import { padEnd } from './text-layout.ts';

export interface CatalogueReportOptions {
  readonly color: boolean;
  /** Name the stacks, too. */
  readonly verbose: boolean;
}

type Report = Pick<LoadedCatalogue, 'files' | 'stacks' | 'problems'>;

/** A catalogue's problems the way compilers tell them, so that editors and CI find the places, and a line of totals. */
export function formatCatalogue(catalogue: Report, { color, verbose }: CatalogueReportOptions): string {
  const paint = createPaint({ color });
  const lines = [
    ...(verbose ? stackLines(paint, catalogue) : []),
    ...catalogue.problems.flatMap((problem) => problemLines(paint, problem)),
    totals(paint, catalogue),
  ];
  return `${lines.join('\n')}\n`;
}

function problemLines(paint: Paint, { severity, location, message, hint, code }: CatalogueProblem): readonly string[] {
  const label = paint(severity === 'error' ? 'red' : 'yellow', severity);
  const where = paint('bold', escapeUnsafe(describeLocation(location)));
  return [
    `${where}: ${label}: ${escapeUnsafe(message)} ${paint('dim', `[${code}]`)}`,
    `  ${paint('dim', 'hint:')} ${escapeUnsafe(hint)}`,
  ];
}

function stackLines(paint: Paint, { stacks }: Report): readonly string[] {
  const width = Math.max(0, ...stacks.map(({ spec }) => spec.id.length));
  const lines = stacks.map(({ spec, contexts }) => {
    const notes = [...spec.labels, ...contexts.map((name) => `context ${name}`)].map(escapeUnsafe).join(', ');
    return `${padEnd(spec.id, width)}  ${escapeUnsafe(spec.source.path)}  ${paint('dim', notes)}`.trimEnd();
  });
  return lines.length === 0 ? [] : [...lines, ''];
}

function totals(paint: Paint, { files, stacks, problems }: Report): string {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const warnings = problems.length - errors;
  const parts = [
    errors === 0 ? '' : paint('red', amount(errors, 'error')),
    warnings === 0 ? '' : paint('yellow', amount(warnings, 'warning')),
    `${amount(stacks.length, 'stack')} in ${amount(files.length, 'file')}`,
  ];
  return `${errors === 0 ? paint('green', '✓') : paint('red', '✗')} ${parts.filter((part) => part !== '').join(', ')}`;
}

function amount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
