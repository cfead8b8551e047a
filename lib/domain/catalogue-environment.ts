import { within } from './catalogue-content.ts';
import type { FieldReader } from './catalogue-fields.ts';
import type { Layer, Sourced } from './catalogue-layers.ts';
import type { SecretReference, StackSpec } from './stack-spec.ts';

type Variable = { readonly text: string } | { readonly secret: SecretReference };

/**
 * Environment variables and secrets share their names: a secret of a later layer takes the place of a plain value of an
 * earlier one, and the other way round.
 */
export function readEnvironment(reader: FieldReader, layers: readonly Layer[]): Pick<StackSpec, 'env' | 'secrets'> {
  const env: [string, string][] = [];
  const secrets: [string, SecretReference][] = [];
  for (const [name, { value, origin, place }] of mergeVariables(layers)) {
    if ('text' in value) env.push([name, value.text]);
    else secrets.push([name, value.secret]);
    reader.note(`${'text' in value ? 'env' : 'secrets'}.${name}`, origin, place);
  }
  return { env: Object.fromEntries(env), secrets: Object.fromEntries(secrets) };
}

function mergeVariables(layers: readonly Layer[]): ReadonlyMap<string, Sourced<Variable>> {
  const merged = new Map<string, Sourced<Variable>>();
  for (const { settings, origin, place } of layers) {
    for (const [name, text] of Object.entries(settings.env ?? {})) {
      merged.set(name, { value: { text }, origin, place: within(place, 'env', name) });
    }
    for (const [name, secret] of Object.entries(settings.secrets ?? {})) {
      merged.set(name, { value: { secret }, origin, place: within(place, 'secrets', name) });
    }
  }
  return merged;
}
