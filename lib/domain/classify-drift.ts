import { configAddress } from './address.ts';
import type { Difference, PathChange } from './diff.ts';
import { type Context, type Draft, type Reading, subjectOf } from './draft.ts';
import type { Cause, CauseKind, Noise, NoiseReason } from './finding.ts';
import { isIgnored } from './ignore-changes.ts';
import { asList, isJsonObject, jsonEqual, valueAt } from './json.ts';
import { formatPath, pathsOverlap } from './path.ts';
import type { ResourceChange } from './plan-document.ts';
import { isServiceOwned } from './service-owned.ts';
import { isSecurityRelevant } from './severity.ts';

/** Reads one drift entry: what somebody or something changed behind Terraform's back, beside what the plan would do. */
export function classifyDrift(context: Context, entry: ResourceChange, planned: ResourceChange | undefined): Reading {
  if (entry.actions.includes('delete')) return { drafts: [deletedOutside(entry, planned)], noise: [] };
  if (!isDrift(entry)) return { drafts: [], noise: [] };
  const { changes, noise } = context.differences.of('drift', entry);
  const acted = changes.filter((change) => actsOn(context, entry, planned, change));
  const quiet = changes.filter((change) => !acted.includes(change));
  const drafts = acted.length === 0 ? [] : [changedOutside(entry, planned, acted)];
  const silent = readQuietChanges(context, entry, planned, quiet);
  return {
    drafts: [...drafts, ...silent.drafts],
    noise: [...noiseOf(entry, noise), ...silent.noise],
  };
}

/** False for entries that only tell of a move, which Terraform lists as drift in refresh-only plans (field case A7). */
export function isDrift(entry: ResourceChange): boolean {
  return entry.mode === 'managed' && entry.actions.some((action) => action !== 'no-op' && action !== 'read');
}

/** Groups noise of one resource by its reason. */
export function noiseOf(change: ResourceChange, found: Difference['noise']): Noise[] {
  const byReason = Map.groupBy(found, ({ reason }) => reason);
  return [...byReason].map(([reason, places]) => ({
    address: change.address,
    paths: places.map(({ path }) => formatPath(path)),
    reason,
  }));
}

function deletedOutside(entry: ResourceChange, planned: ResourceChange | undefined): Draft {
  return {
    ...subjectOf(entry, planned),
    class: 'deleted-outside',
    standing: 'drift',
    changes: [],
    cause: { kind: 'outside-change', inferred: false },
    severity: 'critical',
  };
}

function changedOutside(
  entry: ResourceChange,
  planned: ResourceChange | undefined,
  changes: readonly PathChange[],
): Draft {
  return {
    ...subjectOf(entry, planned),
    class: 'changed-outside',
    standing: 'drift',
    changes,
    cause: { kind: 'outside-change', inferred: false },
  };
}

/** Whether Terraform would put a changed place back, or, in a refresh-only plan, whether it is configured to. */
function actsOn(
  context: Context,
  entry: ResourceChange,
  planned: ResourceChange | undefined,
  change: PathChange,
): boolean {
  if (context.mode === 'refresh-only') return isConfigured(context, entry, change);
  if (planned === undefined) return false;
  const { actions } = planned;
  // Creating, deleting or forgetting concerns every attribute, and so may an action we don't know.
  if (actions.some((action) => action !== 'update' && action !== 'no-op' && action !== 'read')) return true;
  if (!actions.includes('update')) return false;
  return context.differences.of('planned', planned).changes.some(({ path }) => pathsOverlap(path, change.path));
}

function isConfigured(context: Context, entry: ResourceChange, change: PathChange): boolean {
  if (isServiceOwned(context.rules.serviceOwned, entry.type, formatPath(change.path))) return false;
  if (isIgnoredInSource(context, entry, change)) return false;
  return context.configuration.sets(entry.address, change.path) !== 'no' || isBlock(entry, change);
}

/** A list of objects may come from a `dynamic` block, which no plan document has in its configuration. */
function isBlock({ before, after }: ResourceChange, { path }: PathChange): boolean {
  const attribute = path.slice(0, 1);
  return [before, after].some((values) => asList(valueAt(values, attribute)).some(isJsonObject));
}

function readQuietChanges(
  context: Context,
  entry: ResourceChange,
  planned: ResourceChange | undefined,
  quiet: readonly PathChange[],
): Reading {
  const drafts: Draft[] = [];
  const noise: Noise[] = [];
  for (const [reason, changes] of Map.groupBy(quiet, (change) => whyQuiet(context, entry, change))) {
    if (reason === 'moved-by-service' || reason === 'mirrors-resource') noise.push(quietNoise(entry, changes, reason));
    else drafts.push(...changedUnmanaged(context, entry, planned, changes, reason));
  }
  return { drafts, noise };
}

type QuietNoise = Extract<NoiseReason, 'moved-by-service' | 'mirrors-resource'>;

function quietNoise(entry: ResourceChange, changes: readonly PathChange[], reason: QuietNoise): Noise {
  return { address: entry.address, paths: changes.map(({ path }) => formatPath(path)), reason };
}

type QuietReason = Extract<CauseKind, 'ignore-changes' | 'adopted-in-config' | 'unconfigured-attribute'>;

/** Why the plan leaves a changed place alone. */
function whyQuiet(context: Context, entry: ResourceChange, change: PathChange): QuietReason | QuietNoise {
  if (isIgnoredInSource(context, entry, change)) return 'ignore-changes';
  if (isServiceOwned(context.rules.serviceOwned, entry.type, formatPath(change.path))) return 'moved-by-service';
  if (context.configuration.sets(entry.address, change.path) !== 'yes') {
    return context.splits.explains(entry, String(change.path[0])) ? 'mirrors-resource' : 'unconfigured-attribute';
  }
  const literal = context.configuration.literal(entry.address, change.path);
  if (literal !== undefined) return jsonEqual(literal, change.after) ? 'adopted-in-config' : 'ignore-changes';
  // Configured, changed, and not to be put back: with the files read and no ignore_changes there, the configuration
  // must ask for the new value by now.
  return context.ignoreChanges === undefined ? 'ignore-changes' : 'adopted-in-config';
}

function isIgnoredInSource({ ignoreChanges }: Context, entry: ResourceChange, change: PathChange): boolean {
  return ignoreChanges !== undefined && isIgnored(ignoreChanges, configAddress(entry.address), change.path);
}

/**
 * Exit code 0, and still somebody changed something: Terraform has no opinion on the attribute, or was told to have
 * none. What decides who may reach or do what counts as drift unless the configuration says to ignore it.
 */
function changedUnmanaged(
  context: Context,
  entry: ResourceChange,
  planned: ResourceChange | undefined,
  changes: readonly PathChange[],
  kind: QuietReason,
): Draft[] {
  const cause: Cause = { kind, inferred: !changes.every((change) => isStated(context, entry, change, kind)) };
  const subject = { ...subjectOf(entry, planned), class: 'changed-outside-unmanaged', cause } as const;
  const matters = (change: PathChange) =>
    kind === 'unconfigured-attribute' && isSecurityRelevant(entry.type, formatPath(change.path));
  return [...Map.groupBy(changes, matters)].map(([drift, places]) =>
    drift
      ? { ...subject, standing: 'drift', changes: places }
      : { ...subject, standing: 'informational', changes: places, severity: 'info' },
  );
}

/** Whether the files or the document say so outright. */
function isStated(context: Context, entry: ResourceChange, change: PathChange, kind: QuietReason): boolean {
  if (kind === 'ignore-changes') return isIgnoredInSource(context, entry, change);
  return kind === 'unconfigured-attribute' && context.configuration.sets(entry.address, change.path) === 'no';
}
