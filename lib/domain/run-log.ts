import { escapeUnsafe, type Scrub } from './scrub.ts';

export interface RunLog {
  /** Adds a line. Secrets may be in it: they go when the text is taken out. */
  add(at: Date, message: string): void;
  /** The whole log, one line for each message, without secrets. */
  text(scrub: Scrub): string;
}

const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Collects what a run did. Its size is bounded: what comes after the limit is counted and left out, but for the last
 * lines, which tell the end of the story.
 */
export function createRunLog(maxBytes: number = MAX_BYTES): RunLog {
  const first: string[] = [];
  let last: string[] = [];
  let bytes = 0;
  let dropped = 0;
  return {
    add(at, message) {
      const line = `${at.toISOString()} ${message}`;
      bytes += byteLength(line);
      if (bytes <= maxBytes) first.push(line);
      else {
        last.push(line);
        dropped += last.length > LAST_LINES ? 1 : 0;
        last = last.slice(-LAST_LINES);
      }
    },
    text(scrub) {
      const gap = dropped === 0 ? [] : [`… ${dropped} lines left out …`];
      const clean = [...first, ...gap, ...last].map((line) => escapeUnsafe(scrub(line)).slice(0, LONGEST_LINE));
      return clean.map((line) => `${line}\n`).join('');
    },
  };
}

const LAST_LINES = 100;
const LONGEST_LINE = 16 * 1024;

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
