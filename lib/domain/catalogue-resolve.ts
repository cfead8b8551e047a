import { type CatalogueContent, type Declared, locationOf, type Place, within } from './catalogue-content.ts';
import { dependencyCycles, unknownDependencies } from './catalogue-dependencies.ts';
import { type Discovery, discoverStacks, type ModuleListing } from './catalogue-discover.ts';
import { draftStacks } from './catalogue-drafts.ts';
import { layersOf, type StackDraft } from './catalogue-layers.ts';
import { type CatalogueProblem, errorAt, sortProblems } from './catalogue-problem.ts';
import { buildSpec, type CatalogueRepository } from './catalogue-spec.ts';
import { describeLocation } from './describe.ts';
import type { ResolvedStack } from './resolved-stack.ts';

export interface ResolveInput {
  readonly content: CatalogueContent;
  /** What each rule of `content.discover` may find, in the same order. */
  readonly listings: readonly ModuleListing[];
  readonly repository: CatalogueRepository;
}

export interface ResolvedCatalogue {
  /** By id. Not to be used where a problem is an error. */
  readonly stacks: readonly ResolvedStack[];
  readonly problems: readonly CatalogueProblem[];
  /** False where stacks may be missing: what discover finds is not known, or parts could not be understood. */
  readonly complete: boolean;
}

/**
 * Works defaults, contexts and discovered root modules into stacks. Only of contexts with the same priority does the order
 * in `content` matter.
 */
export function resolveCatalogue({ content, listings, repository }: ResolveInput): ResolvedCatalogue {
  const discovery = discoverAll(content, listings);
  const { drafts, problems } = draftStacks(content, discovery);
  const resolved = drafts.map((draft) => resolveStack(draft, content, repository));
  const stacks = resolved.map(({ stack }) => stack);
  const mayExist = (id: string) => !discovery.complete || content.broken.has(id);
  return {
    stacks,
    complete: discovery.complete && content.broken.size === 0,
    problems: sortProblems([
      ...repeatedDefaults(content),
      ...repeatedContexts(content),
      ...discovery.problems,
      ...problems,
      ...resolved.flatMap((result) => result.problems),
      ...unknownDependencies(stacks, mayExist),
      ...dependencyCycles(stacks),
    ]),
  };
}

function discoverAll({ discover, complete }: CatalogueContent, listings: readonly ModuleListing[]): Discovery {
  const discoveries = discover.map((rule, index) => discoverStacks(rule, listings[index] as ModuleListing));
  return {
    stacks: discoveries.flatMap(({ stacks }) => stacks),
    problems: discoveries.flatMap(({ problems }) => problems),
    complete: complete.stacks && discoveries.every((discovery) => discovery.complete),
  };
}

function resolveStack(
  draft: StackDraft,
  content: CatalogueContent,
  repository: CatalogueRepository,
): { readonly stack: ResolvedStack; readonly problems: readonly CatalogueProblem[] } {
  const layers = layersOf(draft, content);
  const { spec, sources } = buildSpec(draft, layers, repository);
  return { stack: { spec, sources, contexts: layers.contexts, place: draft.place }, problems: layers.problems };
}

function repeatedDefaults({ defaults }: CatalogueContent): readonly CatalogueProblem[] {
  return repeats(defaults, () => 'defaults').map(({ place, first }) =>
    errorAt(place, {
      code: 'defaults-twice',
      message: `defaults stand in another file already (${first})`,
      hint: 'One file has the defaults of all. What holds for some stacks goes into a context.',
    }),
  );
}

function repeatedContexts({ contexts }: CatalogueContent): readonly CatalogueProblem[] {
  return repeats(contexts, ({ name }) => name).map(({ value, place, first }) =>
    errorAt(within(place, 'name'), {
      code: 'name-twice',
      message: `the name "${value.name}" is taken (${first})`,
      hint: 'Names of contexts are unique over all files.',
    }),
  );
}

/** All but the first with the same key, and where the first one is. */
function repeats<Value>(
  all: readonly Declared<Value>[],
  keyOf: (value: Value) => string,
): readonly (Declared<Value> & { readonly first: string })[] {
  const places = new Map<string, Place>();
  return all.flatMap((declared) => {
    const key = keyOf(declared.value);
    const first = places.get(key);
    if (first !== undefined) return { ...declared, first: describeLocation(locationOf(first)) };
    places.set(key, declared.place);
    return [];
  });
}
