import { describe, expect, it } from 'vitest';
import { formatTable } from '../../lib/cli/format-table.ts';
import { createPaint } from '../../lib/cli/palette.ts';

const plain = { paint: createPaint({ color: false }), width: 80 };
const row = (...texts: readonly string[]) => texts.map((text) => ({ text }));

describe('formatTable', () => {
  it('lines columns up under their titles', () => {
    const lines = formatTable(
      [{ title: 'ID' }, { title: 'VERDICT' }, { title: 'X' }],
      [row('prod/a', 'ok', '1')],
      plain,
    );

    expect(lines).toEqual(['ID      VERDICT  X', 'prod/a  ok       1']);
  });

  it('leaves out a column that is empty in every row, its title included', () => {
    const lines = formatTable(
      [{ title: 'A' }, { title: 'B' }, { title: 'C' }],
      [row('1', '', '3'), row('4', '', '')],
      plain,
    );

    expect(lines).toEqual(['A  C', '1  3', '4']);
  });

  it('cuts columns that may be cut until the table fits, the last ones first', () => {
    const columns = [{ title: 'A', least: 3 }, { title: 'B' }, { title: 'C', least: 4 }];
    const rows = [row('abcdefgh', 'stays whole', 'also rather long')];

    expect(formatTable(columns, rows, { ...plain, width: 30 })[1]).toBe('abcdefgh  stays whole  also r…');
    expect(formatTable(columns, rows, { ...plain, width: 24 })[1]).toBe('abcd…  stays whole  als…');
  });

  it('is as wide as it has to be where it can not be cut further', () => {
    const columns = [{ title: 'A', least: 3 }, { title: 'B' }];

    expect(formatTable(columns, [row('abcdefgh', 'stays whole')], { ...plain, width: 5 })[1]).toBe('ab…  stays whole');
  });

  it('cuts nothing where output goes to a file', () => {
    const lines = formatTable([{ title: 'A', least: 1 }], [row('x'.repeat(500))], {
      ...plain,
      width: Number.POSITIVE_INFINITY,
    });

    expect(lines[1]).toHaveLength(500);
  });

  it('paints cells and not the space between them', () => {
    const paint = (ink: string, text: string) => `<${ink}>${text}</>`;
    const lines = formatTable([{ title: 'A' }, { title: 'B' }], [[{ text: 'x', ink: 'red' }, { text: 'y' }]], {
      paint,
      width: 80,
    });

    expect(lines).toEqual(['<dim>A</>  <dim>B</>', '<red>x</>  y']);
  });

  it('lets no cell command the terminal, or break the line', () => {
    const lines = formatTable([{ title: 'A' }], [row('a\u001b[2J\nb')], plain);

    expect(lines[1]).toBe(String.raw`a\u001b[2J\u000ab`);
  });
});
