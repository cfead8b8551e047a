import { StringDecoder } from 'node:string_decoder';

export interface LineReaderOptions {
  readonly onLine: (line: string) => void;
  /** Called once for each line that is dropped for its length. */
  readonly onTooLong: () => void;
  /**
   * Longest line that is kept, in UTF-16 units.
   *
   * @default 1048576
   */
  readonly maxLength?: number;
}

export interface LineReader {
  write(chunk: Buffer): void;
  /** Hands out what is left after the last line feed. */
  end(): void;
}

/**
 * Cuts a byte stream into lines, holding one line at most. `node:readline` has no limit, and it cuts at U+2028, which
 * may stand inside an event.
 */
export function createLineReader({ onLine, onTooLong, maxLength = 1024 * 1024 }: LineReaderOptions): LineReader {
  const decoder = new StringDecoder('utf8');
  let line = '';
  let tooLong = false;

  const add = (text: string): void => {
    if (tooLong) return;
    line += text;
    tooLong = line.length > maxLength;
    if (tooLong) onTooLong();
  };
  const finish = (): void => {
    if (!tooLong) onLine(line);
    line = '';
    tooLong = false;
  };
  const read = (text: string): void => {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      add(text.slice(start, end));
      finish();
      start = end + 1;
    }
    add(text.slice(start));
  };

  return {
    write: (chunk) => read(decoder.write(chunk)),
    end() {
      read(decoder.end());
      if (line !== '') finish();
    },
  };
}
