import { describeTotals, describeVerdict, needsAttention } from '../domain/describe.ts';
import type { ResultSummary } from '../domain/run.ts';
import { escapeUnsafe } from '../domain/scrub.ts';
import { suspensionOf } from '../domain/suspension.ts';
import type { StoredStack } from '../ports/stack-store.ts';
import { type Cell, type Column, formatTable } from './format-table.ts';
import { markOf, SEVERITY_INK } from './marks.ts';
import { createPaint } from './palette.ts';
import { briefly, since } from './relative-time.ts';
import { firstOf, wrap } from './text-layout.ts';

export interface StatusOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  readonly now: Date;
}

const COLUMNS: readonly Column[] = [
  { title: '' },
  { title: 'STACK', least: 16 },
  { title: 'VERDICT' },
  { title: 'SINCE' },
  { title: 'FINDINGS', least: 12 },
  { title: 'LAST GOOD CHECK' },
  { title: 'NEXT', least: 10 },
  { title: 'OWNER', least: 6 },
];

const MOST_NAMED = 10;

/** A line per stack: how it is, since when, and what happens next. Under it, how all of them are. */
export function formatStatus(stacks: readonly StoredStack[], { color, width, now }: StatusOptions): readonly string[] {
  if (stacks.length === 0) return ['no stacks: the catalogue has none, or was not read yet'];
  const paint = createPaint({ color });
  const rows = stacks.map((stack) => rowOf(stack, now));
  const summary = wrap(totals(stacks), width).map((line) => paint('bold', line));
  const attention = stacks.filter(wantsAttention).map(({ spec }) => escapeUnsafe(spec.id));
  const named = attention.length === 0 ? '' : `Needs attention: ${firstOf(attention, MOST_NAMED).join(', ')}`;
  return [...formatTable(COLUMNS, rows, { paint, width }), '', ...summary, ...(named === '' ? [] : wrap(named, width))];
}

function rowOf(stack: StoredStack, now: Date): readonly Cell[] {
  const { spec, state } = stack;
  return [
    ...verdictCells(stack),
    { text: state.since === null ? '' : since(state.since, now) },
    findings(stack),
    lastGood(stack, now),
    { text: describeNext(stack, now), ...(suspensionOf(stack) !== null && { ink: 'yellow' as const }) },
    { text: spec.owner ?? '', ink: 'dim' },
  ];
}

function verdictCells(stack: StoredStack): readonly Cell[] {
  const outcome = outcomeOf(stack);
  const id: Cell = { text: stack.spec.id, ink: 'bold' };
  if (outcome === undefined) return [{ text: '·' }, id, { text: 'not checked yet' }];
  const { symbol, ink } = markOf(outcome);
  return [{ text: symbol, ink }, id, { text: describeVerdict(outcome), ink }];
}

/** The last verdict there is; a failure keeps no findings, so it is as complete as it can be. */
export function outcomeOf({ state }: StoredStack): Pick<ResultSummary, 'verdict' | 'complete'> | undefined {
  const { verdict, lastSummary } = state;
  return verdict === null ? undefined : { verdict, complete: lastSummary?.complete ?? true };
}

function findings({ state }: StoredStack): Cell {
  const { verdict, failures, lastSummary } = state;
  if (verdict === 'failed') {
    const code = lastSummary?.failure?.code ?? '';
    return { text: [code, failures > 1 ? `${failures} times in a row` : ''].filter(Boolean).join(', '), ink: 'red' };
  }
  if (lastSummary === null) return { text: '' };
  const severity = lastSummary.severity;
  const text = describeFindings(lastSummary);
  return severity === null ? { text } : { text: `${severity}: ${text}`, ink: SEVERITY_INK[severity] };
}

/** Findings by standing, such as `2 drifted, 1 pending`; empty where there are none. */
export function describeFindings({ counts }: Pick<ResultSummary, 'counts'>): string {
  const parts = [
    [counts.drift, 'drifted'],
    [counts.checks, counts.checks === 1 ? 'failing check' : 'failing checks'],
    [counts.pending, 'pending'],
    [counts.informational, 'for information'],
  ] as const;
  return parts.flatMap(([count, words]) => (count === 0 ? [] : `${count} ${words}`)).join(', ');
}

function lastGood({ state }: StoredStack, now: Date): Cell {
  const { lastGoodCheckAt, overdueAnnounced } = state;
  const text = lastGoodCheckAt === null ? 'never' : `${since(lastGoodCheckAt, now)} ago`;
  return overdueAnnounced ? { text: `${text}, overdue`, ink: 'red' } : { text };
}

/** What happens to a stack next: `running 12s`, `in 40s`, `retry in 8s`, `suspended`. */
export function describeNext(stack: StoredStack, now: Date): string {
  const { inFlight, nextDueAt, dueBecause } = stack.state;
  if (inFlight !== null) {
    return `${inFlight.taskArn === null ? 'queued' : 'running'} ${since(inFlight.startedAt, now)}`;
  }
  if (nextDueAt === null) return suspensionOf(stack) === null ? 'never' : 'suspended';
  if (dueBecause === 'manual') return 'asked for';
  const left = Date.parse(nextDueAt) - now.getTime();
  return `${dueBecause === 'retry' ? 'retry ' : ''}${left <= 0 ? 'due' : `in ${briefly(left)}`}`;
}

/** Stacks that somebody has suspended are somebody's business already. */
function wantsAttention(stack: StoredStack): boolean {
  if (suspensionOf(stack) !== null) return false;
  const outcome = outcomeOf(stack);
  return stack.state.overdueAnnounced || (outcome !== undefined && needsAttention(outcome));
}

function totals(stacks: readonly StoredStack[]): string {
  const outcomes = stacks.flatMap((stack) => outcomeOf(stack) ?? []);
  const others = [
    [stacks.length - outcomes.length, 'not checked yet'],
    [stacks.filter(({ state }) => state.inFlight !== null).length, 'being checked'],
    [stacks.filter((stack) => suspensionOf(stack) !== null).length, 'suspended'],
    [stacks.filter(({ state }) => state.overdueAnnounced).length, 'overdue'],
  ] as const;
  const verdicts = outcomes.length === 0 ? [] : [describeTotals(outcomes)];
  const parts = [...verdicts, ...others.flatMap(([count, words]) => (count === 0 ? [] : `${count} ${words}`))];
  return `${stacks.length === 1 ? '1 stack' : `${stacks.length} stacks`}: ${parts.join(', ')}`;
}

/** For programs: one entry per stack. What is not known is `null`. */
export function formatStatusJson(stacks: readonly StoredStack[]): string {
  return `${JSON.stringify(stacks.map(toEntry), null, 2)}\n`;
}

function toEntry(stack: StoredStack) {
  const { spec, state } = stack;
  const { verdict, lastSummary, inFlight, episode } = state;
  return {
    id: spec.id,
    verdict,
    complete: lastSummary?.complete ?? null,
    since: state.since,
    severity: lastSummary?.severity ?? null,
    counts: lastSummary?.counts ?? null,
    failures: state.failures,
    failure: verdict === 'failed' || verdict === 'busy' ? (lastSummary?.failure ?? null) : null,
    lastCheckAt: state.lastCheckAt,
    lastGoodCheckAt: state.lastGoodCheckAt,
    overdue: state.overdueAnnounced,
    nextDueAt: state.nextDueAt,
    inFlight: inFlight && { runId: inFlight.runId, trigger: inFlight.trigger, startedAt: inFlight.startedAt },
    suspended: suspensionOf(stack),
    episode: episode && { id: episode.id, startedAt: episode.startedAt, consecutive: episode.consecutive },
    lastRunId: state.lastRunId,
    owner: spec.owner,
    labels: spec.labels,
  };
}
