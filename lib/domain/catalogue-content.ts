import type { SourceLocation } from './errors.ts';
import type { Json } from './json.ts';
import type { Path } from './path.ts';
import type { Rules } from './rules.ts';
import type { AlertSettings, RemediationMode, SecretReference, TaskSize, TimeSpan } from './stack-spec.ts';

/** A catalogue file that knows where its values stand. */
export interface Located {
  /** The place of a value, or of the nearest one above it that is written down. `key`: of its key in the map instead. */
  locate(path: Path, part?: 'key'): SourceLocation;
}

/** Where a value of the catalogue is written. */
export interface Place {
  readonly file: Located;
  readonly path: Path;
}

export function locationOf({ file, path }: Place): SourceLocation {
  return file.locate(path);
}

/** A place further in. */
export function within({ file, path }: Place, ...further: Path): Place {
  return { file, path: [...path, ...further] };
}

/** A part of the catalogue and where it is written. */
export interface Declared<Value> {
  readonly value: Value;
  readonly place: Place;
}

/** Settings as they are written; a missing one leaves the matter to others. Durations are milliseconds. */
export interface StackSettings extends Partial<Rules> {
  readonly source?: { readonly url?: string; readonly ref?: string };
  readonly engine?: { readonly name?: 'terraform' | 'tofu'; readonly version?: string | null };
  readonly workspace?: string;
  readonly backendConfig?: Readonly<Record<string, string>>;
  readonly vars?: Readonly<Record<string, Json>>;
  readonly varFiles?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly secrets?: Readonly<Record<string, SecretReference>>;
  readonly region?: string | null;
  readonly planRole?: string | null;
  readonly applyRole?: string | null;
  readonly externalId?: string | null;
  readonly schedule?: ScheduleSettings;
  readonly timeout?: number;
  readonly retry?: { readonly attempts?: number; readonly backoff?: number };
  readonly task?: { readonly cpu?: number; readonly memory?: number; readonly arch?: TaskSize['arch'] };
  readonly remediation?: { readonly mode: RemediationMode };
  readonly approval?: {
    readonly required?: number;
    readonly approvers?: readonly string[];
    readonly expires?: number;
  };
  readonly alerts?: Partial<Omit<AlertSettings, 'remindEveryMs'>> & { readonly remindEvery?: number };
  readonly routes?: readonly string[];
  readonly suspend?: string | null;
  readonly owner?: string | null;
}

export interface ScheduleSettings {
  readonly rate?: number;
  readonly cron?: readonly { readonly expression: string; readonly timezone?: string }[];
  readonly timezone?: string;
  readonly jitter?: number;
  readonly windows?: readonly Omit<TimeSpan, 'timezone'>[];
  readonly blackouts?: readonly Omit<TimeSpan, 'timezone'>[];
}

export interface Defaults extends StackSettings {
  readonly labels?: readonly string[];
}

export interface Context extends StackSettings {
  readonly name: string;
  /** Patterns; a stack has to fit one of each list that is there. */
  readonly match?: { readonly labels?: readonly string[]; readonly stacks?: readonly string[] };
  readonly priority?: number;
}

/** What one stack, or a group that was discovered, has beside settings. */
interface Membership {
  readonly labels?: readonly string[];
  readonly contexts?: readonly string[];
  readonly dependsOn?: readonly string[];
}

export interface DiscoverRule extends StackSettings, Membership {
  readonly paths: readonly string[];
  readonly exclude?: readonly string[];
  readonly id?: string;
}

export interface StackEntry extends StackSettings, Membership {
  readonly id: string;
  readonly source?: { readonly url?: string; readonly ref?: string; readonly path?: string };
}

/** All files of a catalogue, in the order of their names. */
export interface CatalogueContent {
  readonly defaults: readonly Declared<Defaults>[];
  readonly contexts: readonly Declared<Context>[];
  readonly discover: readonly Declared<DiscoverRule>[];
  readonly stacks: readonly Declared<StackEntry>[];
  /** Names of contexts and ids of stacks that are there, but could not be understood. */
  readonly broken: ReadonlySet<string>;
  /** False where some may be missing, because a part of the catalogue could not be understood. */
  readonly complete: { readonly contexts: boolean; readonly stacks: boolean };
}

export function joinContents(contents: readonly CatalogueContent[]): CatalogueContent {
  return {
    defaults: contents.flatMap(({ defaults }) => defaults),
    contexts: contents.flatMap(({ contexts }) => contexts),
    discover: contents.flatMap(({ discover }) => discover),
    stacks: contents.flatMap(({ stacks }) => stacks),
    broken: new Set(contents.flatMap(({ broken }) => [...broken])),
    complete: {
      contexts: contents.every(({ complete }) => complete.contexts),
      stacks: contents.every(({ complete }) => complete.stacks),
    },
  };
}

/** Everything that may hold settings. */
export function settingsOf({
  defaults,
  contexts,
  discover,
  stacks,
}: CatalogueContent): readonly Declared<StackSettings>[] {
  return [...defaults, ...contexts, ...discover, ...stacks];
}
