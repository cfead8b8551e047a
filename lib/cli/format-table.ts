import { escapeUnsafe } from '../domain/scrub.ts';
import type { Ink, Paint } from './palette.ts';
import { cut, lengthOf, padEnd } from './text-layout.ts';

export interface Column {
  readonly title: string;
  /** Where the terminal is narrow, columns with a least width are cut to it, the last ones first. */
  readonly least?: number;
}

/** One cell; it may hold anything, and is shown on one line. */
export interface Cell {
  readonly text: string;
  readonly ink?: Ink;
}

export interface TableOptions {
  readonly paint: Paint;
  readonly width: number;
}

const GAP = '  ';

/** Lines of a table under its titles. A column that is empty in every row is left out. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  { paint, width }: TableOptions,
): readonly string[] {
  const safe = rows.map((row) => row.map((cell) => ({ ...cell, text: escapeUnsafe(cell.text) })));
  const shown = columns.map((_, at) => safe.some((row) => row[at]?.text));
  const titles = columns.map(({ title }) => ({ text: title, ink: 'dim' as const }));
  const pick = <T>(cells: readonly T[]): readonly T[] => cells.filter((_, at) => shown[at]);
  const table = [titles, ...safe].map(pick);
  const widths = columnWidths(pick(columns), table, width);
  return table.map((row) => line(row, widths, paint));
}

function columnWidths(
  columns: readonly Column[],
  table: readonly (readonly Cell[])[],
  width: number,
): readonly number[] {
  const widths = columns.map((_, at) => Math.max(...table.map((row) => lengthOf(row[at]?.text ?? ''))));
  let excess = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length) - width;
  for (const [at, { least }] of [...columns.entries()].reverse()) {
    const own = widths[at] ?? 0;
    const less = least === undefined ? 0 : Math.min(Math.max(0, own - least), Math.max(0, excess));
    widths[at] = own - less;
    excess -= less;
  }
  return widths;
}

function line(row: readonly Cell[], widths: readonly number[], paint: Paint): string {
  const cells = row.map(({ text, ink }, at) => {
    const shown = cut(text, widths[at] ?? 0);
    const padded = at === row.length - 1 ? shown : padEnd(shown, widths[at] ?? 0);
    return ink === undefined ? padded : paint(ink, padded);
  });
  return cells.join(GAP).trimEnd();
}
