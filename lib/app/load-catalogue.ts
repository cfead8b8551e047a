import { StackTexts } from '../contract/catalogue-schema.ts';
import { type CatalogueContent, joinContents } from '../domain/catalogue-content.ts';
import type { ModuleListing } from '../domain/catalogue-discover.ts';
import { type CatalogueProblem, errorAt, sortProblems } from '../domain/catalogue-problem.ts';
import { type ResolvedCatalogue, resolveCatalogue } from '../domain/catalogue-resolve.ts';
import { type CatalogueRepository, repositoryOf } from '../domain/catalogue-spec.ts';
import { formatPath } from '../domain/path.ts';
import { remember } from '../domain/remember.ts';
import { placeOfField, type ResolvedStack } from '../domain/resolved-stack.ts';
import type { CatalogueDocument, CatalogueSource } from '../ports/catalogue-source.ts';
import { toPath } from './describe-issues.ts';
import { readCatalogueFile } from './read-catalogue-file.ts';

export interface LoadCatalogueDeps {
  readonly source: CatalogueSource;
}

export interface LoadCatalogueInput {
  /** The repository that holds the catalogue. */
  readonly repository: CatalogueRepository;
}

export interface LoadedCatalogue extends ResolvedCatalogue {
  readonly content: CatalogueContent;
  /** Names of the files, in the order in which they are read. */
  readonly files: readonly string[];
}

/**
 * Reads all files of a catalogue, looks for the root modules that it discovers, and resolves its stacks. Everything that
 * is wrong is among the problems. Throws only where files or repositories can't be read.
 */
export async function loadCatalogue(
  { source }: LoadCatalogueDeps,
  { repository }: LoadCatalogueInput,
): Promise<LoadedCatalogue> {
  // In the order of names, because the order of contexts can matter, and nobody should have to think of another one.
  const documents = [...(await source.files())].sort((left, right) => (left.name < right.name ? -1 : 1));
  const readings = documents.map(readCatalogueFile);
  const content = joinContents(readings.map((reading) => reading.content));
  const resolved = resolveCatalogue({ content, repository, listings: await listModules(source, content, repository) });
  const problems = [
    ...readings.flatMap((reading) => reading.problems),
    ...resolved.problems,
    ...resolved.stacks.flatMap(checkTexts),
    ...checkNotEmpty(resolved, content, documents),
  ];
  return { ...resolved, content, problems: sortProblems(problems), files: documents.map(({ name }) => name) };
}

async function listModules(
  source: CatalogueSource,
  content: CatalogueContent,
  own: CatalogueRepository,
): Promise<readonly ModuleListing[]> {
  const list = remember((repository) => source.rootModules(JSON.parse(repository)));
  return Promise.all(
    content.discover.map(async (rule) => {
      const { url, ref } = repositoryOf([...content.defaults, rule], own);
      return { url, modules: await list(JSON.stringify({ url, ref })) };
    }),
  );
}

/** Texts that became what they are when placeholders were filled in. */
function checkTexts(stack: ResolvedStack): readonly CatalogueProblem[] {
  const { success, error } = StackTexts.safeParse(stack.spec);
  if (success) return [];
  return error.issues.map((issue) => {
    const path = toPath(issue.path);
    const fields = path.map((_, index) => formatPath(path.slice(0, path.length - index)));
    return errorAt(placeOfField(stack, ...fields), {
      code: 'field-invalid',
      message: `stack "${stack.spec.id}": ${fields[0]}: ${issue.message}`,
      hint: 'Placeholders stand for parts of the path, as they are.',
    });
  });
}

/** An empty catalogue would take every stack away. */
function checkNotEmpty(
  { complete }: ResolvedCatalogue,
  { discover, stacks }: CatalogueContent,
  [first]: readonly CatalogueDocument[],
): readonly CatalogueProblem[] {
  if (first === undefined || !complete || discover.length + stacks.length > 0) return [];
  const hint = 'Write discover: [{ paths: environments/* }], or stacks: with an id and a source.path each.';
  return [errorAt({ file: first, path: [] }, { code: 'no-stacks', message: 'the catalogue has no stacks', hint })];
}
