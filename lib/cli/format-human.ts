import {
  alerts,
  describeClass,
  describeConsequence,
  describeDuration,
  describeLocation,
  describeNoise,
  describeOutcome,
  describePlan,
  describeRule,
  describeTotals,
  describeVerdict,
  describeWhy,
  isQuiet,
  needsAttention,
} from '../domain/describe.ts';
import type { CheckResult, Failure, Finding, Noise, Standing, Suppressed } from '../domain/finding.ts';
import { type FindingGroup, groupFindings } from '../domain/group-findings.ts';
import { escapeUnsafe } from '../domain/scrub.ts';
import { markOf, SEVERITY_INK } from './marks.ts';
import { createPaint, type Ink, type Paint } from './palette.ts';
import { cut, firstOf, lengthOf, padEnd, wrap } from './text-layout.ts';

export interface HumanOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Names what is otherwise only counted: noise, and every member of a group. */
  readonly verbose?: boolean;
}

/** The report for a terminal: one line per stack, what was found under it, a summary where there are several. */
export function formatHuman(results: readonly CheckResult[], options: HumanOptions): string {
  if (results.length === 0) return 'no stacks\n';
  const page: Page = {
    paint: createPaint(options),
    width: Math.max(options.width, 40),
    verbose: options.verbose ?? false,
  };
  const columns = columnsFor(results);
  const sections = results.map((result) => [...header(page, columns, result), ...details(page, result)]);
  const summary = results.length > 1 ? [summaryOf(page, results)] : [];
  return `${spaceOut([...sections, ...summary]).join('\n')}\n`;
}

interface Page {
  readonly paint: Paint;
  readonly width: number;
  readonly verbose: boolean;
}

/** Stacks of one line stand together; a blank line sets off every longer one. */
function spaceOut(sections: readonly (readonly string[])[]): readonly string[] {
  return sections.flatMap((section, at) => {
    const previous = sections[at - 1];
    const apart = previous !== undefined && (section.length > 1 || previous.length > 1);
    return apart ? ['', ...section] : section;
  });
}

interface Columns {
  readonly stack: number;
  readonly verdict: number;
  readonly time: number;
}

function columnsFor(results: readonly CheckResult[]): Columns {
  const widest = (texts: readonly string[]) => Math.max(...texts.map(lengthOf));
  return {
    stack: Math.min(widest(results.map(({ stack }) => escapeUnsafe(stack))), 48),
    verdict: widest(results.map(describeVerdict)),
    time: widest(results.map(timeOf)),
  };
}

function timeOf({ durationMs }: CheckResult): string {
  return durationMs === null ? '' : describeDuration(durationMs);
}

function header({ paint, width }: Page, columns: Columns, result: CheckResult): readonly string[] {
  const { symbol, ink } = markOf(result);
  const stack = padEnd(escapeUnsafe(result.stack), columns.stack);
  const verdict = padEnd(describeVerdict(result), columns.verdict);
  const time = columns.time === 0 ? '' : `${timeOf(result).padStart(columns.time)}  `;
  const start = lengthOf(`${symbol} ${stack}  ${verdict}  ${time}`);
  const [first = '', ...others] = inColumn(tally(result), Math.max(width - start, 24));
  return [
    `${paint(ink, symbol)} ${paint('bold', stack)}  ${paint(ink, verdict)}  ${paint('dim', time)}${first}`,
    ...others.map((line) => ' '.repeat(start) + line),
  ];
}

/** One line where everything fits, else one statement a line. */
function inColumn(statements: readonly string[], width: number): readonly string[] {
  const line = statements.join(' · ');
  return lengthOf(line) <= width ? [line] : statements.flatMap((statement) => wrap(statement, width));
}

function tally(result: CheckResult): readonly string[] {
  const plan = describePlan(result.counts);
  return [
    describeOutcome(result),
    plan === '' ? '' : `plan: ${plan}`,
    result.mode === 'refresh-only' ? 'refresh-only' : '',
  ].filter((part) => part !== '');
}

function details(page: Page, result: CheckResult): readonly string[] {
  const { failure, suppressed, noise, warnings } = result;
  return apart([
    failure === null ? [] : failureRows(page, failure, markOf(result).ink),
    ...standingBlocks(page, groupFindings(result.findings)),
    [
      ...ignoredRows(page, suppressed),
      ...(isQuiet(result) && !page.verbose ? [] : noiseRows(page, noise)),
      ...warnings.flatMap(({ message }) => row(page, 'warning', 'yellow', paragraph(page, message))),
    ],
  ]);
}

function apart(blocks: readonly (readonly string[])[]): readonly string[] {
  const filled = blocks.filter((block) => block.length > 0);
  return filled.flatMap((block, at) => (at === 0 ? block : ['', ...block]));
}

const MARGIN = 2;
const LABEL = 'critical'.length + 2;

function textWidth({ width }: Page): number {
  return width - MARGIN - LABEL;
}

/** A label in the margin and the lines that belong to it. */
function row({ paint }: Page, label: string, ink: Ink, lines: readonly string[]): readonly string[] {
  const indent = ' '.repeat(MARGIN);
  return lines.map((line, at) => indent + (at === 0 ? paint(ink, label.padEnd(LABEL)) : ' '.repeat(LABEL)) + line);
}

function paragraph(page: Page, text: string): readonly string[] {
  return wrap(escapeUnsafe(text), textWidth(page));
}

function failureRows(page: Page, { message, location, hint }: Failure, ink: Ink): readonly string[] {
  return row(page, 'reason', ink, [
    ...paragraph(page, message),
    ...(location === undefined ? [] : [`at ${escapeUnsafe(describeLocation(location))}`]),
    ...(hint === undefined ? [] : paragraph(page, `hint: ${hint}`)),
  ]);
}

interface Part {
  readonly title: string;
  readonly standings: readonly Standing[];
}

const PARTS: readonly Part[] = [
  { title: 'Needs attention', standings: ['drift', 'check'] },
  { title: 'Pending', standings: ['pending'] },
  { title: 'For information', standings: ['informational'] },
];

/** What alerts, what waits for a deployment, and the rest: with titles where there is more than one of them. */
function standingBlocks(page: Page, groups: readonly FindingGroup[]): readonly (readonly string[])[] {
  const blocks = PARTS.flatMap(({ title, standings }) => {
    const entries = groups.filter(({ finding }) => standings.includes(finding.standing));
    return entries.length === 0 ? [] : [{ title, lines: entries.flatMap((group) => entry(page, group)) }];
  });
  if (blocks.length < 2) return blocks.map(({ lines }) => lines);
  return blocks.map(({ title, lines }) => [' '.repeat(MARGIN) + page.paint('bold', title), ...lines]);
}

function entry(page: Page, group: FindingGroup): readonly string[] {
  const { finding } = group;
  const why = describeWhy(finding);
  const what = [describeClass(finding.class), describeConsequence(finding)].filter((part) => part !== undefined);
  return row(page, finding.severity, alerts(finding) ? SEVERITY_INK[finding.severity] : 'dim', [
    ...addressLines(page, group),
    ...paragraph(page, what.join('; ')),
    ...pathLines(page, finding),
    ...(why === undefined ? [] : paragraph(page, why).map((line) => page.paint('dim', line))),
  ]);
}

const MOST_ADDRESSES = 3;

function addressLines({ paint, verbose }: Page, { members }: FindingGroup): readonly string[] {
  const named = members.length > MOST_ADDRESSES && !verbose ? members.slice(0, MOST_ADDRESSES) : members;
  const lines = named.map((member) => paint('bold', addressOf(member)));
  return named.length === members.length ? lines : [...lines, `and ${members.length - named.length} more`];
}

function addressOf({ address, deposed }: Finding): string {
  return escapeUnsafe(deposed === undefined ? address : `${address} (deposed object ${deposed})`);
}

const MOST_PATHS = 8;
const LONGEST_VALUE = 60;

function pathLines(page: Page, { paths, values = {} }: Finding): readonly string[] {
  const valued = paths.flatMap((path) => {
    const value = values[path];
    return value === undefined ? [] : [`${path}: ${shorten(value.before)} → ${shorten(value.after)}`];
  });
  const bare = paths.filter((path) => values[path] === undefined);
  return [
    ...firstOf(valued, MOST_PATHS).map(escapeUnsafe),
    ...(bare.length === 0 ? [] : paragraph(page, firstOf(bare, MOST_PATHS).join(', '))),
  ];
}

function shorten(value: string): string {
  return cut(value, LONGEST_VALUE);
}

function ignoredRows(page: Page, suppressed: readonly Suppressed[]): readonly string[] {
  const byRule = Map.groupBy(suppressed, ({ rule }) => describeRule(rule));
  return [...byRule].flatMap(([rule, members]) => {
    const what = members.map(({ address, paths }) =>
      paths.length === 0 ? address : `${address}: ${paths.join(', ')}`,
    );
    const shown = page.verbose ? what : firstOf(what, MOST_ADDRESSES);
    return row(page, 'ignored', 'dim', [...shown.map(escapeUnsafe), ...paragraph(page, rule)]);
  });
}

function noiseRows(page: Page, noise: readonly Noise[]): readonly string[] {
  if (noise.length === 0) return [];
  const byReason = Map.groupBy(noise, ({ reason }) => reason);
  const reasons = [...byReason].map(([reason, members]) => `${members.length} × ${describeNoise(reason)}`);
  const named = page.verbose ? noise.map(({ address, paths }) => escapeUnsafe(`${address}: ${paths.join(', ')}`)) : [];
  const count = noise.length === 1 ? '1 difference without meaning' : `${noise.length} differences without meaning`;
  return row(page, 'noise', 'dim', [...paragraph(page, `${count}: ${reasons.join(', ')}`), ...named]);
}

const MOST_NAMED = 10;

function summaryOf({ paint, width }: Page, results: readonly CheckResult[]): readonly string[] {
  const attention = results.filter(needsAttention).map(({ stack }) => escapeUnsafe(stack));
  return [
    ...wrap(`${results.length} stacks: ${describeTotals(results)}`, width).map((line) => paint('bold', line)),
    ...(attention.length === 0 ? [] : wrap(`Needs attention: ${firstOf(attention, MOST_NAMED).join(', ')}`, width)),
  ];
}
