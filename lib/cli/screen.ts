/** What is used of `process.stdout` and `process.stderr` where a part of the terminal redraws itself. */
export interface ScreenStream {
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
  write(text: string): unknown;
}

export interface Screen {
  /** A line that is longer wraps, takes two rows, and the next redraw starts one row too low. */
  width(): number;
  /** More lines than this scroll out at the top, where no redraw reaches them. */
  height(): number;
  /** Puts these lines where the last ones stood. */
  show(lines: readonly string[]): void;
}

export function createScreen(stream: ScreenStream): Screen {
  let shown = 0;
  return {
    width: () => (stream.columns || 80) - 1,
    height: () => (stream.rows || 24) - 1,
    show(lines) {
      const back = shown === 0 ? '' : `\u001b[${shown}A\r\u001b[J`;
      const text = lines.map((line) => `${line}\n`).join('');
      if (back + text !== '') stream.write(back + text);
      shown = lines.length;
    },
  };
}
