import { describeClass, describeLocation, describePlan, describeVerdict } from '../domain/describe.ts';
import type { SourceLocation } from '../domain/errors.ts';
import { type Failure, FINDING_CLASSES } from '../domain/finding.ts';
import type { ResultSummary, RunRecord, TopFinding } from '../domain/run.ts';
import { escapeUnsafe } from '../domain/scrub.ts';
import { suspensionOf } from '../domain/suspension.ts';
import type { StoredStack } from '../ports/stack-store.ts';
import { describeSpec } from './format-spec.ts';
import { describeFindings, describeNext, outcomeOf } from './format-status.ts';
import { markOf, SEVERITY_INK } from './marks.ts';
import { createPaint, type Ink, type Paint } from './palette.ts';
import { atUtc, since } from './relative-time.ts';
import { lengthOf, padEnd, wrap } from './text-layout.ts';

export interface StackPageOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  readonly now: Date;
}

export interface StackPageInput {
  readonly stack: StoredStack;
  /** The last run that ended, where its record is still there. */
  readonly lastRun: RunRecord | undefined;
  /** Where fields of the spec come from, by their names in the catalogue, where that is known. */
  readonly origins: ReadonlyMap<string, string>;
}

interface Page extends Pick<StackPageOptions, 'width' | 'now'> {
  readonly paint: Paint;
}

/** Everything that is known of one stack: how it is, why, and what it is made of. */
export function formatStack(input: StackPageInput, { color, width, now }: StackPageOptions): string {
  const page: Page = { paint: createPaint({ color }), width, now };
  const { stack } = input;
  const sections = [
    header(page, stack),
    fields(page, stateFields(input, now)),
    topFindings(page, stack.state.lastSummary),
    specification(page, input),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function header({ paint, now }: Page, stack: StoredStack): readonly string[] {
  const id = paint('bold', escapeUnsafe(stack.spec.id));
  const outcome = outcomeOf(stack);
  if (outcome === undefined) return [`· ${id}  not checked yet`];
  const { symbol, ink } = markOf(outcome);
  const { since: from } = stack.state;
  const duration = from === null ? '' : paint('dim', `for ${since(from, now)}, since ${atUtc(from)} UTC`);
  return [`${paint(ink, symbol)} ${id}  ${paint(ink, describeVerdict(outcome))}  ${duration}`.trimEnd()];
}

type Field = readonly [label: string, text: string];

function stateFields({ stack, lastRun }: StackPageInput, now: Date): readonly Field[] {
  const { state } = stack;
  const { lastSummary, episode, failures } = state;
  const moment = (time: string | null) => (time === null ? 'never' : `${atUtc(time)} UTC (${since(time, now)} ago)`);
  const failure = failureOf(lastRun);
  const all: readonly Field[] = [
    ['reason', failure === undefined ? '' : describeFailure(failure)],
    ['findings', lastSummary === null ? '' : describeFindings(lastSummary)],
    ['plan', lastSummary === null ? '' : describePlan(lastSummary.counts)],
    ['episode', episode === null ? '' : describeEpisode(episode, now)],
    ['failures', failures === 0 ? '' : `${failures} in a row`],
    ['last check', `${moment(state.lastCheckAt)}${state.lastRunId === null ? '' : `, run ${state.lastRunId}`}`],
    ['last good check', `${moment(state.lastGoodCheckAt)}${state.overdueAnnounced ? ', overdue' : ''}`],
    ['commit', commitOf(lastSummary)],
    ['next check', describeNext(stack, now)],
    ['suspended', suspensionOf(stack) ?? ''],
  ];
  return all.filter(([, text]) => text !== '');
}

// Folders of the local mode that are in no repository have none, which Git writes as zeros.
function commitOf(summary: ResultSummary | null): string {
  return (summary?.commit ?? '').replace(/^0+$/, '');
}

function failureOf(run: RunRecord | undefined): Failure | undefined {
  if (run === undefined || run.outcome === null) return undefined;
  return (run.outcome.kind === 'lost' ? run.outcome.failure : run.outcome.summary.failure) ?? undefined;
}

interface Told extends Pick<Failure, 'code' | 'message'> {
  readonly location?: SourceLocation | undefined;
  readonly hint?: string | undefined;
}

/** `InitFailed: no such module (main.tf:3). Hint: …`. */
export function describeFailure({ code, message, location, hint }: Told): string {
  const place = location === undefined ? '' : ` (${describeLocation(location)})`;
  return `${code}: ${message}${place}${hint === undefined ? '' : `; hint: ${hint}`}`;
}

function describeEpisode(episode: NonNullable<StoredStack['state']['episode']>, now: Date): string {
  const { startedAt, consecutive, severity, flapping, announced, absorbed } = episode;
  return [
    `drift for ${since(startedAt, now)}, ${consecutive === 1 ? '1 check' : `${consecutive} checks in a row`}, ${severity}`,
    flapping ? 'flapping' : '',
    absorbed ? 'accepted into the state' : '',
    announced ? '' : 'not announced yet',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function fields({ paint, width }: Page, entries: readonly Field[]): readonly string[] {
  const label = Math.max(...entries.map(([name]) => lengthOf(name))) + 2;
  return entries.flatMap(([name, text]) =>
    wrap(escapeUnsafe(text), Math.max(width - label - 2, 24)).map(
      (line, at) => `  ${at === 0 ? paint('dim', padEnd(name, label)) : ' '.repeat(label)}${line}`,
    ),
  );
}

function topFindings({ paint }: Page, summary: ResultSummary | null): readonly string[] {
  if (summary === null || summary.topFindings.length === 0) return [];
  const { counts, topFindings: top } = summary;
  const more = counts.drift + counts.checks - top.length;
  return [
    paint('bold', 'Needs attention'),
    ...top.flatMap((finding) => findingLines(paint, finding)),
    ...(more > 0 ? [`  +${more} more: "holdfast run show RUN" has all of them`] : []),
  ];
}

function findingLines(paint: Paint, { severity, address, class: name, paths }: TopFinding): readonly string[] {
  const ink: Ink = SEVERITY_INK[severity];
  const known = FINDING_CLASSES.find((each) => each === name);
  const details = [known === undefined ? name : describeClass(known), ...paths].map(escapeUnsafe);
  return [
    `  ${paint(ink, severity.padEnd(10))}${paint('bold', escapeUnsafe(address))}`,
    `  ${' '.repeat(10)}${details.join(', ')}`,
  ];
}

function specification(page: Page, { stack, origins }: StackPageInput): readonly string[] {
  const entries = describeSpec(stack.spec).map(({ field, value }): Field => {
    const origin = originOf(origins, field);
    return [field, origin === undefined ? value : `${value}  [${origin}]`];
  });
  return [page.paint('bold', 'Specification'), ...fields(page, entries)];
}

/** Of a field, or of all that is under it: `vars` has one for each variable. */
function originOf(origins: ReadonlyMap<string, string>, field: string): string | undefined {
  const under = [...origins].filter(
    ([name]) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[`),
  );
  return under.length === 0 ? undefined : [...new Set(under.map(([, origin]) => origin))].join(', ');
}
