import type * as z from 'zod';
import { catalogueKeys } from '../contract/catalogue-schema.ts';
import type { CatalogueProblem } from '../domain/catalogue-problem.ts';
import { didYouMean } from '../domain/nearest-word.ts';
import { formatPath, type Path } from '../domain/path.ts';
import { toStackId } from '../domain/stack-id.ts';
import type { CatalogueDocument } from '../ports/catalogue-source.ts';

export interface IssueContext {
  readonly document: Pick<CatalogueDocument, 'locate'>;
  /** Where in the document the value stands that the schema looked at. */
  readonly at: Path;
}

/**
 * What a schema has against a part of a catalogue, each mistake on its own, with a place and advice. The issues are to be
 * those of a parse with `reportInput`.
 */
export function describeIssues(
  issues: readonly z.core.$ZodIssue[],
  { document, at }: IssueContext,
): readonly CatalogueProblem[] {
  return issues.flatMap(simplify).map(({ path, message, input, unknownKey }) => {
    const full = [...at, ...path];
    const where = formatPath(full);
    return {
      severity: 'error',
      code: 'field-invalid',
      message: where === '' ? message : `${where}: ${message}`,
      location: document.locate(full, unknownKey === undefined ? undefined : 'key'),
      hint: unknownKey === undefined ? adviceFor(full, input) : adviceForKey(unknownKey),
    };
  });
}

interface Mistake {
  readonly path: Path;
  readonly message: string;
  /** The value that is wrong, where that helps. */
  readonly input?: unknown;
  readonly unknownKey?: string;
}

/** Takes unions and keys of maps apart, down to what is wrong with one value. */
function simplify(issue: z.core.$ZodIssue): readonly Mistake[] {
  const path = toPath(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: 'unknown field', unknownKey: key }));
  }
  if (issue.code === 'invalid_key') return issue.issues.map(({ message }) => ({ path, message }));
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') {
    return [{ path, message: tidy(issue.message), input: issue.input }];
  }
  const meant = issue.errors.find((branch) => !branch.some(isOtherType));
  if (meant === undefined) return [{ path, message: tidy(firstLeaf(issue).message) }];
  return meant.flatMap(simplify).map((mistake) => ({ ...mistake, path: [...path, ...mistake.path] }));
}

/** Whether a value is nothing that a branch of a union is about, as opposed to a wrong one of its kind. */
function isOtherType(issue: z.core.$ZodIssue): boolean {
  if (issue.path.length > 0) return false;
  if (issue.code === 'invalid_union') return issue.errors.every((branch) => branch.some(isOtherType));
  return issue.code === 'invalid_type';
}

/** What the first branch of a union says: the usual one stands there. */
function firstLeaf(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  return issue.code === 'invalid_union' ? firstLeaf(issue.errors[0]?.[0] as z.core.$ZodIssue) : issue;
}

/** The path of an issue. A catalogue is data from YAML: no key of it is a symbol. */
export function toPath(path: readonly PropertyKey[]): Path {
  return path.map((key) => (typeof key === 'number' ? key : String(key)));
}

function tidy(message: string): string {
  const said = message.replace(/^Invalid (?:input|option): /, '');
  return said.endsWith('received undefined') ? 'is missing' : lowerFirst(said);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

const SCHEMA = 'All fields and what they may be: docs/catalogue.schema.json.';
const RESERVED = 'Ids stand in keys, paths and URLs, so other characters, upper case too, are reserved.';

const ADVICE: Readonly<Record<string, string>> = {
  url: 'Credentials for Git are kept in Secrets Manager, never in a URL.',
  env: 'Numbers and the like go in quotes: env texts are handed on as they are written.',
  schedule: 'Such as schedule: { rate: 1h }, or { cron: "0 6 * * mon-fri", timezone: Europe/Berlin }.',
  secrets: 'Such as TF_VAR_password: { secretsManager: prod/db, jsonKey: password }, or { ssm: /prod/db }.',
  remediation: 'Such as remediation: { mode: approve }.',
  suspend: 'Say why: suspend: state is being moved.',
  ignore: 'A rule has address, owner, reason and expires; path, value and classes narrow it.',
};

/** Advice for the innermost field of a path that has some. */
function adviceFor(path: Path, value: unknown): string {
  if (path.at(-1) === 'id' || path.includes('dependsOn')) return adviceForId(value);
  const field = path.findLast((name) => Object.hasOwn(ADVICE, name));
  return field === undefined ? SCHEMA : (ADVICE[field] as string);
}

function adviceForId(value: unknown): string {
  const id = typeof value === 'string' ? toStackId(value) : undefined;
  return id === undefined ? `${RESERVED} Such as prod/network.` : `${RESERVED} Try "${id}".`;
}

function adviceForKey(key: string): string {
  return didYouMean(key, catalogueKeys(), SCHEMA);
}
