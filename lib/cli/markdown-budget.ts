/** A part of the text that is shown as a whole, except for rows at its end. */
export interface Block {
  readonly head: readonly string[];
  readonly rows: readonly { readonly text: string; readonly count: number }[];
  readonly foot: readonly string[];
  /** What the counts of the rows count, in the plural. */
  readonly unit: string;
}

// So that one stack with thousands of findings leaves room for the others.
const MOST_ROWS = 50;
const CLOSING = ['', 'The rest is left off here: it would be too long.'];

/** Joins blocks into a text of at most `limit` characters. What does not fit is left off by rows, and said as `+n more`. */
export function fitBlocks(blocks: readonly Block[], limit: number): string {
  const lines: string[] = [];
  let room = limit - sizeOf(CLOSING);
  for (const block of blocks) {
    const shown = fitBlock(block, room);
    lines.push(...shown.lines);
    room -= sizeOf(shown.lines);
    if (!shown.whole) {
      lines.push(...CLOSING);
      break;
    }
  }
  return `${lines.join('\n')}\n`;
}

interface Shown {
  readonly lines: readonly string[];
  /** False where the room ended before the block did, as opposed to the cap on rows. */
  readonly whole: boolean;
}

function fitBlock({ head, rows, foot, unit }: Block, room: number): Shown {
  const more = (from: number) => {
    const count = rows.slice(from).reduce((sum, row) => sum + row.count, 0);
    return count === 0 ? [] : ['', `+${count} more ${unit}`];
  };
  const capped = rows.slice(0, MOST_ROWS).map(({ text }) => text);
  let left = room - sizeOf([...head, ...foot, ...more(0)]);
  if (left < 0) return { lines: [], whole: false };
  const fitting = capped.findIndex((text) => {
    left -= sizeOf([text]);
    return left < 0;
  });
  const kept = fitting === -1 ? capped.length : fitting;
  return { lines: [...head, ...capped.slice(0, kept), ...more(kept), ...foot], whole: fitting === -1 };
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
