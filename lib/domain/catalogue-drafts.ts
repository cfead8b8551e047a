import {
  type CatalogueContent,
  type Declared,
  locationOf,
  type Place,
  type StackEntry,
  within,
} from './catalogue-content.ts';
import type { Discovery, FoundStack } from './catalogue-discover.ts';
import { membersOf, type StackDraft } from './catalogue-layers.ts';
import { type CatalogueProblem, errorAt } from './catalogue-problem.ts';
import { describeLocation } from './describe.ts';

export interface Drafts {
  /** By id. */
  readonly drafts: readonly StackDraft[];
  readonly problems: readonly CatalogueProblem[];
}

/**
 * Brings what was found and what is declared together. An entry without a path says more about the stack of its id that
 * was found; any other stack has its id alone.
 */
export function draftStacks({ stacks: entries }: CatalogueContent, discovery: Discovery): Drafts {
  const found = Map.groupBy(discovery.stacks, ({ id }) => id);
  const declared = Map.groupBy(entries, ({ value }) => value.id);
  const drafts: StackDraft[] = [];
  const problems: CatalogueProblem[] = [];
  for (const id of [...new Set([...found.keys(), ...declared.keys()])].sort()) {
    const result = draftStack(id, found.get(id) ?? [], declared.get(id) ?? [], discovery.complete);
    if (result.draft !== undefined) drafts.push(result.draft);
    problems.push(...result.problems);
  }
  return { drafts, problems };
}

interface DraftResult {
  readonly draft?: StackDraft;
  readonly problems: readonly CatalogueProblem[];
}

/** What makes a stack: a root module that was found, or an entry that has a path. */
type Claim = { readonly found: FoundStack } | { readonly entry: Declared<StackEntry>; readonly path: string };

function draftStack(
  id: string,
  found: readonly FoundStack[],
  entries: readonly Declared<StackEntry>[],
  allFound: boolean,
): DraftResult {
  const declared = entries.flatMap((entry) => {
    const { path } = entry.value.source ?? {};
    return path === undefined ? [] : { entry, path };
  });
  const additions = entries.filter((entry) => !declared.some((claim) => claim.entry === entry));
  const [claim, ...more] = [...found.map((stack): Claim => ({ found: stack })), ...declared];
  if (claim === undefined) return { problems: allFound ? additions.map(withoutPath) : [] };
  const [addition] = 'found' in claim ? additions : [];
  const problems = [
    ...more.map((other) => ('found' in other ? takenByPath(id, claim, other.found) : taken(id, claim, other.entry))),
    ...additions.filter((entry) => entry !== addition).map((entry) => taken(id, claim, entry)),
  ];
  return { draft: toDraft(id, claim, addition), problems };
}

function toDraft(id: string, claim: Claim, addition: Declared<StackEntry> | undefined): StackDraft {
  const found = 'found' in claim ? claim.found : undefined;
  const entry = 'found' in claim ? addition : claim.entry;
  return {
    id,
    ...ownerOf(claim),
    // A rule may name a stack that it finds itself, such as one that all others need.
    dependsOn: membersOf('dependsOn', found, entry).filter(
      ({ value, origin }, index, all) =>
        !(value === id && origin.kind === 'discover') && all.findIndex((other) => other.value === value) === index,
    ),
    ...(found !== undefined && { found }),
    ...(entry !== undefined && { entry }),
  };
}

function ownerOf(claim: Claim): Pick<StackDraft, 'place' | 'origin' | 'path'> {
  const place = placeOf(claim);
  const origin = { kind: 'found' in claim ? 'discover' : 'stack' } as const;
  if ('found' in claim) return { place, origin, path: { value: claim.found.path, origin, place } };
  return { place, origin, path: { value: claim.path, origin, place: within(claim.entry.place, 'source', 'path') } };
}

function placeOf(claim: Claim): Place {
  return 'found' in claim ? claim.found.pattern : within(claim.entry.place, 'id');
}

function withoutPath({ value, place }: Declared<StackEntry>): CatalogueProblem {
  return errorAt(within(place, 'id'), {
    code: 'path-missing',
    message: `stack "${value.id}" has no source.path, and discover finds no stack of this id`,
    hint: 'Add the folder of its root module: source: { path: … }.',
  });
}

function taken(id: string, first: Claim, { place }: Declared<StackEntry>): CatalogueProblem {
  return errorAt(within(place, 'id'), {
    code: 'name-twice',
    message: `the id "${id}" is taken (${whereIs(first)})`,
    hint: 'Ids are unique over all files. More about a stack that discover finds goes into one entry without a source.path.',
  });
}

function takenByPath(id: string, first: Claim, { pattern, path }: FoundStack): CatalogueProblem {
  return errorAt(pattern, {
    code: 'name-twice',
    message: `the path "${path}" gets the id "${id}", which is taken (${whereIs(first)})`,
    hint: 'Give the rule an id that tells its stacks apart, or exclude one of the paths.',
  });
}

const whereIs = (claim: Claim) => describeLocation(locationOf(placeOf(claim)));
