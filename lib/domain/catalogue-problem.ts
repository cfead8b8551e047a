import { locationOf, type Place } from './catalogue-content.ts';
import type { SourceLocation } from './errors.ts';
import type { Failure } from './finding.ts';

export const PROBLEM_CODES = [
  'approval-impossible',
  'context-unknown',
  'context-unused',
  'cron-invalid',
  'cron-never-fires',
  'defaults-twice',
  'dependency-cycle',
  'dependency-unknown',
  'discover-finds-nothing',
  'discover-not-checked',
  'field-invalid',
  'file-unreadable',
  'interval-too-short',
  'name-twice',
  'never-checked',
  'no-route',
  'no-stacks',
  'path-missing',
  'pattern-invalid',
  'placeholder-unknown',
  'role-missing',
  'roles-equal',
  'rule-never-matches',
  'secret-hidden',
  'secret-literal',
  'stack-too-large',
  'state-shared',
  'task-size-unknown',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

/** Something about a catalogue that its author has to know. Nothing is taken over from one with an error. */
export interface CatalogueProblem {
  readonly severity: 'error' | 'warning';
  readonly code: ProblemCode;
  /** One line that says what is wrong, never a value that may be secret. */
  readonly message: string;
  readonly location: SourceLocation;
  /** What to do about it. */
  readonly hint: string;
}

type Told = Pick<CatalogueProblem, 'code' | 'message' | 'hint'>;

export const errorAt = (place: Place, told: Told): CatalogueProblem => ({
  severity: 'error',
  ...told,
  location: locationOf(place),
});

export const warningAt = (place: Place, told: Told): CatalogueProblem => ({
  severity: 'warning',
  ...told,
  location: locationOf(place),
});

/** By file and position, each once. */
export function sortProblems(problems: readonly CatalogueProblem[]): readonly CatalogueProblem[] {
  const unique = new Map(problems.map((problem) => [keyOf(problem), problem]));
  return [...unique].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, problem]) => problem);
}

function keyOf({ location, severity, code, message }: CatalogueProblem): string {
  const { file, line = 0, column = 0 } = location;
  const position = [line, column].map((count) => String(count).padStart(9, '0'));
  return JSON.stringify([file, ...position, severity, code, message]);
}

export const isError = ({ severity }: CatalogueProblem): boolean => severity === 'error';

/** A {@link Failure} that says where it is and what to do. */
export type CatalogueFailure = Failure & Pick<CatalogueProblem, 'location' | 'hint'>;

/** The first error, and how many more there are. `undefined`: there is none. */
export function catalogueFailure(problems: readonly CatalogueProblem[]): CatalogueFailure | undefined {
  const [first, ...more] = sortProblems(problems).filter(isError);
  if (first === undefined) return undefined;
  const { message, location, hint } = first;
  const others = more.length === 0 ? '' : ` (+${more.length} more)`;
  return { code: 'CatalogueInvalid', message: `${message}${others}`, location, hint };
}

/** `prod/dns`, `prod/dns and prod/web`, `prod/dns and 12 more stacks`. */
export function nameStacks(ids: readonly string[]): string {
  const [first = '', second, ...more] = ids;
  if (second === undefined) return first;
  return more.length === 0 ? `${first} and ${second}` : `${first} and ${more.length + 1} more stacks`;
}

/** Tells once for each place what is wrong with all stacks that have it from there. */
export function tellTogether<Stack extends { readonly spec: { readonly id: string } }>(
  stacks: readonly Stack[],
  placeOf: (stack: Stack) => Place,
  tell: (place: Place, who: string, first: Stack) => CatalogueProblem,
): readonly CatalogueProblem[] {
  const byPlace = Map.groupBy(stacks, (stack) => JSON.stringify(locationOf(placeOf(stack))));
  return [...byPlace.values()].map((alike) => {
    const [first] = alike as [Stack, ...Stack[]];
    return tell(placeOf(first), nameStacks(alike.map(({ spec }) => spec.id)), first);
  });
}
