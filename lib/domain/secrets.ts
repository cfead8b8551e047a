import {
  asList,
  asObject,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  PreciseNumber,
  parseJson,
} from './json.ts';
import { type Mask, maskOf, masksAll, masksSomeMember } from './sensitivity.ts';

// The mask does not follow copies of a value (hashicorp/terraform#28522), so values under such names count as well.
const SECRET_NAME =
  /(?:^|_)(?:password|passwd|passphrase|secret|secret_?key|secret_?string|token|private_?key|private_key_pem|api_?key|access_?key|credentials?|connection_?string)$/i;

/** True for names such as `db_password`, `apiKey` or `/prod/db/password`, whose values count as secret without a mask. */
export function isSecretName(name: string): boolean {
  const snake = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').replace(/[^a-zA-Z\d]/g, '_');
  return SECRET_NAME.test(snake);
}

/**
 * Collects every value that a plan document marks as sensitive, or keeps under a name that says so: in both masks of
 * changes, drift and deferred changes, outputs, variables, planned values and prior state.
 */
export function collectSecrets(raw: JsonObject): ReadonlySet<string> {
  const secrets = new Set<string>();
  for (const section of ['resource_changes', 'resource_drift']) {
    for (const entry of asList(raw[section])) collectFromChange(secrets, '', asObject(entry).change);
  }
  for (const entry of asList(raw.deferred_changes)) {
    collectFromChange(secrets, '', asObject(asObject(entry).resource_change).change);
  }
  for (const [name, change] of Object.entries(asObject(raw.output_changes))) collectFromChange(secrets, name, change);
  for (const action of asList(raw.action_invocations)) {
    const { config_values: values, config_sensitive: mask } = asObject(action);
    collectNamed(secrets, '', values, mask);
  }
  collectFromVariables(secrets, raw);
  collectFromValues(secrets, asObject(raw.planned_values));
  collectFromValues(secrets, asObject(asObject(raw.prior_state).values));
  return secrets;
}

/** The secrets of a document that is only at hand as text; none where it can't be read. */
export function secretsInText(document: string): readonly string[] {
  try {
    return [...collectSecrets(asObject(parseJson(document)))];
  } catch {
    return [];
  }
}

function collectFromChange(secrets: Set<string>, name: string, value: Json | undefined): void {
  const change = asObject(value);
  collectNamed(secrets, name, change.before, change.before_sensitive);
  collectNamed(secrets, name, change.after, change.after_sensitive);
}

function collectFromVariables(secrets: Set<string>, raw: JsonObject): void {
  const declared = asObject(asObject(asObject(raw.configuration).root_module).variables);
  for (const [name, variable] of Object.entries(asObject(raw.variables))) {
    collectNamed(secrets, name, asObject(variable).value, asObject(declared[name]).sensitive);
  }
}

function collectFromValues(secrets: Set<string>, values: JsonObject): void {
  for (const [name, output] of Object.entries(asObject(values.outputs))) {
    const { value, sensitive } = asObject(output);
    collectNamed(secrets, name, value, sensitive);
  }
  collectFromModule(secrets, asObject(values.root_module));
}

function collectFromModule(secrets: Set<string>, module: JsonObject): void {
  for (const resource of asList(module.resources)) {
    const { values, sensitive_values: mask } = asObject(resource);
    collectNamed(secrets, '', values, mask);
  }
  for (const child of asList(module.child_modules)) collectFromModule(secrets, asObject(child));
}

function collectNamed(secrets: Set<string>, name: string, value: Json | undefined, mask: Json | undefined): void {
  // An absent mask does not make every value a secret to hunt for: old formats show no values at all.
  collectMasked(secrets, value ?? null, isSecretName(name) || (mask ?? false));
}

function collectMasked(secrets: Set<string>, value: Json, mask: Mask): void {
  if (masksAll(mask) || masksSomeMember(mask)) collectAll(secrets, value);
  else if (isJsonArray(value)) {
    for (const [index, member] of value.entries()) collectMasked(secrets, member, maskOf(mask, index));
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      collectMasked(secrets, value[key] as Json, isSecretName(key) || maskOf(mask, key));
    }
  }
}

function collectAll(secrets: Set<string>, value: Json): void {
  if (typeof value === 'string') secrets.add(value);
  else if (typeof value === 'number') secrets.add(String(value));
  else if (value instanceof PreciseNumber) secrets.add(value.source);
  else if (isJsonArray(value)) for (const member of value) collectAll(secrets, member);
  else if (isJsonObject(value)) for (const key of Object.keys(value)) collectAll(secrets, value[key] as Json);
}

/**
 * Secrets among the settings of a run: environment variables (`AWS_SESSION_TOKEN`, `TF_VAR_db_password`,
 * `TF_TOKEN_app_terraform_io`) and variables (`name=value`) whose names say that they are secret.
 */
export function secretSettings(env: Readonly<Record<string, string | undefined>>, vars: readonly string[]): string[] {
  const fromEnv = Object.entries(env).filter(([name]) => isSecretName(name) || name.startsWith('TF_TOKEN_'));
  const fromVars = vars.map((setting) => splitOnce(setting)).filter(([name]) => isSecretName(name));
  return [...fromEnv, ...fromVars].flatMap(([, value]) => (value === undefined || value === '' ? [] : [value]));
}

/** Secrets among the values of variables, however deep: those under names that say so. */
export function secretVariables(vars: JsonObject): ReadonlySet<string> {
  const secrets = new Set<string>();
  collectMasked(secrets, vars, false);
  return secrets;
}

function splitOnce(setting: string): [name: string, value: string | undefined] {
  const at = setting.indexOf('=');
  return at === -1 ? [setting, undefined] : [setting.slice(0, at), setting.slice(at + 1)];
}
