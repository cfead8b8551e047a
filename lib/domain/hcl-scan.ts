/**
 * Tokens of Terraform's native syntax: no more of the grammar than it takes to find blocks, attributes and strings.
 * Broken text never throws, since Terraform reports it better; what is read after the break may be wrong.
 */
export interface Token {
  readonly kind: TokenKind;
  /** Escapes of a `text` are decoded. A heredoc's `string-start` reads `<<`, a quoted string's `"`. */
  readonly text: string;
}

/** A string is `string-start`, any number of `text` and of `template-start` … `template-end`, then `string-end`. */
export type TokenKind =
  | 'identifier'
  | 'number'
  | 'punctuation'
  | 'newline'
  | 'string-start'
  | 'text'
  | 'template-start'
  | 'template-end'
  | 'string-end';

interface Code {
  readonly kind: 'code';
  /** The string this code is a template of; none for the file itself. */
  readonly parent: Mode | undefined;
  openBraces: number;
}

type Mode =
  | Code
  | { readonly kind: 'quoted'; readonly parent: Mode }
  | { readonly kind: 'heredoc'; readonly parent: Mode; readonly marker: string }
  | { readonly kind: 'template' };

interface Scan {
  readonly source: string;
  at: number;
  mode: Mode;
  readonly tokens: Token[];
  /** Literal text not yet made into a token. */
  text: string;
}

const CODE =
  /([^\S\n]+|(?:#|\/\/)[^\n]*)|(\/\*)|<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n|([\p{ID_Start}_][\p{ID_Continue}-]*)|(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|./suy;
// The last two share their groups: the doubled mark of an escaped template, then the start of a template.
const QUOTED = /([$%])\1\{|([$%]\{)|\\u([\da-fA-F]{4})|\\U([\da-fA-F]{8})|\\([^\n])|[^"\\$%\n]+|./suy;
const TEMPLATE = /([$%])\1\{|([$%]\{)|[^$%\n]+|./suy;
const PATTERNS = { code: CODE, quoted: QUOTED, heredoc: TEMPLATE, template: TEMPLATE };

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const MAX_CODE_POINT = 0x10ffff;

/** Reads a `.tf` file. */
export function scanHcl(source: string): readonly Token[] {
  return run(source, { kind: 'code', parent: undefined, openBraces: 0 });
}

/** Reads a string of a `.tf.json` file, which is a template without quotes, as one string. */
export function scanTemplate(source: string): readonly Token[] {
  const tokens = run(source, { kind: 'template' });
  return [{ kind: 'string-start', text: '"' }, ...tokens, { kind: 'string-end', text: '"' }];
}

function run(source: string, mode: Mode): readonly Token[] {
  const scan: Scan = { source, at: 0, mode, tokens: [], text: '' };
  for (let match = next(scan); match !== null; match = next(scan)) {
    if (scan.mode.kind === 'code') scanCode(scan, scan.mode, match);
    else if (scan.mode.kind === 'quoted') scanQuoted(scan, scan.mode.parent, match);
    else scanText(scan, match);
    if (match[0].endsWith('\n') && scan.mode.kind === 'heredoc') closeHeredoc(scan, scan.mode);
  }
  flushText(scan);
  return scan.tokens;
}

/** The next piece of the source in the current mode; each pattern takes anything, so `null` is the end. */
function next(scan: Scan): RegExpExecArray | null {
  const pattern = PATTERNS[scan.mode.kind];
  pattern.lastIndex = scan.at;
  const match = pattern.exec(scan.source);
  scan.at = pattern.lastIndex;
  return match;
}

function scanCode(scan: Scan, mode: Code, match: RegExpExecArray): void {
  const [all, skipped, comment, marker, identifier, number] = match;
  if (skipped !== undefined) return;
  if (comment !== undefined) skipBlockComment(scan);
  else if (marker !== undefined) openString(scan, '<<', { kind: 'heredoc', parent: mode, marker });
  else if (identifier !== undefined) push(scan, 'identifier', identifier);
  else if (number !== undefined) push(scan, 'number', number);
  else if (all === '"') openString(scan, all, { kind: 'quoted', parent: mode });
  else if (all === '\n') push(scan, 'newline', all);
  else scanPunctuation(scan, mode, all);
}

function skipBlockComment(scan: Scan): void {
  const end = scan.source.indexOf('*/', scan.at);
  scan.at = end === -1 ? scan.source.length : end + 2;
}

function scanPunctuation(scan: Scan, mode: Code, text: string): void {
  if (text === '}' && mode.openBraces === 0 && mode.parent !== undefined) {
    close(scan, mode.parent, { kind: 'template-end', text });
    return;
  }
  if (text === '{') mode.openBraces += 1;
  else if (text === '}' && mode.openBraces > 0) mode.openBraces -= 1;
  push(scan, 'punctuation', text);
}

function scanQuoted(scan: Scan, parent: Mode, match: RegExpExecArray): void {
  const text = match[0];
  if (text === '"') close(scan, parent, { kind: 'string-end', text });
  else if (text === '\n') {
    // A quoted string can't hold a line break: one that isn't closed spoils its own line only.
    close(scan, parent, { kind: 'string-end', text: '"' });
    push(scan, 'newline', text);
  } else scanText(scan, match);
}

function scanText(scan: Scan, match: RegExpExecArray): void {
  const [all, doubled, template, short, long = short, escaped] = match;
  if (template !== undefined) openTemplate(scan, template);
  else if (doubled !== undefined) scan.text += `${doubled}{`;
  else if (long !== undefined) scan.text += codePoint(long);
  else if (escaped !== undefined) scan.text += ESCAPES[escaped] ?? escaped;
  else scan.text += all;
}

function codePoint(hex: string): string {
  const value = Number.parseInt(hex, 16);
  return value > MAX_CODE_POINT ? '\ufffd' : String.fromCodePoint(value);
}

/** Ends the heredoc where the line that begins here holds its marker only. */
function closeHeredoc(scan: Scan, { parent, marker }: Mode & { kind: 'heredoc' }): void {
  const lineBreak = scan.source.indexOf('\n', scan.at);
  const lineEnd = lineBreak === -1 ? scan.source.length : lineBreak;
  if (scan.source.slice(scan.at, lineEnd).trim() !== marker) return;
  // The line break stays: it ends the attribute that the heredoc is the value of.
  scan.at = lineEnd;
  close(scan, parent, { kind: 'string-end', text: marker });
}

function openString(scan: Scan, text: string, mode: Mode): void {
  push(scan, 'string-start', text);
  scan.mode = mode;
}

function openTemplate(scan: Scan, text: string): void {
  push(scan, 'template-start', text);
  scan.mode = { kind: 'code', parent: scan.mode, openBraces: 0 };
}

function close(scan: Scan, parent: Mode, { kind, text }: Token): void {
  push(scan, kind, text);
  scan.mode = parent;
}

function push(scan: Scan, kind: TokenKind, text: string): void {
  flushText(scan);
  scan.tokens.push({ kind, text });
}

function flushText(scan: Scan): void {
  if (scan.text === '') return;
  scan.tokens.push({ kind: 'text', text: scan.text });
  scan.text = '';
}
