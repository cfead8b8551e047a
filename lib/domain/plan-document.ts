import { HoldfastError } from './errors.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, PreciseNumber, parseJson } from './json.ts';
import type { Path } from './path.ts';

/** One entry of `resource_changes` or `resource_drift`. */
export interface ResourceChange {
  readonly address: string;
  /** Key of a deposed object: together with the address it names one object. */
  readonly deposed: string | undefined;
  readonly previousAddress: string | undefined;
  readonly mode: 'managed' | 'data';
  readonly type: string;
  /** As Terraform names them, in its order; may hold actions this version of Holdfast does not know. */
  readonly actions: readonly string[];
  readonly actionReason: string | undefined;
  readonly importing: boolean;
  readonly before: Json;
  readonly after: Json;
  readonly afterUnknown: Json;
  /** `undefined` where the format is too old to say what is sensitive. */
  readonly beforeSensitive: Json | undefined;
  readonly afterSensitive: Json | undefined;
  readonly replacePaths: readonly Path[];
}

export interface OutputChange {
  readonly name: string;
  readonly actions: readonly string[];
}

export interface CheckStatus {
  /** `check.size`, `aws_instance.web`, `output.id`, … */
  readonly address: string;
  readonly status: string;
}

export interface RelevantAttribute {
  readonly resource: string;
}

/**
 * A plan document (`terraform show -json PLAN`), read leniently: formats 0.1 to 1.2 and unknown 1.x, every field
 * optional that some version lacks. An absent flag is `undefined`, never false: OpenTofu and Terraform before 1.8 have
 * neither `applyable` nor `complete`.
 */
export interface PlanDocument {
  readonly formatVersion: string;
  readonly terraformVersion: string | null;
  readonly errored: boolean;
  readonly complete: boolean | undefined;
  readonly applyable: boolean | undefined;
  readonly changes: readonly ResourceChange[];
  readonly drift: readonly ResourceChange[];
  readonly outputs: readonly OutputChange[];
  readonly checks: readonly CheckStatus[];
  /** Addresses of actions (Terraform 1.14 and later) that an apply would invoke. */
  readonly actionInvocations: readonly string[];
  readonly deferred: readonly ResourceChange[];
  readonly relevantAttributes: readonly RelevantAttribute[];
  /** True where the document has `resource_changes`, if only an empty list: a refresh-only plan has none. */
  readonly plansChanges: boolean;
  /** The document as it was: configuration, variables and prior state are read from here where needed. */
  readonly raw: JsonObject;
}

const HINT = 'expected the output of "terraform show -json PLANFILE" (or "tofu show -json PLANFILE")';

/** Reads a plan document. Throws `PlanUnreadable` naming what is wrong and where in the document. */
export function readPlanDocument(text: string): PlanDocument {
  const raw = parseDocument(text);
  const formatVersion = readFormatVersion(raw);
  rejectOthers(raw);
  const sections = readSections(raw);
  return {
    formatVersion,
    terraformVersion: typeof raw.terraform_version === 'string' ? raw.terraform_version : null,
    errored: raw.errored === true,
    complete: booleanOrUndefined(raw.complete),
    applyable: booleanOrUndefined(raw.applyable),
    ...sections,
    plansChanges: raw.resource_changes !== undefined && raw.resource_changes !== null,
    raw,
  };
}

function parseDocument(text: string): JsonObject {
  let json: Json;
  try {
    json = parseJson(text);
  } catch (cause) {
    // V8 quotes what stands around the place, and that may be a secret.
    const why = (cause as SyntaxError).message.replace(/, (?:\.{3})?".*/s, '');
    throw new HoldfastError('PlanUnreadable', `the plan document is not JSON: ${why}`, { hint: HINT });
  }
  if (!isJsonObject(json)) throw unreadable('the plan document', 'a JSON object', json);
  return json;
}

function readFormatVersion(raw: JsonObject): string {
  const version = raw.format_version;
  if (typeof version !== 'string') throw unreadable('format_version', 'a text such as "1.2"', version);
  if (!/^[01]\.\d+$/.test(version)) {
    throw new HoldfastError(
      'PlanUnreadable',
      `plan format ${JSON.stringify(version)} is not known, expected 0.x or 1.x`,
      {
        hint: 'a new major format may mean other things by the same names: update Holdfast, or plan with an older Terraform',
      },
    );
  }
  return version;
}

// Terraform writes `planned_values` into every plan; documents of other tools may have only what they need.
const PLAN_SECTIONS = ['planned_values', 'resource_changes', 'resource_drift', 'output_changes'];

/** An empty state is `{"format_version":"1.0"}`: read as a plan, it would be a clean one. */
function rejectOthers(raw: JsonObject): void {
  if (PLAN_SECTIONS.some((section) => Object.hasOwn(raw, section))) return;
  throw new HoldfastError(
    'PlanUnreadable',
    'the document is not a plan: it says nothing of planned values or changes',
    {
      hint: 'name the plan file: "terraform show -json" without one prints the state',
    },
  );
}

function readSections(raw: JsonObject) {
  return {
    changes: list(raw, 'resource_changes').map((item, i) => readChange(item, `resource_changes[${i}]`)),
    drift: list(raw, 'resource_drift').map((item, i) => readChange(item, `resource_drift[${i}]`)),
    outputs: readOutputs(raw.output_changes),
    checks: list(raw, 'checks').map((item, i) => readCheck(item, `checks[${i}]`)),
    actionInvocations: list(raw, 'action_invocations').map((item, i) =>
      requireText(requireObject(item, `action_invocations[${i}]`), 'address', `action_invocations[${i}]`),
    ),
    deferred: list(raw, 'deferred_changes').map((item, i) => {
      const where = `deferred_changes[${i}]`;
      return readChange(requireObject(item, where).resource_change, `${where}.resource_change`);
    }),
    relevantAttributes: list(raw, 'relevant_attributes').flatMap((item) =>
      isJsonObject(item) && typeof item.resource === 'string' ? [{ resource: item.resource }] : [],
    ),
  };
}

function readChange(item: Json | undefined, where: string): ResourceChange {
  const entry = requireObject(item, where);
  const change = requireObject(entry.change, `${where}.change`);
  return {
    address: typeof entry.address === 'string' ? entry.address : assembleAddress(entry, where),
    deposed: optionalText(entry.deposed),
    previousAddress: optionalText(entry.previous_address),
    mode: entry.mode === 'data' ? 'data' : 'managed',
    type: requireText(entry, 'type', where),
    actions: readActions(change.actions, `${where}.change.actions`),
    actionReason: optionalText(entry.action_reason),
    importing: isJsonObject(change.importing),
    before: change.before ?? null,
    after: change.after ?? null,
    afterUnknown: change.after_unknown ?? false,
    beforeSensitive: change.before_sensitive,
    afterSensitive: change.after_sensitive,
    replacePaths: isJsonArray(change.replace_paths) ? change.replace_paths.filter(isPath) : [],
  };
}

// Terraform 1.0 wrote drift entries without an address.
function assembleAddress(entry: JsonObject, where: string): string {
  const resource = `${requireText(entry, 'type', where)}.${requireText(entry, 'name', where)}`;
  const prefix = typeof entry.module_address === 'string' ? `${entry.module_address}.` : '';
  const data = entry.mode === 'data' ? 'data.' : '';
  const index = entry.index === undefined || entry.index === null ? '' : `[${JSON.stringify(entry.index)}]`;
  return `${prefix}${data}${resource}${index}`;
}

function readActions(value: Json | undefined, where: string): string[] {
  if (!isJsonArray(value)) throw unreadable(where, 'a list of action names', value);
  return value.map((action) => {
    if (typeof action !== 'string') throw unreadable(where, 'a list of action names', action);
    return action;
  });
}

function readOutputs(value: Json | undefined): OutputChange[] {
  if (value === undefined || value === null) return [];
  return Object.entries(requireObject(value, 'output_changes')).map(([name, change]) => ({
    name,
    actions: readActions(requireObject(change, `output_changes.${name}`).actions, `output_changes.${name}.actions`),
  }));
}

function readCheck(item: Json, where: string): CheckStatus {
  const entry = requireObject(item, where);
  const address = requireObject(entry.address, `${where}.address`);
  return {
    address: requireText(address, 'to_display', `${where}.address`),
    status: requireText(entry, 'status', where),
  };
}

function list(raw: JsonObject, key: string): readonly Json[] {
  const value = raw[key];
  if (value === undefined || value === null) return [];
  if (!isJsonArray(value)) throw unreadable(key, 'a list', value);
  return value;
}

function requireObject(value: Json | undefined, where: string): JsonObject {
  if (!isJsonObject(value)) throw unreadable(where, 'an object', value);
  return value;
}

function requireText(entry: JsonObject, key: string, where: string): string {
  const value = entry[key];
  if (typeof value !== 'string' || value === '') throw unreadable(`${where}.${key}`, 'a text', value);
  return value;
}

function optionalText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function booleanOrUndefined(value: Json | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function isPath(value: Json): value is Path {
  return isJsonArray(value) && value.every((segment) => typeof segment === 'string' || typeof segment === 'number');
}

// The wrong value may be a secret: say its type only.
function unreadable(where: string, expected: string, value: Json | undefined): HoldfastError {
  return new HoldfastError('PlanUnreadable', `${where} is ${kindOf(value)}, expected ${expected}`, { hint: HINT });
}

function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'a list';
  if (isJsonObject(value)) return 'an object';
  return value instanceof PreciseNumber ? 'a number' : `a ${typeof value}`;
}
