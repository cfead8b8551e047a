import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { HoldfastError, type HoldfastErrorCode } from '../domain/errors.ts';
import { parseYaml } from './yaml-document.ts';

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
  const document = parseYaml(file, await readYamlText(file, { code, largest: LARGEST_BYTES }));
  const [mistake] = document.mistakes;
  if (mistake !== undefined) {
    throw new HoldfastError(code, `${file} is not valid YAML: ${mistake.message}`, {
      location: mistake.location,
      hint,
    });
  }
  const parsed = schema.safeParse(document.value ?? {});
  if (parsed.success) return parsed.data;
  const { message, path } = describeIssues(parsed.error.issues);
  throw new HoldfastError(code, `${file}: ${message}`, { location: document.locate(path), hint });
}

export interface YamlTextOptions {
  readonly code: HoldfastErrorCode;
  /** Bytes. */
  readonly largest: number;
  /** What errors call the file. @default its path */
  readonly name?: string;
}

/** Reads a text that is to be parsed as YAML: its size is capped first. */
export async function readYamlText(file: string, { code, largest, name = file }: YamlTextOptions): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new HoldfastError(code, `can't read ${name}: ${cause.code}`, { cause, location: { file: name } });
  });
  if (text.length <= largest) return text;
  throw new HoldfastError(code, `${name} is larger than ${largest} bytes`, { location: { file: name } });
}

function describeIssues(issues: readonly z.core.$ZodIssue[]): { message: string; path: readonly PropertyKey[] } {
  const [first] = issues as [z.core.$ZodIssue];
  const more = issues.length > 1 ? ` (+${issues.length - 1} more)` : '';
  const where = first.path.map(String).join('.') || 'the file';
  const what = first.message.charAt(0).toLowerCase() + first.message.slice(1);
  // An unknown key is an issue of what holds it.
  const path = first.code === 'unrecognized_keys' ? [...first.path, ...first.keys.slice(0, 1)] : first.path;
  return { message: `${where}: ${what}${more}`, path };
}
