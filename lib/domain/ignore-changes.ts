import { isPunctuation } from './hcl-body.ts';
import { scanHcl, type Token } from './hcl-scan.ts';
import { isJsonArray, type Json, type JsonObject } from './json.ts';
import { inLoadOrder, jsonBodies, type ModuleFile } from './module-file.ts';
import { formatPath, type Path, parsePath, startsWithPath } from './path.ts';

/**
 * What `lifecycle { ignore_changes = … }` says, which no plan document does: `all`, or attribute paths as
 * {@link formatPath} writes them, by the config address of the resource (absolute, without instance keys).
 */
export type IgnoreChangesIndex = ReadonlyMap<string, IgnoredAttributes>;
export type IgnoredAttributes = 'all' | readonly string[];

/** The files of one module directory and the calls that lead to it: dotted call names, `''` for the root module. */
export interface ModuleFiles {
  readonly keys: readonly string[];
  readonly files: readonly ModuleFile[];
}

export function indexIgnoreChanges(modules: readonly ModuleFiles[]): IgnoreChangesIndex {
  const index = new Map<string, IgnoredAttributes>();
  for (const { keys, files } of modules) {
    const ignored = readModule(files);
    for (const key of keys) {
      for (const [resource, attributes] of ignored) index.set(`${modulePrefix(key)}${resource}`, attributes);
    }
  }
  return index;
}

/** True where the resource ignores changes of this attribute, of one above it, or of all. */
export function isIgnored(index: IgnoreChangesIndex, configAddress: string, path: Path): boolean {
  const ignored = index.get(configAddress) ?? [];
  return ignored === 'all' || ignored.some((entry) => covers(parsePath(entry), path));
}

function covers(prefix: Path | undefined, path: Path): boolean {
  return prefix !== undefined && startsWithPath(path, prefix);
}

function modulePrefix(key: string): string {
  return key.replace(/([^.]+)\.?/g, 'module.$1.');
}

type Setting = readonly [resource: string, ignored: IgnoredAttributes];

function readModule(files: readonly ModuleFile[]): IgnoreChangesIndex {
  const merged = new Map<string, IgnoredAttributes>();
  for (const file of inLoadOrder(files)) {
    const settings = file.syntax === 'hcl' ? hclSettings(file) : jsonSettings(file);
    for (const [resource, ignored] of settings) {
      // An override file replaces the list but can't take back `all`, nor empty the list.
      if (ignored.length > 0 && merged.get(resource) !== 'all') merged.set(resource, ignored);
    }
  }
  return merged;
}

function hclSettings({ body }: ModuleFile & { syntax: 'hcl' }): readonly Setting[] {
  return body.blocks.flatMap(({ type, labels, blocks }) => {
    if (type !== 'resource') return [];
    return blocks
      .filter((block) => block.type === 'lifecycle')
      .map(({ attributes }): Setting => [labels.join('.'), readExpression(attributes.get('ignore_changes') ?? [])]);
  });
}

function jsonSettings({ value }: ModuleFile & { syntax: 'json' }): readonly Setting[] {
  return jsonMembers(jsonBodies(value).map(({ resource }) => resource ?? null)).flatMap(([type, named]) =>
    jsonMembers([named]).flatMap(([name, resource]) =>
      jsonBodies(resource)
        .flatMap(({ lifecycle }) => jsonBodies(lifecycle))
        .map(({ ignore_changes }): Setting => [`${type}.${name}`, readJson(ignore_changes ?? null)]),
    ),
  );
}

function jsonMembers(values: readonly Json[]): readonly (readonly [string, Json])[] {
  return values.flatMap(jsonBodies).flatMap((body: JsonObject) => Object.entries(body));
}

function readJson(value: Json): IgnoredAttributes {
  if (value === 'all') return 'all';
  const entries = isJsonArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
  return readEntries(entries.map(scanHcl));
}

function readExpression(expression: readonly Token[]): IgnoredAttributes {
  const tokens = expression.filter(({ kind }) => kind !== 'newline');
  if (tokens[0]?.text === 'all') return 'all';
  return isPunctuation(tokens[0], '[') ? readEntries(splitList(tokens.slice(1, -1)).map(unquote)) : [];
}

function splitList(tokens: readonly Token[]): readonly (readonly Token[])[] {
  let entry: Token[] = [];
  const entries = [entry];
  for (const token of tokens) {
    if (isPunctuation(token, ',')) {
      entry = [];
      entries.push(entry);
    } else entry.push(token);
  }
  return entries;
}

/** Terraform still accepts entries in quotes. */
function unquote(entry: readonly Token[]): readonly Token[] {
  const [start, text] = entry;
  return start?.kind === 'string-start' && text !== undefined ? scanHcl(text.text) : entry;
}

function readEntries(entries: readonly (readonly Token[])[]): IgnoredAttributes {
  if (entries.some((entry) => isPunctuation(entry[0], '*'))) return 'all';
  return entries.flatMap((entry) => {
    const path = parsePath(traversalText(entry));
    return path === undefined ? [] : [formatPath(path)];
  });
}

function traversalText(tokens: readonly Token[]): string {
  return tokens.map((token, index) => tokenText(token, tokens[index - 1], tokens[index + 1])).join('');
}

function tokenText({ kind, text }: Token, before: Token | undefined, after: Token | undefined): string {
  if (kind === 'text') return JSON.stringify(text).slice(1, -1);
  // Terraform still accepts `list.0` for `list[0]`; `0.1` is one number to the scanner.
  if (kind === 'number' && isPunctuation(before, '.')) return `[${text.replaceAll('.', '][')}]`;
  return text === '.' && after?.kind === 'number' ? '' : text;
}
