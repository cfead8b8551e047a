// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of the configuration look like that
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanHcl, scanTemplate, type Token } from '../../lib/domain/hcl-scan.ts';

const texts = (tokens: readonly Token[]) => tokens.map(({ text }) => text);
const literals = (source: string) =>
  scanHcl(source)
    .filter(({ kind }) => kind === 'text')
    .map(({ text }) => text);

describe('scanHcl', () => {
  it('tells names, numbers, punctuation and line breaks apart', () => {
    expect(scanHcl('max-size = 1.5e-3\n_x9\t!= été')).toEqual([
      { kind: 'identifier', text: 'max-size' },
      { kind: 'punctuation', text: '=' },
      { kind: 'number', text: '1.5e-3' },
      { kind: 'newline', text: '\n' },
      { kind: 'identifier', text: '_x9' },
      { kind: 'punctuation', text: '!' },
      { kind: 'punctuation', text: '=' },
      { kind: 'identifier', text: 'été' },
    ]);
  });

  it('keeps a closing brace that closes nothing', () => {
    expect(texts(scanHcl('} { } }'))).toEqual(['}', '{', '}', '}']);
  });

  it.each([
    ['a # "b"\nc', ['a', '\n', 'c']],
    ['a // /* b\nc', ['a', '\n', 'c']],
    ['a /* b # "c"\n */ d', ['a', 'd']],
    ['a / b /* never closed "', ['a', '/', 'b']],
    ['a # at the end', ['a']],
  ])('skips comments: %j', (source, expected) => {
    expect(texts(scanHcl(source))).toEqual(expected);
  });

  it('does not take comment marks inside strings for comments', () => {
    expect(literals('a = "x # y" # z\nb = "https://example.com/*"')).toEqual(['x # y', 'https://example.com/*']);
  });
});

describe('scanHcl on strings', () => {
  it('gives a string as its parts', () => {
    expect(scanHcl('"a${b}c"')).toEqual([
      { kind: 'string-start', text: '"' },
      { kind: 'text', text: 'a' },
      { kind: 'template-start', text: '${' },
      { kind: 'identifier', text: 'b' },
      { kind: 'template-end', text: '}' },
      { kind: 'text', text: 'c' },
      { kind: 'string-end', text: '"' },
    ]);
  });

  it('gives an empty string as a start and an end', () => {
    expect(scanHcl('""').map(({ kind }) => kind)).toEqual(['string-start', 'string-end']);
  });

  it.each([
    [String.raw`"a\"b\\c"`, 'a"b\\c'],
    [String.raw`"\n\r\t"`, '\n\r\t'],
    [String.raw`"caf\u00e9 \U0001F600"`, 'café 😀'],
    [String.raw`"\Uffffffff"`, '\ufffd'],
    [String.raw`"\q"`, 'q'],
    ['"$${a} %%{b}"', '${a} %{b}'],
    ['"5% of $5 $$"', '5% of $5 $$'],
  ])('decodes the escapes of %s', (source, expected) => {
    expect(literals(source)).toEqual([expected]);
  });

  it('finds the end of a template behind braces and strings of its own', () => {
    const source = '"${merge({ a = "}" }, { b = "${c}" })}" d';
    expect(literals(source)).toEqual(['}']);
    expect(scanHcl(source).at(-1)).toEqual({ kind: 'identifier', text: 'd' });
  });

  it('reads directives like interpolations', () => {
    expect(texts(scanHcl('"%{ if a ~}x%{ endif }"'))).toEqual([
      '"',
      '%{',
      'if',
      'a',
      '~',
      '}',
      'x',
      '%{',
      'endif',
      '}',
      '"',
    ]);
  });

  it('ends a string that is never closed with its line', () => {
    expect(texts(scanHcl('a = "b\nc'))).toEqual(['a', '=', '"', 'b', '"', '\n', 'c']);
    expect(texts(scanHcl('a = "b\\'))).toEqual(['a', '=', '"', 'b\\']);
  });
});

describe('scanHcl on heredocs', () => {
  it.each([
    ['<<EOT\na "b" # c\n\nEOT\nd', 'a "b" # c\n\n'],
    ['<<-EOT\n  a\n  EOT\nd', '  a\n'],
    ['<<EOT\r\na\r\nEOT\r\nd', 'a\r\n'],
    ['<<EOT\nEOTS\n EOT \nd', 'EOTS\n'],
    ['<<EOT\na\\n $${b}\nEOT\nd', 'a\\n ${b}\n'],
  ])('reads a heredoc up to the line of its marker: %j', (source, expected) => {
    expect(literals(source)).toEqual([expected]);
    expect(texts(scanHcl(source)).slice(-2)).toEqual(['\n', 'd']);
  });

  it('ends a heredoc without a line in it, and one at the end of the file', () => {
    expect(texts(scanHcl('<<EOT\nEOT'))).toEqual(['<<', 'EOT']);
    expect(texts(scanHcl('<<EOT\na'))).toEqual(['<<', 'a']);
  });

  it('does not take the marker inside a template for the end', () => {
    const source = '<<A\n${f(\nA\n)}\nA\nb';
    expect(texts(scanHcl(source))).toEqual(['<<', '${', 'f', '(', '\n', 'A', '\n', ')', '}', '\n', 'A', '\n', 'b']);
  });

  it('reads a heredoc inside a template of a heredoc', () => {
    const source = '<<A\n${<<B\nA\nB\n}\nA\n';
    expect(literals(source)).toEqual(['A\n', '\n']);
  });

  it('takes << without a marker and a line break for an operator', () => {
    expect(texts(scanHcl('<<EOT x'))).toEqual(['<', '<', 'EOT', 'x']);
  });
});

describe('scanTemplate', () => {
  it('reads a text without quotes as one string, quotes and backslashes being plain', () => {
    expect(scanTemplate('a"\\n"${b}')).toEqual([
      { kind: 'string-start', text: '"' },
      { kind: 'text', text: 'a"\\n"' },
      { kind: 'template-start', text: '${' },
      { kind: 'identifier', text: 'b' },
      { kind: 'template-end', text: '}' },
      { kind: 'string-end', text: '"' },
    ]);
  });

  it('reads strings inside its templates', () => {
    expect(texts(scanTemplate('${file("x.json")}'))).toEqual([
      '"',
      '${',
      'file',
      '(',
      '"',
      'x.json',
      '"',
      ')',
      '}',
      '"',
    ]);
  });
});

const FRAGMENTS = [
  ...[
    '"',
    '${',
    '%{',
    '}',
    '{',
    '\n',
    '\r\n',
    '<<A\n',
    '<<-A\n',
    'A\n',
    'A',
    '#',
    '//',
    '/*',
    '*/',
    '$${',
    '\\',
    '\\u12',
  ],
  ...[
    'a',
    '=',
    '[',
    ']',
    '(',
    ')',
    ',',
    '.',
    '0',
    '1e',
    'resource "a" "b" {',
    'ignore_changes = [',
    '\ud800',
    '\0',
    '~',
  ],
];
const brokenHcl = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 60 }).map((parts) => parts.join('')),
);

describe('on any text', () => {
  it('ends, and makes no more of a text than there is in it', () => {
    fc.assert(
      fc.property(brokenHcl, fc.constantFrom(scanHcl, scanTemplate), (source, scan) => {
        // A quote is made up for a string that isn't closed, and for both ends of a bare template.
        const read = scan(source).filter(({ kind }) => kind !== 'string-start' && kind !== 'string-end');
        expect(read.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(source.length);
      }),
    );
  });

  it('gives back a quoted string as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (value) => {
        const escaped = value
          .replace(/["\\]/g, '\\$&')
          .replace(/([$%])(?=\{)/g, '$1$1')
          .replaceAll('\n', '\\n');
        expect(scanHcl(`"${escaped}"`)).toEqual([
          { kind: 'string-start', text: '"' },
          { kind: 'text', text: value },
          { kind: 'string-end', text: '"' },
        ]);
      }),
    );
  });

  // A scanner that goes back would take hours for these.
  it.each(FRAGMENTS)('reads %j a hundred thousand times over', (fragment) => {
    const source = fragment.repeat(100_000);
    expect(scanHcl(source).length).toBeLessThanOrEqual(2 * source.length);
    expect(scanTemplate(source).length).toBeLessThanOrEqual(2 * source.length + 2);
  });
});
