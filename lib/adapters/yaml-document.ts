import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import type { SourceLocation } from '../domain/errors.ts';

export interface YamlMistake {
  /** One line, lower case. */
  readonly message: string;
  readonly location: SourceLocation;
}

/** A YAML file as data, with the places of its values. */
export interface YamlDocument {
  /** `null` for an empty file, `undefined` where there are mistakes. */
  readonly value: unknown;
  /** Why it is no YAML. */
  readonly mistakes: readonly YamlMistake[];
  /** Values that are not what they look like: numbers that lose digits, tags that nobody knows. */
  readonly losses: readonly YamlMistake[];
  /** The place of a value, or of the nearest one above it that is there. `key`: of its key in the map instead. */
  locate(path: readonly PropertyKey[], part?: 'key'): SourceLocation;
}

/** Parses a text as YAML 1.2. Never throws for what the text says. */
export function parseYaml(file: string, text: string): YamlDocument {
  const lines = new LineCounter();
  // Merge keys can bypass the limit on aliases (eemeli/yaml#694), and nobody needs them here.
  const document = parseDocument(text, { lineCounter: lines, merge: false, prettyErrors: false, logLevel: 'error' });
  const at = (offset: number) => toLocation(file, lines, offset);
  const mistake = (message: string, offset: number) => ({ message: lowerFirst(message), location: at(offset) });
  const locate: YamlDocument['locate'] = (path, part) => at(offsetOf(document, path, part));
  const errors = document.errors.map(({ message, pos }) => mistake(message, pos[0]));
  if (errors.length > 0) return { value: undefined, mistakes: errors, losses: [], locate };
  const losses = [
    ...document.warnings.map(({ message, pos }) => mistake(message, pos[0])),
    ...lossyNumbers(document).map(({ source, offset }) =>
      mistake(`the number ${source} would lose digits: put it in quotes`, offset),
    ),
  ];
  try {
    return { value: document.toJS(), mistakes: [], losses, locate };
  } catch (error) {
    // Aliases are followed only here: one may lead nowhere, or so many to each other that nothing could hold the result.
    if (!(error instanceof ReferenceError)) throw error;
    return { value: undefined, mistakes: [mistake(error.message, offsetOfLooseAlias(document))], losses, locate };
  }
}

/** Where the first alias without an anchor stands; the start of the file where there is none. */
function offsetOfLooseAlias(document: Document): number {
  const anchors = new Set<string>();
  let offset = 0;
  visit(document, {
    Value(_key, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor);
    },
    Alias(_key, { source, range }) {
      if (anchors.has(source)) return undefined;
      offset = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

function lossyNumbers(document: Document): readonly { readonly source: string; readonly offset: number }[] {
  const lossy: { source: string; offset: number }[] = [];
  visit(document, {
    Scalar(_key, { value, source, range }) {
      if (typeof value === 'number' && source !== undefined && losesDigits(value, source)) {
        lossy.push({ source, offset: range?.[0] ?? 0 });
      }
    },
  });
  return lossy;
}

/** True for account ids that start with 0, and for numbers with more digits than a double holds. */
function losesDigits(value: number, source: string): boolean {
  if (/^[-+]?0\d/.test(source)) return true;
  if (/^[-+]?\d+$/.test(source)) return !Number.isSafeInteger(value);
  const [mantissa = ''] = source.toLowerCase().split('e');
  return mantissa.replace(/\D/g, '').replace(/^0+/, '').length > 15;
}

function offsetOf(document: Document, path: readonly PropertyKey[], part: 'key' | undefined): number {
  const key = part === 'key' ? keyNode(document, path) : undefined;
  if (key?.range) return key.range[0];
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function keyNode(document: Document, path: readonly PropertyKey[]): Node | undefined {
  const name = path.at(-1);
  const map = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(map)) return undefined;
  return map.items.map(({ key }) => key).find((key): key is Scalar => isScalar(key) && String(key.value) === name);
}

function toLocation(file: string, lines: LineCounter, offset: number): SourceLocation {
  const { line, col } = lines.linePos(offset);
  // An empty file has no lines to count.
  return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
