import { locationOf, type Place } from './catalogue-content.ts';
import type { FieldSource } from './catalogue-fields.ts';
import type { Origin } from './catalogue-layers.ts';
import { describeLocation } from './describe.ts';
import type { SourceLocation } from './errors.ts';
import type { StackSpec } from './stack-spec.ts';

/** A stack of a catalogue, and where all of it comes from. */
export interface ResolvedStack {
  readonly spec: StackSpec;
  /** Names of the attached contexts, the weakest first. */
  readonly contexts: readonly string[];
  /** Where the catalogue says that there is such a stack. */
  readonly place: Place;
  readonly sources: readonly FieldSource[];
}

/** Where the value of one field comes from. */
export interface FieldProvenance {
  /** As the catalogue names it: `timeout`, `task.cpu`, `vars.region`, `labels[0]`. */
  readonly field: string;
  readonly origin: Origin;
  /** `null` for what is built in. */
  readonly location: SourceLocation | null;
}

/** Where every field of a stack comes from, in the order of the spec. Plain data. */
export function provenanceOf({ sources }: ResolvedStack): readonly FieldProvenance[] {
  return sources.map(({ field, origin, place }) => ({
    field,
    origin,
    location: place === undefined ? null : locationOf(place),
  }));
}

/** `built in`, `defaults, catalogue.yaml:3`, `context production, catalogue.yaml:12`, `stack, network.yaml:8`. */
export function describeProvenance({ origin, location }: Pick<FieldProvenance, 'origin' | 'location'>): string {
  if (location === null) return 'built in';
  const { file, line } = location;
  const place = describeLocation({ file, ...(line !== undefined && { line }) });
  return `${origin.kind === 'context' ? `context ${origin.name}` : origin.kind}, ${place}`;
}

/** Where the first of these fields that is written down stands, or else the stack. */
export function placeOfField({ sources, place }: ResolvedStack, ...fields: readonly string[]): Place {
  const written = fields.flatMap((field) => sources.find((source) => source.field === field)?.place ?? []);
  return written[0] ?? place;
}
