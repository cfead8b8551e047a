import type { HclBody } from './hcl-body.ts';
import { scanTemplate, type Token } from './hcl-scan.ts';
import { isJsonArray, isJsonObject, type Json } from './json.ts';
import type { ModuleFile } from './module-file.ts';

/** A string of the configuration that may name a file or a directory. */
export interface PathLiteral {
  /** What the path is relative to: the module's own directory, or the one Terraform runs in. */
  readonly base: 'module' | 'root';
  /** Relative; up to the first part that isn't literal. */
  readonly path: string;
  /** False where something follows that only Terraform can work out. */
  readonly complete: boolean;
  /** False for a mere word, such as `test`, where nothing around it speaks of paths: it may still name a file. */
  readonly mayBeDirectory: boolean;
}

export interface PathLiterals {
  readonly read: readonly PathLiteral[];
  /** Files that an apply or even a plan writes: they say nothing about what the configuration is made from. */
  readonly written: readonly PathLiteral[];
}

/** Finds the strings of a file that may be paths, in no particular order and with duplicates. */
export function findPathLiterals(file: ModuleFile): PathLiterals {
  const read: PathLiteral[] = [];
  const written: PathLiteral[] = [];
  for (const expression of file.syntax === 'hcl' ? hclStrings(file.body) : jsonStrings(file.value)) {
    const use = useOf(expression.trail);
    if (use === 'none') continue;
    // One by one: a spread call can't take as many as one expression may hold.
    for (const literal of readLiterals(expression)) (use === 'read' ? read : written).push(literal);
  }
  return { read, written };
}

interface Expression {
  /** Block type, labels and attribute name, as far as {@link useOf} looks at them. */
  readonly trail: readonly string[];
  /** Attribute name, or the innermost key in JSON. */
  readonly name: string;
  readonly tokens: readonly Token[];
}

const TRAIL_LENGTH = 4;

function* hclStrings(file: HclBody): Generator<Expression> {
  const pending: { body: HclBody; trail: readonly string[] }[] = [{ body: file, trail: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { body, trail } = next;
    for (const [name, tokens] of body.attributes) yield { trail: [...trail, name], name, tokens };
    for (const block of body.blocks) {
      pending.push({ body: block, trail: [...trail, block.type, ...block.labels].slice(0, TRAIL_LENGTH) });
    }
  }
}

function* jsonStrings(file: Json): Generator<Expression> {
  const pending: { value: Json; trail: readonly string[]; name: string }[] = [{ value: file, trail: [], name: '' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, trail, name } = next;
    if (typeof value === 'string') yield { trail, name, tokens: scanTemplate(value) };
    else if (isJsonArray(value)) for (const item of value) pending.push({ value: item, trail, name });
    else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        pending.push({ value: member, trail: [...trail, key].slice(0, TRAIL_LENGTH), name: key });
      }
    }
  }
}

function useOf([kind, type, name, attribute]: readonly string[]): 'read' | 'written' | 'none' {
  // Backend paths and module sources: the first are state, the second are read as modules of their own.
  if (kind === 'terraform' || (kind === 'module' && name === 'source')) return 'none';
  if (kind === 'data' && type === 'terraform_remote_state') return 'none';
  if (type === 'archive_file' && attribute === 'output_path') return 'written';
  const writesFile = kind === 'resource' && (type === 'local_file' || type === 'local_sensitive_file');
  return writesFile && attribute === 'filename' ? 'written' : 'read';
}

interface OpenString {
  base: string | undefined;
  text: string;
  complete: boolean;
}

const PATH_NAME = /dir|folder|path|source/i;
const PATH_FUNCTION = /^(?:file|templatefile)/;

function readLiterals({ name, tokens }: Expression): readonly PathLiteral[] {
  const callsPathFunction = tokens.some(({ kind, text }) => kind === 'identifier' && PATH_FUNCTION.test(text));
  const aboutPaths = callsPathFunction || PATH_NAME.test(name);
  const literals: (PathLiteral | undefined)[] = [];
  const open: OpenString[] = [];
  for (const [index, { kind, text }] of tokens.entries()) {
    const string = open.at(-1);
    if (kind === 'string-start') open.push({ base: undefined, text: '', complete: true });
    else if (string === undefined) continue;
    else if (kind === 'text' && string.complete) string.text += text;
    else if (kind === 'template-start') openTemplate(string, tokens.slice(index + 1, index + 5));
    else if (kind === 'string-end') {
      literals.push(pathLiteral(string, aboutPaths));
      open.pop();
    }
  }
  return literals.filter((literal) => literal !== undefined);
}

/** A string may begin with `${path.module}`; any other template ends what is literal in it. */
function openTemplate(string: OpenString, [scope, dot, name, end]: readonly Token[]): void {
  const isBase = scope?.text === 'path' && dot?.text === '.' && end?.kind === 'template-end';
  if (isBase && string.complete && string.base === undefined && string.text === '') string.base = name?.text;
  else string.complete = false;
}

const MAX_PATH_LENGTH = 1024;
// Patterns of `fileset` and verbs of `format`: a path is literal up to the first one.
const PATTERN = /[*?[{%]/;

function pathLiteral({ base, text, complete }: OpenString, aboutPaths: boolean): PathLiteral | undefined {
  // `${path.module}x` is no path, and an absolute path is none of the module's.
  if ((base !== undefined) !== text.startsWith('/')) return undefined;
  if (text.length > MAX_PATH_LENGTH || /[\n\0]/.test(text)) return undefined;
  const relative = text.replace(/^\/+/, '');
  const cut = relative.search(PATTERN);
  const path = cut === -1 ? relative : relative.slice(0, cut);
  if (path === '') return undefined;
  return {
    base: base === 'module' ? 'module' : 'root',
    path,
    complete: complete && cut === -1,
    mayBeDirectory: aboutPaths || text.includes('/'),
  };
}
