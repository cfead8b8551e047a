import { scanHcl, type Token } from './hcl-scan.ts';

/** What stands between the braces of a block, or in a whole `.tf` file. */
export interface HclBody {
  /** Expressions by attribute name, as tokens. */
  readonly attributes: ReadonlyMap<string, readonly Token[]>;
  readonly blocks: readonly HclBlock[];
}

export interface HclBlock extends HclBody {
  readonly type: string;
  readonly labels: readonly string[];
}

interface OpenBody {
  readonly attributes: Map<string, readonly Token[]>;
  readonly blocks: HclBlock[];
}

interface Reader {
  readonly tokens: readonly Token[];
  at: number;
}

const OPENING: ReadonlySet<string> = new Set(['{', '[', '(']);
const CLOSING: ReadonlySet<string> = new Set(['}', ']', ')']);

/** Reads the blocks and attributes of a `.tf` file; never throws, and skips what it can't read. */
export function parseHcl(source: string): HclBody {
  const root: OpenBody = { attributes: new Map(), blocks: [] };
  const enclosing: OpenBody[] = [];
  const reader: Reader = { tokens: scanHcl(source), at: 0 };
  let body = root;
  for (let token = take(reader); token !== undefined; token = take(reader)) {
    if (isPunctuation(token, '}')) body = enclosing.pop() ?? root;
    if (token.kind !== 'identifier') continue;
    const block = readStatement(reader, body, token.text);
    if (block === undefined) continue;
    enclosing.push(body);
    body = block;
  }
  return root;
}

function take(reader: Reader): Token | undefined {
  const token = reader.tokens[reader.at];
  reader.at += 1;
  return token;
}

/** Reads an attribute, or the head of a block, whose still empty body it returns. */
function readStatement(reader: Reader, body: OpenBody, name: string): OpenBody | undefined {
  if (isPunctuation(reader.tokens[reader.at], '=')) {
    reader.at += 1;
    body.attributes.set(name, readExpression(reader));
    return undefined;
  }
  const labels = readLabels(reader);
  if (!isPunctuation(reader.tokens[reader.at], '{')) return undefined;
  reader.at += 1;
  const block = { type: name, labels, attributes: new Map<string, readonly Token[]>(), blocks: [] };
  body.blocks.push(block);
  return block;
}

/** Up to the end of the line or block; line breaks inside brackets and strings belong to the expression. */
function readExpression(reader: Reader): readonly Token[] {
  const start = reader.at;
  let depth = 0;
  for (let token = reader.tokens[start]; token !== undefined; token = reader.tokens[reader.at]) {
    if (depth === 0 && (token.kind === 'newline' || isPunctuation(token, '}'))) break;
    depth = Math.max(0, depth + nesting(token));
    reader.at += 1;
  }
  return reader.tokens.slice(start, reader.at);
}

function nesting({ kind, text }: Token): -1 | 0 | 1 {
  if (kind === 'string-start' || kind === 'template-start') return 1;
  if (kind === 'string-end' || kind === 'template-end') return -1;
  if (kind !== 'punctuation') return 0;
  if (OPENING.has(text)) return 1;
  return CLOSING.has(text) ? -1 : 0;
}

function readLabels(reader: Reader): readonly string[] {
  const labels: string[] = [];
  for (;;) {
    const [first, text, end] = reader.tokens.slice(reader.at, reader.at + 3);
    if (first?.kind === 'identifier') {
      labels.push(first.text);
      reader.at += 1;
    } else if (first?.kind === 'string-start' && text?.kind === 'text' && end?.kind === 'string-end') {
      labels.push(text.text);
      reader.at += 3;
    } else return labels;
  }
}

export function isPunctuation(token: Token | undefined, text: string): boolean {
  return token?.kind === 'punctuation' && token.text === text;
}
