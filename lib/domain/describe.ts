import type { SourceLocation } from './errors.ts';
import {
  type Cause,
  type CauseKind,
  type CheckResult,
  type Counts,
  type Finding,
  type FindingClass,
  type InputKind,
  type NoiseReason,
  type Suppressed,
  VERDICTS,
  type Verdict,
} from './finding.ts';

const CLASSES: Readonly<Record<FindingClass, string>> = {
  'deleted-outside': 'deleted outside Terraform',
  'changed-outside': 'changed outside Terraform',
  'changed-outside-unmanaged': 'changed outside Terraform, and the plan leaves it alone',
  absorbed: 'outside change accepted into the state',
  'check-failing': 'check fails',
  forgotten: 'leaves the care of Terraform, the object stays',
  action: 'action would be invoked',
  'pending-config': 'configured, not applied yet',
  'data-driven': 'fed by data that moved',
  'outputs-only': 'output would change',
  moved: 'gets a new address',
  imported: 'would be imported',
  read: 'would be read during apply',
};

/** What happened, in words that stand alone. */
export function describeClass(findingClass: FindingClass): string {
  return CLASSES[findingClass];
}

// These classes are about something else than one resource's fate, or name that fate already.
const SELF_EVIDENT: ReadonlySet<FindingClass> = new Set([
  'check-failing',
  'forgotten',
  'action',
  'outputs-only',
  'read',
]);

/** What an apply of the plan would do with the resource; undefined where the class says it already. */
export function describeConsequence({
  class: findingClass,
  actions,
}: Pick<Finding, 'class' | 'actions'>): string | undefined {
  if (actions.length === 0 || SELF_EVIDENT.has(findingClass)) return undefined;
  const planned = actions.join(', ');
  if (planned === 'no-op') return leavesAlone(findingClass);
  if (planned === 'create' && findingClass === 'deleted-outside') return 'Terraform would create it again';
  if (planned === 'update' && putsBack(findingClass)) return 'Terraform would put it back';
  const verb = VERBS.get(planned);
  return verb === undefined
    ? `Terraform would do "${planned}", which Holdfast does not know: review it`
    : `Terraform would ${verb}`;
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['create', 'create it'],
  ['update', 'change it'],
  ['delete', 'destroy it'],
  ['delete, create', 'replace it (destroy, then create)'],
  ['create, delete', 'replace it (create, then destroy)'],
  ['forget', 'forget it, the object stays'],
  ['create, forget', 'create a new one and forget this one'],
  ['forget, create', 'forget this one and create a new one'],
  ['read', 'read it during apply'],
]);

function leavesAlone(findingClass: FindingClass): string | undefined {
  const said = findingClass === 'changed-outside-unmanaged' || findingClass === 'moved' || findingClass === 'imported';
  return said ? undefined : 'the plan leaves it alone';
}

function putsBack(findingClass: FindingClass): boolean {
  return findingClass === 'changed-outside' || findingClass === 'absorbed';
}

/** Why it happened, as one sentence without a full stop. Deduced causes end with "(inferred)". */
export function describeCause(cause: Cause): string {
  const sentence = CAUSES[cause.kind](cause);
  return cause.inferred ? `${sentence} (inferred)` : sentence;
}

const CAUSES: Readonly<Record<CauseKind, (cause: Cause) => string>> = {
  'outside-change': () => 'something other than Terraform changed it',
  'unconfigured-attribute': () => 'the configuration does not set what changed',
  'ignore-changes': () => 'ignore_changes covers what changed',
  'adopted-in-config': () => 'the configuration already has the outside change',
  'accepted-into-state': () =>
    'the state took over an outside change: no input changed since the last check without pending changes',
  'config-changed': ({ changed }) => `${inputsOf(changed)} changed since the last check without pending changes`,
  'no-baseline': () => 'no earlier check to compare with, so taken as not applied yet',
  'data-source': (cause) => `takes a value from ${sourcesOf(cause, 'a data source')}`,
  'follows-drift': (cause) => `follows from ${sourcesOf(cause, 'another drifted resource')}`,
  tainted: () => 'marked as tainted in the state',
  'replace-requested': () => 'its replacement was asked for',
  'replace-triggered': (cause) => `replace_triggered_by names ${sourcesOf(cause, 'something that changes')}`,
  'deposed-object': () => 'left over from a replacement that did not finish',
  deferred: () => 'Terraform puts the change off to a later plan',
  'unknown-action': () => 'Terraform plans an action that Holdfast does not know',
  'state-form': () => 'only marks such as "sensitive" differ',
  'output-changed': () => 'the value of the output differs from the state',
  'moved-in-config': (cause) => `moved from ${sourcesOf(cause, 'another address')}`,
  'import-block': () => 'an import block asks for it',
  'removed-block': () => 'a removed block lets go of it',
  'read-during-apply': () => 'what it reads by is known only during apply',
  'action-invocation': () => 'the configuration triggers it',
  'check-failed': () => 'a condition does not hold',
};

const INPUTS: Readonly<Record<InputKind, string>> = {
  config: 'the configuration',
  inputs: 'input values',
  providers: 'providers',
};

function inputsOf(changed: readonly InputKind[] = []): string {
  return changed.length === 0 ? 'something' : joinWords(changed.map((kind) => INPUTS[kind]));
}

const MOST_SOURCES = 3;

function sourcesOf({ from = [] }: Cause, fallback: string): string {
  if (from.length === 0) return fallback;
  const more = from.length - MOST_SOURCES;
  return joinWords(more > 0 ? [...from.slice(0, MOST_SOURCES), `${more} more`] : from);
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

// The class has said as much as these causes can.
const OBVIOUS_CAUSES: ReadonlySet<CauseKind> = new Set([
  'outside-change',
  'output-changed',
  'import-block',
  'removed-block',
  'action-invocation',
  'check-failed',
  'unknown-action',
]);

/** {@link describeCause}, or undefined where it would only repeat what the class says. */
export function describeWhy({ cause }: Pick<Finding, 'cause'>): string | undefined {
  return OBVIOUS_CAUSES.has(cause.kind) && !cause.inferred ? undefined : describeCause(cause);
}

const NOISE: Readonly<Record<NoiseReason, string>> = {
  'empty-flip': 'empty value in another form',
  'same-json': 'same JSON in another form',
  'same-policy': 'same policy in another form',
  'unknown-only': 'unknown until apply',
  'moved-by-service': 'moved by the service itself',
  'mirrors-resource': 'shown by another resource of the stack',
};

export function describeNoise(reason: NoiseReason): string {
  return NOISE[reason];
}

const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  'in-sync': 'in sync',
  drifted: 'drifted',
  pending: 'pending',
  'drifted-and-pending': 'drifted and pending',
  'checks-failing': 'failing checks',
  failed: 'failed',
  busy: 'busy',
};

type Outcome = Pick<CheckResult, 'verdict' | 'complete'>;

/** The verdict in words. A plan of a part of the stack is never "in sync". */
export function describeVerdict({ verdict, complete }: Outcome): string {
  return verdict === 'in-sync' && !complete ? 'incomplete' : VERDICT_WORDS[verdict];
}

/** How many stacks came out how, from the best to the worst: `5 in sync, 2 drifted, 1 failed`. */
export function describeTotals(results: readonly Outcome[]): string {
  const order = ({ verdict, complete }: Outcome) => VERDICTS.indexOf(verdict) + (complete ? 0 : 0.5);
  const sorted = results.toSorted((left, right) => order(left) - order(right));
  return [...Map.groupBy(sorted, describeVerdict)].map(([words, alike]) => `${alike.length} ${words}`).join(', ');
}

/** Whether somebody has to look: anything but a complete plan of a stack that is in sync or waits for a deployment. */
export function needsAttention({ verdict, complete }: Outcome): boolean {
  return !complete || (verdict !== 'in-sync' && verdict !== 'pending');
}

/** Whether a finding is somebody's alert, as opposed to pending or for information. */
export function alerts({ standing }: Pick<Finding, 'standing'>): boolean {
  return standing === 'drift' || standing === 'check';
}

/** Findings by standing, such as `2 drifted, 1 pending`, or that there are none, and the noise nothing else tells of. */
export function describeOutcome(result: CheckResult): string {
  const { verdict, counts, complete } = result;
  if (verdict === 'failed' || verdict === 'busy') return 'no verdict';
  const parts = [
    verdict === 'in-sync' ? 'no drift detected' : '',
    amount(counts.drift, 'drifted'),
    amount(counts.checks, counts.checks === 1 ? 'failing check' : 'failing checks'),
    amount(counts.pending, 'pending'),
    amount(counts.informational, 'for information'),
    isQuiet(result) ? amount(counts.noise, 'noise') : '',
    complete ? '' : 'only a part of the stack was planned',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Whether there is nothing to tell about a stack except that some differences were noise. */
export function isQuiet({ failure, complete, findings, suppressed, warnings }: CheckResult): boolean {
  return failure === null && complete && findings.length + suppressed.length + warnings.length === 0;
}

/** Terraform's summary, such as `1 to add, 2 to change, 0 to destroy`; empty where the plan would do nothing. */
export function describePlan(counts: Counts): string {
  const resources = counts.add + counts.change + counts.remove;
  const parts = [
    amount(counts.import, 'to import'),
    resources === 0 ? '' : `${counts.add} to add, ${counts.change} to change, ${counts.remove} to destroy`,
    amount(counts.forget, 'to forget'),
    amount(counts.move, 'to move'),
    amount(counts.outputs, counts.outputs === 1 ? 'output to change' : 'outputs to change'),
    amount(counts.actions, counts.actions === 1 ? 'action to invoke' : 'actions to invoke'),
    amount(counts.deferred, 'put off'),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

function amount(count: number, words: string): string {
  return count === 0 ? '' : `${count} ${words}`;
}

/** Why an ignore rule took a finding out, who answers for that, and until when. */
export function describeRule({ reason, owner, expires }: Suppressed['rule']): string {
  return `${reason} (${owner}, until ${expires})`;
}

/** `main.tf:23:18`, with as much as is known. */
export function describeLocation({ file, line, column }: SourceLocation): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}

/** `0.4s`, `12.4s`, `3m05s`. */
export function describeDuration(ms: number): string {
  const tenths = Math.round(ms / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
}
