import { configAddress } from './address.ts';
import type { Feeds } from './configuration.ts';
import type { PathChange } from './diff.ts';
import type { Context, Draft } from './draft.ts';
import type { CauseKind, Severity } from './finding.ts';
import type { Path } from './path.ts';
import type { ResourceChange } from './plan-document.ts';

type Origin = Pick<Draft, 'class' | 'standing' | 'cause' | 'severity'>;

const STATED_REASONS: Readonly<Record<string, CauseKind>> = {
  replace_because_tainted: 'tainted',
  replace_by_request: 'replace-requested',
  replace_by_triggers: 'replace-triggered',
};

const REVIEWED_ACTIONS = new Set(['create', 'update', 'delete']);

/** Where a planned change without a drift entry comes from (DESIGN §4): what Terraform states first, then inference. */
export function classifyOrigin(context: Context, change: ResourceChange, changes: readonly PathChange[]): Origin {
  return (
    statedOrigin(change, changes) ??
    followsDrift(context, change, changes) ??
    (context.baseline.kind === 'same' ? unexplained(context, change, changes) : configChanged(context, change))
  );
}

function statedOrigin(change: ResourceChange, changes: readonly PathChange[]): Origin | undefined {
  if (change.actions.length === 0 || change.actions.some((action) => !REVIEWED_ACTIONS.has(action))) {
    return pendingConfig('unknown-action', false, 'high');
  }
  if (change.deposed !== undefined) return pendingConfig('deposed-object', false, 'info');
  const kind = STATED_REASONS[change.actionReason ?? ''];
  if (kind !== undefined) return pendingConfig(kind, false, 'medium');
  // Only marks such as "sensitive" differ: the provider would write the same values again.
  const visible = changes.length > 0 || change.actions.length > 1 || change.actions[0] !== 'update';
  return visible ? undefined : pendingConfig('state-form', false, 'info');
}

function pendingConfig(kind: CauseKind, inferred: boolean, severity: Severity): Origin {
  return { class: 'pending-config', standing: 'pending', cause: { kind, inferred }, severity };
}

/** A change that is only the echo of drift elsewhere: everything that moves is made from a drifted resource. */
function followsDrift(context: Context, change: ResourceChange, changes: readonly PathChange[]): Origin | undefined {
  const from = feedersIn(context, change, changes, context.drifted);
  if (from.length === 0) return undefined;
  return {
    class: 'data-driven',
    standing: 'informational',
    cause: { kind: 'follows-drift', inferred: true, from },
    severity: 'info',
  };
}

/** Nothing in configuration, inputs or providers changed since nothing was pending, and yet the plan would act. */
function unexplained(context: Context, change: ResourceChange, changes: readonly PathChange[]): Origin {
  const data = feedersIn(context, change, changes, 'data-sources');
  if (data.length > 0) {
    return {
      class: 'data-driven',
      standing: 'pending',
      cause: { kind: 'data-source', inferred: true, from: data },
      severity: 'info',
    };
  }
  if (context.basis === 'document' && mayHaveChangedUnseen(context, change, changes)) {
    return pendingConfig('config-changed', true, severityOfPending(change));
  }
  return { class: 'absorbed', standing: 'drift', cause: { kind: 'accepted-into-state', inferred: true } };
}

/** A document holds neither the values of locals nor `dynamic` blocks, and its digest leaves sensitive variables out. */
function mayHaveChangedUnseen(context: Context, change: ResourceChange, changes: readonly PathChange[]): boolean {
  const isSeen = ({ path, sensitive }: PathChange) =>
    !sensitive && context.configuration.sets(change.address, path) === 'yes';
  return !changes.every(isSeen) || feedsOf(context, change, changes).some(({ opaque }) => opaque);
}

function configChanged(context: Context, change: ResourceChange): Origin {
  const origin = pendingConfig(
    context.baseline.kind === 'differs' ? 'config-changed' : 'no-baseline',
    true,
    severityOfPending(change),
  );
  if (context.baseline.kind !== 'differs') return origin;
  return { ...origin, cause: { ...origin.cause, changed: context.baseline.changed } };
}

function severityOfPending({ actions }: ResourceChange): Severity {
  return actions.includes('delete') ? 'medium' : 'info';
}

/**
 * The addresses in `wanted` that feed every changed place; empty where one place is fed by none of them. Behind a local
 * Terraform's own list of relevant attributes stands in: a hint, good enough for an inferred cause.
 */
function feedersIn(
  context: Context,
  change: ResourceChange,
  changes: readonly PathChange[],
  wanted: ReadonlySet<string> | 'data-sources',
): string[] {
  const isWanted = (address: string) => (wanted === 'data-sources' ? isDataSource(address) : wanted.has(address));
  const own = configAddress(change.address);
  const found = new Set<string>();
  for (const { addresses, opaque } of feedsOf(context, change, changes)) {
    const candidates = opaque ? [...addresses, ...context.relevant] : [...addresses];
    const feeders = candidates.filter((address) => isWanted(address) && address !== own);
    if (feeders.length === 0) return [];
    for (const feeder of feeders) found.add(feeder);
  }
  return [...found].sort();
}

function feedsOf(context: Context, change: ResourceChange, changes: readonly PathChange[]): Feeds[] {
  const places: readonly Path[] = changes.length > 0 ? changes.map(({ path }) => path) : change.replacePaths;
  if (places.length === 0) return [context.configuration.feedsExistence(change.address)];
  return places.map((path) => context.configuration.feeds(change.address, path));
}

function isDataSource(address: string): boolean {
  return /(^|\.)data\.[^.]+\.[^.]+$/.test(address);
}
