import { configAddress } from './address.ts';
import { classifyDrift, isDrift } from './classify-drift.ts';
import { classifyPlanned, isMoved, moved } from './classify-planned.ts';
import { indexConfiguration } from './configuration.ts';
import { createDifferences, type Differences } from './differences.ts';
import type { ClassifyInput, Context, Draft, Reading } from './draft.ts';
import type { ResourceChange } from './plan-document.ts';
import { indexSplits } from './split-resources.ts';

/**
 * Says of everything in a plan document what it is, what it counts as and why (DESIGN §4). The order of entries in the
 * document makes no difference to what is found.
 */
export function classify(input: ClassifyInput): Reading {
  const { document } = input;
  const planned = byKey(document.changes);
  const differences = createDifferences();
  const drift = byKey(document.drift.filter((entry) => isRealDrift(differences, entry)));
  const context = createContext(input, differences, [...drift.values()]);
  const readings = [
    ...document.drift.map((entry) => classifyDrift(context, entry, planned.get(keyOf(entry)))),
    ...document.changes.map((change) => classifyPlanned(context, change, drift.get(keyOf(change)))),
  ];
  const resources = pendFollowersOfNoDrift(readings.flatMap(({ drafts }) => drafts));
  const drafts = [...resources, ...classifyOthers(context, resources, planned)];
  return { drafts, noise: readings.flatMap(({ noise }) => noise) };
}

/** What follows from drift that counts as none is pending: nothing else says that an apply would change something. */
function pendFollowersOfNoDrift(drafts: readonly Draft[]): Draft[] {
  const drifted = new Set(
    drafts.filter(({ standing }) => standing === 'drift').map(({ address }) => configAddress(address)),
  );
  return drafts.map((draft) => {
    const { kind, from } = draft.cause;
    if (kind !== 'follows-drift' || from === undefined || from.some((address) => drifted.has(address))) return draft;
    return { ...draft, standing: 'pending' };
  });
}

/** One object: an address may also have deposed objects, each with a key of its own. */
function keyOf({ address, deposed }: ResourceChange): string {
  return deposed === undefined ? address : `${address} deposed ${deposed}`;
}

function byKey(changes: readonly ResourceChange[]): ReadonlyMap<string, ResourceChange> {
  return new Map(changes.map((change) => [keyOf(change), change]));
}

function isRealDrift(differences: Differences, entry: ResourceChange): boolean {
  if (!isDrift(entry)) return false;
  return entry.actions.includes('delete') || differences.of('drift', entry).changes.length > 0;
}

function createContext(input: ClassifyInput, differences: Differences, drift: readonly ResourceChange[]): Context {
  const drifted = new Set(drift.map(({ address }) => configAddress(address)));
  const relevant = input.document.relevantAttributes.map(({ resource }) => configAddress(resource));
  return {
    ...input,
    differences,
    configuration: indexConfiguration(input.document.raw),
    splits: indexSplits(input.document.changes, input.document.drift),
    drifted,
    relevant: new Set(relevant),
  };
}

function classifyOthers(
  context: Context,
  resources: readonly Draft[],
  planned: ReadonlyMap<string, ResourceChange>,
): Draft[] {
  const { document } = context;
  return [
    ...document.drift.filter((entry) => isMoved(entry) && !planned.has(keyOf(entry))).map(movedWithoutPlan),
    ...classifyOutputs(context, resources),
    ...document.actionInvocations.map(actionInvoked),
    ...document.checks.filter(({ status }) => status === 'fail' || status === 'error').map(checkFailing),
    ...document.deferred.map(deferred),
  ];
}

// A refresh-only plan has no planned changes: there a move shows beside the drift only.
function movedWithoutPlan(entry: ResourceChange): Draft {
  return { ...moved(entry, entry.previousAddress as string), actions: ['no-op'] };
}

/** Outputs that change by themselves; one that is made from a changed resource only echoes it. */
function classifyOutputs(context: Context, resources: readonly Draft[]): Draft[] {
  const changed = new Set(resources.map(({ address }) => configAddress(address)));
  return context.document.outputs
    .filter(({ actions }) => actions.some((action) => action !== 'no-op'))
    .filter(({ name }) => !echoes(context, name, changed))
    .map(({ name, actions }) => outputChanged(name, actions));
}

function echoes(context: Context, output: string, changed: ReadonlySet<string>): boolean {
  if (changed.size === 0) return false;
  const { addresses, opaque } = context.configuration.feedsOutput(output);
  return opaque || [...addresses].some((address) => changed.has(address));
}

function outputChanged(name: string, actions: readonly string[]): Draft {
  return {
    address: `output.${name}`,
    type: 'output',
    class: 'outputs-only',
    standing: 'pending',
    actions,
    changes: [],
    cause: { kind: 'output-changed', inferred: false },
    severity: 'info',
  };
}

function actionInvoked(address: string): Draft {
  return {
    address,
    type: 'action',
    class: 'action',
    standing: 'pending',
    actions: ['invoke'],
    changes: [],
    cause: { kind: 'action-invocation', inferred: false },
    severity: 'medium',
  };
}

function checkFailing({ address }: { readonly address: string }): Draft {
  return {
    address,
    type: 'check',
    class: 'check-failing',
    standing: 'check',
    actions: [],
    changes: [],
    cause: { kind: 'check-failed', inferred: false },
    severity: 'medium',
  };
}

function deferred(change: ResourceChange): Draft {
  return {
    address: change.address,
    type: change.type,
    class: 'pending-config',
    standing: 'pending',
    actions: change.actions,
    changes: [],
    cause: { kind: 'deferred', inferred: false },
    severity: 'info',
  };
}
