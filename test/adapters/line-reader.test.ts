import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLineReader } from '../../lib/adapters/line-reader.ts';

function read(chunks: readonly Buffer[], maxLength?: number): { lines: string[]; dropped: number } {
  const lines: string[] = [];
  let dropped = 0;
  const reader = createLineReader({
    onLine: (line) => lines.push(line),
    onTooLong: () => {
      dropped += 1;
    },
    ...(maxLength !== undefined && { maxLength }),
  });
  for (const chunk of chunks) reader.write(chunk);
  reader.end();
  return { lines, dropped };
}

const cut = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));

describe('createLineReader', () => {
  it('gives the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, size) => {
        const expected = text.split('\n');
        if (expected.at(-1) === '') expected.pop();
        expect(read(cut(Buffer.from(text), size)).lines).toEqual(expected);
      }),
    );
  });

  it('does not cut at a line separator, which an event may hold', () => {
    expect(read([Buffer.from('"a\u2028b"\n')]).lines).toEqual(['"a\u2028b"']);
  });

  it('hands out a last line without a line feed', () => {
    expect(read([Buffer.from('a\nb')]).lines).toEqual(['a', 'b']);
  });

  it('drops a line over the limit, counts it once, and goes on with the next', () => {
    const chunks = cut(Buffer.from(`ok\n${'x'.repeat(100)}\nnext\n`), 7);
    expect(read(chunks, 10)).toEqual({ lines: ['ok', 'next'], dropped: 1 });
  });

  it('keeps a line of just the limit', () => {
    expect(read([Buffer.from(`${'x'.repeat(10)}\n`)], 10)).toEqual({ lines: ['x'.repeat(10)], dropped: 0 });
  });

  it('drops a line over the limit that never ends', () => {
    expect(read([Buffer.from('x'.repeat(100))], 10)).toEqual({ lines: [], dropped: 1 });
  });
});
