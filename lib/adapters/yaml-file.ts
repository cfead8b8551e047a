import { readFile } from 'node:fs/promises';
import { type Document, isNode, LineCounter, parseDocument, visit } from 'yaml';
import type * as z from 'zod';
import { HoldfastError, type HoldfastErrorCode, type SourceLocation } from '../domain/errors.ts';

export interface YamlFileOptions<Schema extends z.ZodType> {
  readonly schema: Schema;
  /** The code of every error about the file's content. */
  readonly code: HoldfastErrorCode;
  readonly hint: string;
}

// Far above any file a person writes, far below one that takes long to parse.
const LARGEST_BYTES = 1024 * 1024;

/** Reads a YAML file of a known shape. Errors name the file, the line and the column, and say what was expected. */
export async function readYamlFile<Schema extends z.ZodType>(
  file: string,
  { schema, code, hint }: YamlFileOptions<Schema>,
): Promise<z.output<Schema>> {
  const text = await readText(file, code);
  const lines = new LineCounter();
  // Merge keys can bypass the limit on aliases (eemeli/yaml#694), and nobody needs them here.
  const document = parseDocument(text, { lineCounter: lines, merge: false, prettyErrors: false, logLevel: 'error' });
  const context = { file, code, hint, document, lines };
  const [broken] = document.errors;
  if (broken !== undefined) throw notYaml(context, broken.message, broken.pos[0]);
  const parsed = schema.safeParse(toValue(context) ?? {});
  if (parsed.success) return parsed.data;
  throw describeIssue(parsed.error.issues, context);
}

async function readText(file: string, code: HoldfastErrorCode): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new HoldfastError(code, `can't read ${file}: ${cause.code}`, { cause, location: { file } });
  });
  if (text.length <= LARGEST_BYTES) return text;
  throw new HoldfastError(code, `${file} is larger than ${LARGEST_BYTES} bytes`, { location: { file } });
}

interface FileContext {
  readonly file: string;
  readonly code: HoldfastErrorCode;
  readonly hint: string;
  readonly document: Document;
  readonly lines: LineCounter;
}

function notYaml({ file, code, hint, lines }: FileContext, why: string, offset: number): HoldfastError {
  const location = locate(file, lines, offset);
  return new HoldfastError(code, `${file} is not valid YAML: ${lowerFirst(why)}`, { location, hint });
}

/** Aliases are followed only here: one may lead nowhere, or so many to each other that nothing could hold the result. */
function toValue(context: FileContext): unknown {
  try {
    return context.document.toJS();
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw notYaml(context, error.message, offsetOfLooseAlias(context.document));
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

function describeIssue(issues: readonly z.core.$ZodIssue[], context: FileContext): HoldfastError {
  const [first] = issues as [z.core.$ZodIssue];
  const more = issues.length > 1 ? ` (+${issues.length - 1} more)` : '';
  const where = first.path.map(String).join('.') || 'the file';
  const { file, code, hint, document, lines } = context;
  return new HoldfastError(code, `${file}: ${where}: ${lowerFirst(first.message)}${more}`, {
    location: locate(file, lines, offsetOf(document, placeOf(first))),
    hint,
  });
}

// An unknown key is an issue of what holds it.
function placeOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  return issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
}

/** Where the value stands, or the nearest one above it that is there. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function locate(file: string, lines: LineCounter, offset: number): SourceLocation {
  const { line, col } = lines.linePos(offset);
  // An empty file has no lines to count.
  return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
