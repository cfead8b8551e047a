/** Breaks text at spaces into lines of at most `width` characters. Longer words stay whole, to be copied whole. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && lengthOf(line) + 1 + lengthOf(word) > width) {
      lines.push(line);
      line = word;
      continue;
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Length in code points: what a terminal shows as one character is not cut in half. */
export function lengthOf(text: string): number {
  return [...text].length;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - lengthOf(text)));
}

/** The text, or its start and an ellipsis where it is longer than `width`. */
export function cut(text: string, width: number): string {
  return lengthOf(text) <= width ? text : `${[...text].slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** The first `most` items, and how many were left off as `+n more`. */
export function firstOf(items: readonly string[], most: number): readonly string[] {
  return items.length <= most ? items : [...items.slice(0, most), `+${items.length - most} more`];
}
