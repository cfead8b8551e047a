import { escapeUnsafe } from '../domain/scrub.ts';
import { cut } from './text-layout.ts';

const LONGEST_CODE = 200;
const LONGEST_PROSE = 500;

/**
 * A name from somebody's configuration as a code span. In a code span nothing is interpreted: no mention, no link, no
 * emphasis. Only a backtick and, in a table, a pipe would end it, and such names are spelled with entities.
 */
export function code(text: string): string {
  const plain = cut(escapeUnsafe(text), LONGEST_CODE);
  if (plain === '') return '';
  return /[`|]/.test(plain) ? `<code>${plain.replace(/[^\p{L}\p{N} /-]/gu, entity)}</code>` : `\`${plain}\``;
}

/**
 * A sentence of ours or of a tool. Markup is inert; bare links too, because they swallow the escapes behind them. A
 * zero-width space keeps mentions and references from linking.
 */
export function prose(text: string): string {
  return cut(escapeUnsafe(text), LONGEST_PROSE).replace(/[\\`*_[\]~$<>&|@#]|:(?=\/\/)|(?<=www)\./gi, inert);
}

function inert(char: string): string {
  if (char === '@' || char === '#') return `${char}&#8203;`;
  return /[<>&|:.]/.test(char) ? entity(char) : `\\${char}`;
}

function entity(char: string): string {
  return `&#${char.codePointAt(0)};`;
}
