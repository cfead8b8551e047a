import {
  type CatalogueContent,
  type Context,
  type Declared,
  type Place,
  type StackEntry,
  type StackSettings,
  within,
} from './catalogue-content.ts';
import type { FoundStack } from './catalogue-discover.ts';
import { type CatalogueProblem, errorAt } from './catalogue-problem.ts';
import { didYouMean } from './nearest-word.ts';
import { matchesPattern } from './rules.ts';

/** Who says what a field is. */
export type Origin =
  | { readonly kind: 'built-in' | 'defaults' | 'discover' | 'stack' }
  | { readonly kind: 'context'; readonly name: string };

/** A stack before its settings are put together: found, declared, or both. */
export interface StackDraft {
  readonly id: string;
  /** Where it says that there is such a stack, and who says so. */
  readonly place: Place;
  readonly origin: Origin;
  /** Of the root module. */
  readonly path: Sourced<string>;
  readonly dependsOn: readonly Sourced<string>[];
  readonly found?: FoundStack;
  readonly entry?: Declared<StackEntry>;
}

/** Settings from one place. Later layers win. */
export interface Layer {
  readonly origin: Origin;
  readonly settings: StackSettings;
  readonly place: Place;
}

export interface Sourced<Value> {
  readonly value: Value;
  readonly origin: Origin;
  readonly place: Place;
}

const DEFAULTS = { kind: 'defaults' } as const;
const DISCOVER = { kind: 'discover' } as const;
const STACK = { kind: 'stack' } as const;

export interface StackLayers {
  readonly layers: readonly Layer[];
  readonly contexts: readonly string[];
  readonly labels: readonly Sourced<string>[];
  readonly problems: readonly CatalogueProblem[];
}

/**
 * What a stack's settings come from, the weakest first: defaults, contexts, the rule that found it, its own entry.
 * Contexts go by priority. Of equals, those that are attached by name win over those that match, and later ones over
 * earlier ones: later in the catalogue, or in the list that names them.
 */
export function layersOf({ id, found, entry }: StackDraft, content: CatalogueContent): StackLayers {
  const labels = labelsOf(content, found, entry);
  const named = membersOf('contexts', found, entry);
  const { contexts, problems } = attach(content, id, new Set(labels.map(({ value }) => value)), named);
  return {
    labels,
    problems,
    contexts: contexts.map(({ value }) => value.name),
    layers: [
      ...content.defaults.map(({ value, place }) => ({ origin: DEFAULTS, settings: value, place })),
      ...contexts.map(({ value, place }) => ({
        origin: { kind: 'context', name: value.name } as const,
        settings: value,
        place,
      })),
      ...(found === undefined ? [] : [{ origin: DISCOVER, settings: found.rule.value, place: found.rule.place }]),
      ...(entry === undefined ? [] : [{ origin: STACK, settings: entry.value, place: entry.place }]),
    ],
  };
}

/** The members of a list that a rule and an entry add up. */
export function membersOf(
  field: 'labels' | 'contexts' | 'dependsOn',
  found: FoundStack | undefined,
  entry: Declared<StackEntry> | undefined,
): readonly Sourced<string>[] {
  return [
    ...(found === undefined ? [] : listed(found.rule.value[field], DISCOVER, within(found.rule.place, field))),
    ...(entry === undefined ? [] : listed(entry.value[field], STACK, within(entry.place, field))),
  ];
}

function listed(values: readonly string[] = [], origin: Origin, place: Place): readonly Sourced<string>[] {
  return values.map((value, index) => ({ value, origin, place: within(place, index) }));
}

function labelsOf(
  { defaults }: CatalogueContent,
  found: FoundStack | undefined,
  entry: Declared<StackEntry> | undefined,
): readonly Sourced<string>[] {
  const captured = Object.entries(found?.captures ?? {}).map(([name, part]) => `${name}:${part}`);
  const all = [
    ...defaults.flatMap(({ value, place }) => listed(value.labels, DEFAULTS, within(place, 'labels'))),
    ...(found === undefined ? [] : captured.map((value) => ({ value, origin: DISCOVER, place: found.pattern }))),
    ...membersOf('labels', found, entry),
  ];
  return all.filter(({ value }, index) => all.findIndex((other) => other.value === value) === index);
}

function attach(
  { contexts, broken, complete }: CatalogueContent,
  id: string,
  labels: ReadonlySet<string>,
  named: readonly Sourced<string>[],
): { readonly contexts: readonly Declared<Context>[]; readonly problems: readonly CatalogueProblem[] } {
  const problems: CatalogueProblem[] = [];
  const attached = new Set(contexts.filter(({ value }) => matches(value, id, labels)));
  for (const { value: name, place } of named) {
    const context = contexts.find(({ value }) => value.name === name);
    if (context !== undefined) {
      attached.delete(context);
      attached.add(context);
    } else if (complete.contexts && !broken.has(name)) problems.push(unknownContext(contexts, name, place));
  }
  const byPriority = [...attached].sort((left, right) => priorityOf(left) - priorityOf(right));
  return { contexts: byPriority, problems };
}

const priorityOf = ({ value }: Declared<Context>) => value.priority ?? 0;

function matches({ match }: Context, id: string, labels: ReadonlySet<string>): boolean {
  if (match === undefined) return false;
  const byLabel = match.labels?.some((pattern) => [...labels].some((label) => matchesPattern(pattern, label)));
  const byId = match.stacks?.some((pattern) => matchesPattern(pattern, id));
  return (byLabel ?? true) && (byId ?? true);
}

function unknownContext(contexts: readonly Declared<Context>[], name: string, place: Place): CatalogueProblem {
  const names = contexts.map(({ value }) => value.name);
  const known = names.length === 0 ? 'Declare it under contexts.' : `Known contexts: ${names.join(', ')}.`;
  const hint = didYouMean(name, names, known);
  return errorAt(place, { code: 'context-unknown', message: `there is no context "${name}"`, hint });
}
