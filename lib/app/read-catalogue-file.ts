import type * as z from 'zod';
import { CatalogueOutline, Context, Defaults, Discover, Stack } from '../contract/catalogue-schema.ts';
import type { CatalogueContent, Declared } from '../domain/catalogue-content.ts';
import type { CatalogueProblem } from '../domain/catalogue-problem.ts';
import type { Path } from '../domain/path.ts';
import type { CatalogueDocument } from '../ports/catalogue-source.ts';
import { describeIssues } from './describe-issues.ts';

export interface CatalogueReading {
  readonly content: CatalogueContent;
  readonly problems: readonly CatalogueProblem[];
}

/** Understands one file of a catalogue. What is wrong with one part leaves the others readable. */
export function readCatalogueFile(document: CatalogueDocument): CatalogueReading {
  if (document.mistakes.length > 0) return { content: NOTHING, problems: document.mistakes.map(unreadable) };
  const file = document.value ?? {};
  const outline = readPart(document, { value: file, path: [] }, CatalogueOutline);
  const defaults = readParts(document, partsOf(file, 'defaults'), Defaults);
  const contexts = readParts(document, partsOf(file, 'contexts'), Context);
  const discover = readParts(document, partsOf(file, 'discover'), Discover);
  const stacks = readParts(document, partsOf(file, 'stacks'), Stack);
  const isWhole = outline.problems.length === 0;
  return {
    problems: [outline, defaults, contexts, discover, stacks].flatMap(({ problems }) => problems),
    content: {
      defaults: defaults.declared,
      contexts: contexts.declared,
      discover: discover.declared,
      stacks: stacks.declared,
      broken: new Set([...contexts.broken, ...stacks.broken]),
      complete: {
        contexts: isWhole && contexts.allNamed,
        stacks: isWhole && stacks.allNamed && discover.problems.length === 0,
      },
    },
  };
}

const NOTHING: CatalogueContent = {
  defaults: [],
  contexts: [],
  discover: [],
  stacks: [],
  broken: new Set(),
  complete: { contexts: false, stacks: false },
};

function unreadable({ message, location }: CatalogueDocument['mistakes'][number]): CatalogueProblem {
  const hint = 'The file is read as YAML 1.2. A text that starts with { or * goes in quotes.';
  return { severity: 'error', code: 'file-unreadable', message, location, hint };
}

interface Part {
  readonly value: unknown;
  readonly path: Path;
}

/** A section that is not what it should be has been told of with the outline, and has no parts. */
function partsOf(file: unknown, section: string): readonly Part[] {
  const value = isRecord(file) ? file[section] : undefined;
  if (section === 'defaults') return value === undefined ? [] : [{ value, path: [section] }];
  return Array.isArray(value) ? value.map((item: unknown, index) => ({ value: item, path: [section, index] })) : [];
}

interface Reading<Value> {
  readonly declared: readonly Declared<Value>[];
  readonly problems: readonly CatalogueProblem[];
  /** Names and ids of parts that could not be understood. */
  readonly broken: readonly string[];
  readonly allNamed: boolean;
}

function readParts<Value>(
  document: CatalogueDocument,
  parts: readonly Part[],
  schema: z.ZodType<Value>,
): Reading<Value> {
  const readings = parts.map((part) => readPart(document, part, schema));
  return {
    declared: readings.flatMap(({ declared }) => declared),
    problems: readings.flatMap(({ problems }) => problems),
    broken: readings.flatMap(({ broken }) => broken),
    allNamed: readings.every(({ allNamed }) => allNamed),
  };
}

function readPart<Value>(document: CatalogueDocument, { value, path }: Part, schema: z.ZodType<Value>): Reading<Value> {
  const { success, data, error } = schema.safeParse(value, { reportInput: true });
  if (success) {
    const place = { file: document, path };
    return { declared: [{ value: data, place }], problems: [], broken: [], allNamed: true };
  }
  const problems = describeIssues(error.issues, { document, at: path });
  const name = isRecord(value) ? (value.name ?? value.id) : undefined;
  const broken = typeof name === 'string' ? [name] : [];
  return { declared: [], problems, broken, allNamed: broken.length > 0 };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
