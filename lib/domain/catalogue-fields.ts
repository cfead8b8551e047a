import { type Place, type StackSettings, within } from './catalogue-content.ts';
import type { Layer, Origin, Sourced } from './catalogue-layers.ts';
import type { Path } from './path.ts';

/** Where the value of one field of a stack comes from. */
export interface FieldSource {
  /** As the catalogue names it: `timeout`, `task.cpu`, `vars.region`, `labels[0]`. */
  readonly field: string;
  readonly origin: Origin;
  /** `undefined` for what is built in. */
  readonly place: Place | undefined;
}

const BUILT_IN = { kind: 'built-in' } as const;

/** Puts fields together from layers, and remembers where each value comes from. */
export interface FieldReader {
  readonly sources: readonly FieldSource[];
  /** The last layer that says something wins. */
  value<Value>(path: Path, get: (settings: StackSettings) => Value | undefined, builtIn: Value): Value;
  /** Maps are merged key by key: the last layer that has a key wins. */
  map<Value>(field: string, get: (settings: StackSettings) => Entries<Value>): Record<string, Value>;
  /** Lists add up, the weakest layer first. */
  list<Value>(field: string, get: (settings: StackSettings) => Members<Value>): Value[];
  /** Lists in which the first match counts add up the other way round. Members that `keep` refuses are left out. */
  rules<Value>(
    field: string,
    get: (settings: StackSettings) => Members<Value>,
    keep: (value: Value) => boolean,
  ): Value[];
  /** Takes over what is put together already. */
  members<Value>(field: string, members: readonly Sourced<Value>[]): Value[];
  note(field: string, origin: Origin, place: Place | undefined): void;
}

export type Entries<Value> = Readonly<Record<string, Value>> | undefined;
export type Members<Value> = readonly Value[] | undefined;

export function createFieldReader(layers: readonly Layer[]): FieldReader {
  const sources: FieldSource[] = [];
  const strongestFirst = layers.toReversed();
  const note: FieldReader['note'] = (field, origin, place) => {
    sources.push({ field, origin, place });
  };
  const members: FieldReader['members'] = (field, all) =>
    all.map(({ value, origin, place }, index) => {
      note(`${field}[${index}]`, origin, place);
      return value;
    });
  return {
    sources,
    note,
    members,
    value: (path, get, builtIn) => {
      for (const { settings, origin, place } of strongestFirst) {
        const value = get(settings);
        if (value === undefined) continue;
        note(path.join('.'), origin, within(place, ...path));
        return value;
      }
      note(path.join('.'), BUILT_IN, undefined);
      return builtIn;
    },
    map: (field, get) => {
      const merged = [...mergeEntries(layers, field, get)];
      for (const [key, { origin, place }] of merged) note(`${field}.${key}`, origin, place);
      return Object.fromEntries(merged.map(([key, { value }]) => [key, value]));
    },
    list: (field, get) => members(field, collect(layers, field, get)),
    rules: (field, get, keep) =>
      members(
        field,
        collect(strongestFirst, field, get).filter(({ value }) => keep(value)),
      ),
  };
}

function collect<Value>(
  layers: readonly Layer[],
  field: string,
  get: (settings: StackSettings) => Members<Value>,
): readonly Sourced<Value>[] {
  return layers.flatMap(({ settings, origin, place }) =>
    (get(settings) ?? []).map((value, index) => ({ value, origin, place: within(place, field, index) })),
  );
}

function mergeEntries<Value>(
  layers: readonly Layer[],
  field: string,
  get: (settings: StackSettings) => Entries<Value>,
): ReadonlyMap<string, Sourced<Value>> {
  const merged = new Map<string, Sourced<Value>>();
  for (const { settings, origin, place } of layers) {
    for (const [key, value] of Object.entries(get(settings) ?? {})) {
      merged.set(key, { value, origin, place: within(place, field, key) });
    }
  }
  return merged;
}
