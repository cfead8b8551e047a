import { type Declared, type DiscoverRule, type Place, within } from './catalogue-content.ts';
import { type CatalogueProblem, errorAt, warningAt } from './catalogue-problem.ts';
import { type Captures, type PathGlob, parsePathGlob } from './path-glob.ts';
import { fillIn, fillInAll, placeholdersIn, textsIn } from './placeholders.ts';
import { toStackId } from './stack-id.ts';

/** The root modules of a repository: folders with Terraform files, relative to its root, `.` for the root itself. */
export interface ModuleListing {
  readonly url: string;
  /** `undefined`: there is no copy of the repository to look into. */
  readonly modules: readonly string[] | undefined;
}

/** A root module that a rule makes a stack of. */
export interface FoundStack {
  readonly id: string;
  readonly path: string;
  readonly captures: Captures;
  /** The rule with its placeholders filled in. */
  readonly rule: Declared<DiscoverRule>;
  /** The pattern that matched. */
  readonly pattern: Place;
}

export interface Discovery {
  readonly stacks: readonly FoundStack[];
  readonly problems: readonly CatalogueProblem[];
  /** False where nobody can tell which stacks there are. */
  readonly complete: boolean;
}

interface Pattern {
  readonly glob: PathGlob;
  readonly place: Place;
}

/** Makes a stack of each root module that a rule's paths match. Of several patterns the first that matches counts. */
export function discoverStacks(rule: Declared<DiscoverRule>, { url, modules }: ModuleListing): Discovery {
  const paths = readPatterns(rule, 'paths');
  const exclude = readPatterns(rule, 'exclude');
  const problems = [
    ...paths.problems,
    ...exclude.problems,
    ...paths.patterns.flatMap(({ glob }) => unknownPlaceholders(rule, glob)),
  ];
  if (problems.length > 0) return { stacks: [], problems, complete: false };
  if (modules === undefined) return { stacks: [], problems: [notChecked(rule, url)], complete: false };
  const matches = modules.flatMap((path) => {
    const excluded = exclude.patterns.some(({ glob }) => glob.match(path) !== undefined);
    return excluded ? [] : firstMatch(paths.patterns, path);
  });
  if (matches.length === 0) return { stacks: [], problems: [findsNothing(rule, url)], complete: true };
  return collect(matches.map((match) => toStack(rule, match)));
}

function readPatterns(
  { value, place }: Declared<DiscoverRule>,
  field: 'paths' | 'exclude',
): { readonly patterns: readonly Pattern[]; readonly problems: readonly CatalogueProblem[] } {
  const patterns: Pattern[] = [];
  const problems: CatalogueProblem[] = [];
  for (const [index, pattern] of (value[field] ?? defaultsOf(value)).entries()) {
    const at = within(place, field, index);
    const glob = parsePathGlob(pattern);
    if ('match' in glob) patterns.push({ glob, place: at });
    else problems.push(notUnderstood(at, pattern, glob.mistake));
  }
  return { patterns, problems };
}

function notUnderstood(place: Place, pattern: string, mistake: string): CatalogueProblem {
  return errorAt(place, {
    code: 'pattern-invalid',
    message: `pattern "${pattern}" is not understood: ${mistake}`,
    hint: 'Write such as environments/{environment}/*.',
  });
}

// Modules are parts of stacks. Who names such a folder means it.
function defaultsOf({ paths }: DiscoverRule): readonly string[] {
  return paths.some((path) => path.split('/').includes('modules')) ? [] : ['**/modules/**'];
}

function unknownPlaceholders({ value, place }: Declared<DiscoverRule>, glob: PathGlob): readonly CatalogueProblem[] {
  const known = ['path', ...glob.names];
  const { paths, exclude, ...filledIn } = value;
  return [...textsIn(filledIn)].flatMap(({ text, path }) => {
    const unknown = placeholdersIn(text).find((name) => !known.includes(name));
    if (unknown === undefined) return [];
    const hint = `Known here: ${known.map((name) => `{${name}}`).join(', ')}. Braces that mean themselves go into defaults or a context.`;
    const message = `placeholder {${unknown}} is not part of the paths`;
    return errorAt(within(place, ...path), { code: 'placeholder-unknown', message, hint });
  });
}

function notChecked({ place }: Declared<DiscoverRule>, url: string): CatalogueProblem {
  return warningAt(within(place, 'paths'), {
    code: 'discover-not-checked',
    message: `no copy of ${url} at hand, so nobody knows what these paths match`,
    hint: `Name a checkout: --checkout ${url}=DIR.`,
  });
}

function findsNothing({ place }: Declared<DiscoverRule>, url: string): CatalogueProblem {
  return errorAt(within(place, 'paths'), {
    code: 'discover-finds-nothing',
    message: `no folder with Terraform files in ${url} matches these paths`,
    hint: 'Paths start at the root of the repository. A rule that finds nothing would remove all its stacks; delete it if that is meant.',
  });
}

interface Match {
  readonly path: string;
  readonly captures: Captures;
  readonly pattern: Place;
}

function firstMatch(patterns: readonly Pattern[], path: string): readonly Match[] {
  for (const { glob, place } of patterns) {
    const captures = glob.match(path);
    if (captures !== undefined) return [{ path, captures, pattern: place }];
  }
  return [];
}

function toStack(rule: Declared<DiscoverRule>, { path, captures, pattern }: Match): FoundStack | CatalogueProblem {
  const values = { ...captures, path };
  const template = rule.value.id ?? '{path}';
  const id = toStackId(fillIn(template, values));
  if (id !== undefined) return { id, path, captures, rule: filledIn(rule, values), pattern };
  return errorAt(rule.value.id === undefined ? pattern : within(rule.place, 'id'), {
    code: 'field-invalid',
    message: `"${template}" makes no id of the path "${path}"`,
    hint: 'Give the rule an id: a-z, 0-9, - and /, starting with a letter or digit, up to 128 characters.',
  });
}

function filledIn(rule: Declared<DiscoverRule>, values: Captures): Declared<DiscoverRule> {
  const { paths, exclude, dependsOn, ...settings } = rule.value;
  // Made the way the ids are that they name.
  const ids = dependsOn?.map((id) => fillIn(id, values)).map((id) => toStackId(id) ?? id);
  return { ...rule, value: { ...fillInAll(settings, values), paths, ...(ids !== undefined && { dependsOn: ids }) } };
}

function collect(results: readonly (FoundStack | CatalogueProblem)[]): Discovery {
  const stacks = results.filter((result) => 'captures' in result);
  const problems = results.filter((result) => 'severity' in result);
  return { stacks, problems, complete: problems.length === 0 };
}
