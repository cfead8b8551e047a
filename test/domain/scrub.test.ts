import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScrub, escapeUnsafe, SENSITIVE } from '../../lib/domain/scrub.ts';
import { ENCODINGS } from '../support/encodings.ts';

const awkward = fc.constantFrom(
  ...'ABab01 "\\\n\t<>&%+/=$!*\'()é€😀\u2028\u0007',
  '${',
  '%{',
  '(sensitive)',
  '=',
  'AAAA',
);
const anyText = fc.oneof(
  fc.array(awkward, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 12 }),
);
const anySecret = anyText.filter((text) => text.length >= 4 && !text.includes(SENSITIVE));
const anySecrets = fc.array(anySecret, { minLength: 1, maxLength: 4 });

/** What is left to read: a mark hides where one piece ends, so a piece is never read across it. */
const visible = (text: string) => text.split(SENSITIVE);

describe('createScrub', () => {
  it('leaves no secret anywhere, in none of the forms it may have', () => {
    fc.assert(
      fc.property(anySecrets, fc.array(anyText, { minLength: 2 }), fc.nat(), (secrets, texts, at) => {
        const scrub = createScrub(secrets);
        for (const [name, encode] of ENCODINGS) {
          const hidden = encode(secrets[at % secrets.length] as string);
          for (const piece of visible(scrub(texts.join(hidden)))) expect(piece, name).not.toContain(hidden);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('leaves no digit of a secret inside a longer text in base64', () => {
    const secret = fc.string({ unit: 'binary', minLength: 8, maxLength: 40 });
    const digits = (text: string) => Math.ceil((Buffer.byteLength(text) * 4) / 3);
    fc.assert(
      fc.property(
        secret,
        anyText,
        anyText,
        fc.constantFrom('base64', 'base64url'),
        (hidden, before, after, alphabet) => {
          const encoded = Buffer.from(before + hidden + after)
            .toString(alphabet)
            .replace(/=+$/, '');
          const [left = '', ...rest] = visible(createScrub([hidden])(encoded));
          expect(rest).not.toEqual([]);
          expect(left.length).toBeLessThanOrEqual(digits(before));
          // The digit in which the secret ends holds bits of both, and so may the one after a text beside it.
          expect(rest.join('').length).toBeLessThanOrEqual(digits(after) + 1);
        },
      ),
    );
  });

  it('gives the same text when it scrubs twice', () => {
    fc.assert(
      fc.property(fc.array(anyText), anyText, fc.nat(), (secrets, text, at) => {
        const scrub = createScrub(secrets);
        const once = scrub(text + (secrets[at % secrets.length] ?? '') + text);
        expect(scrub(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  it('changes nothing in texts without secrets', () => {
    const innocent = fc.string({ unit: fc.constantFrom(...'abcdefghij .-_'), maxLength: 60 });
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: fc.constantFrom(...'KLMNOPQRST'), maxLength: 20 })),
        innocent,
        (secrets, text) => {
          expect(createScrub(secrets)(text)).toBe(text);
        },
      ),
    );
    expect(createScrub([])('anything')).toBe('anything');
    for (const text of ['', 'anything']) expect(createScrub(['', '\n'])(text)).toBe(text);
  });

  it.each([
    ['alone', 'hunter2', SENSITIVE],
    ['inside a longer text', 'user:hunter2@db', `user:${SENSITIVE}@db`],
    ['more than once', 'hunter2hunter2, hunter2', `${SENSITIVE}${SENSITIVE}, ${SENSITIVE}`],
    ['at the very end', 'is hunter2', `is ${SENSITIVE}`],
    ['beside a mark', `${SENSITIVE}hunter2${SENSITIVE}`, `${SENSITIVE}${SENSITIVE}${SENSITIVE}`],
    ['only in part', 'hunter', 'hunter'],
  ])('finds a secret that stands %s', (_, text, expected) => {
    expect(createScrub(['hunter2'])(text)).toBe(expected);
  });

  it('takes the longer of two secrets that begin alike', () => {
    expect(createScrub(['hunter', 'hunter2-long'])('a hunter2-long b')).toBe(`a ${SENSITIVE} b`);
  });

  it('hides a secret that begins inside another one to its end', () => {
    const scrub = createScrub(['admin', 'minutiae-of-a-long-key', 'key0']);
    expect(scrub('user=adminutiae-of-a-long-key0!')).toBe(`user=${SENSITIVE}!`);
    expect(createScrub(['a-long-key', 'long'])('a-long-key!')).toBe(`${SENSITIVE}!`);
  });

  it('finds each line of a key, however it is indented', () => {
    const key = '-----BEGIN KEY-----\nMIIEpAIBAAKCAQEA7\r\n    fourteen-chars\nshort\n-----END KEY-----\n';
    const scrub = createScrub([key]);
    expect(scrub('bad line: MIIEpAIBAAKCAQEA7')).toBe(`bad line: ${SENSITIVE}`);
    expect(scrub('bad line: fourteen-chars')).toBe(`bad line: ${SENSITIVE}`);
    expect(scrub('bad line: short')).toBe('bad line: short');
  });

  it('finds what is left of a secret when its last line break was taken off', () => {
    const scrub = createScrub(['p@55\n', 'x\n']);
    expect(scrub('password=p@55;')).toBe(`password=${SENSITIVE};`);
    expect(scrub('x')).toBe(SENSITIVE);
  });

  it('finds secrets of fewer than four characters where they are the whole text, and only there', () => {
    const scrub = createScrub(['abc', '7']);
    expect(['abc', '7'].map(scrub)).toEqual([SENSITIVE, SENSITIVE]);
    expect(['xabc', '"abc"', '17'].map(scrub)).toEqual(['xabc', '"abc"', '17']);
  });

  it('hides what stands around a mark in a secret', () => {
    const scrub = createScrub([`left-part${SENSITIVE}right-part`]);
    expect(scrub(`a left-part${SENSITIVE}right-part b`)).toBe(`a ${SENSITIVE}${SENSITIVE}${SENSITIVE} b`);
    expect(scrub('left-part')).toBe(SENSITIVE);
  });

  it('never takes a mark for a part of a secret', () => {
    const scrub = createScrub(['sensitive', 'e)-tail', '(sens']);
    expect(scrub(`${SENSITIVE}-tail`)).toBe(`${SENSITIVE}-tail`);
    expect(scrub('a sensitive thing')).toBe(`a ${SENSITIVE} thing`);
  });

  it('encodes long secrets to their end', () => {
    const secret = Array.from({ length: 5_000 }, (_, at) => `line-${at}`).join(',');
    const encoded = Buffer.from(secret).toString('base64');
    expect(createScrub([secret])(`data: ${encoded}`).replace(/=*$/, '')).toBe(`data: ${SENSITIVE}`);
  });

  it('takes lone surrogates', () => {
    expect(createScrub(['abc\ud800def'])('x abc\ud800def y')).toBe(`x ${SENSITIVE} y`);
  });
});

describe('createScrub with much to do', () => {
  it('is quick about a long text that nearly repeats a long secret', () => {
    const secret = `${'a'.repeat(50_000)}b`;
    const text = 'a'.repeat(200_000);
    expect(createScrub([secret])(text)).toBe(text);
  });

  it('is quick about a long text that repeats a secret over and over', () => {
    expect(createScrub(['a'.repeat(20_000)])('a'.repeat(200_000))).toBe(SENSITIVE);
  });

  it('is quick about many secrets that begin alike', () => {
    const secrets = Array.from({ length: 20_000 }, (_, at) => `arn:aws:iam::123456789012:role/r${at};`);
    const scrub = createScrub(secrets);
    expect(scrub(`a ${secrets[0]} b ${secrets[19_999]} c arn:aws:iam::123456789012:role/other`)).toBe(
      `a ${SENSITIVE} b ${SENSITIVE} c arn:aws:iam::123456789012:role/other`,
    );
  });
});

describe('escapeUnsafe', () => {
  it.each([
    ['a line break', 'a\nb', 'a\\u000ab'],
    ['an escape sequence', '\u001b[31mred', '\\u001b[31mred'],
    ['a character of the second control block', '\u009b', '\\u009b'],
    ['a mark that turns text around', 'abc\u202exyz', 'abc\\u202exyz'],
    ['an isolate', '\u2066', '\\u2066'],
    ['a mark without width', 'a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
    ['a line separator', '\u2028', '\\u2028'],
  ])('writes out %s', (_, text, expected) => {
    expect(escapeUnsafe(text)).toBe(expected);
  });

  it('leaves nothing that a medium could obey, and everything else as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeUnsafe(text);
        expect(escaped).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
        expect(escapeUnsafe(escaped)).toBe(escaped);
        expect(escaped.replace(/\\u([\da-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))).toBe(
          text,
        );
      }),
    );
  });

  it('leaves text of any script alone', () => {
    expect(escapeUnsafe('Größe שלום 数量 😀')).toBe('Größe שלום 数量 😀');
  });
});
