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
import type { CheckResult, Failure, Finding, Suppressed } from '../domain/finding.ts';
import { type FindingGroup, groupFindings } from '../domain/group-findings.ts';
import { type Block, fitBlocks } from './markdown-budget.ts';
import { code, prose } from './markdown-text.ts';
import { firstOf } from './text-layout.ts';

export interface MarkdownOptions {
  /** Most characters of the whole text. @default 60_000: GitHub takes 65,536 in a comment */
  readonly limit?: number;
}

/** The report for a pull request comment or a job summary (GitHub flavour). Stacks that need attention come first. */
export function formatMarkdown(results: readonly CheckResult[], { limit = 60_000 }: MarkdownOptions = {}): string {
  if (results.length === 0) return '### Drift report: no stacks\n';
  const ordered = results.toSorted((left, right) => Number(needsAttention(right)) - Number(needsAttention(left)));
  return fitBlocks([overview(ordered), ...ordered.flatMap(stackBlocks)], limit);
}

function overview(results: readonly CheckResult[]): Block {
  return {
    head: [
      `### Drift report: ${describeTotals(results)}`,
      '',
      '| | Stack | Verdict | Findings | Plan | Time |',
      '| --- | --- | --- | --- | --- | --- |',
    ],
    rows: results.map((result) => ({ text: overviewRow(result), count: 1 })),
    foot: [],
    unit: 'stacks',
  };
}

function overviewRow(result: CheckResult): string {
  const time = result.durationMs === null ? '' : describeDuration(result.durationMs);
  const cells = [symbolOf(result), code(result.stack), describeVerdict(result), describeOutcome(result)];
  return tableRow([...cells, describePlan(result.counts), time]);
}

function symbolOf({ verdict, complete }: CheckResult): string {
  switch (verdict) {
    case 'in-sync':
      return complete ? '✅' : '❔';
    case 'pending':
      return '🔵';
    case 'busy':
      return '⏳';
    case 'failed':
      return '❌';
    case 'checks-failing':
      return '❗';
    default:
      return '🔴';
  }
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** What there is to tell about one stack; nothing for a clean one. */
function stackBlocks(result: CheckResult): readonly Block[] {
  if (isQuiet(result)) return [];
  const groups = groupFindings(result.findings);
  const alerting = groups.filter(({ finding }) => alerts(finding));
  const quiet = groups.filter(({ finding }) => !alerts(finding));
  const notes = noteLines(result);
  return [
    {
      head: ['', `#### ${code(result.stack)}: ${describeVerdict(result)}`, ...failureLines(result.failure)],
      rows: [],
      foot: [],
      unit: 'lines',
    },
    ...(alerting.length === 0 ? [] : [findingsTable(alerting)]),
    ...(quiet.length === 0 ? [] : [folded(findingsTable(quiet))]),
    ...(notes.length === 0 ? [] : [{ head: [''], rows: notes, foot: [], unit: 'lines' }]),
  ];
}

function failureLines(failure: Failure | null): readonly string[] {
  if (failure === null) return [];
  const { message, location, hint } = failure;
  const place = location === undefined ? '' : ` (${code(describeLocation(location))})`;
  return ['', `${prose(message)}${place}`, ...(hint === undefined ? [] : ['', prose(hint)])];
}

function findingsTable(groups: readonly FindingGroup[]): Block {
  return {
    head: ['', '| Severity | Resource | What happened | Changed |', '| --- | --- | --- | --- |'],
    rows: groups.map((group) => ({ text: findingRow(group), count: group.members.length })),
    foot: [],
    unit: 'findings',
  };
}

function folded(table: Block): Block {
  const count = table.rows.reduce((sum, row) => sum + row.count, 0);
  const summary = `${count} pending or for information`;
  return { ...table, head: ['', `<details><summary>${summary}</summary>`, ...table.head], foot: ['', '</details>'] };
}

const MOST_ADDRESSES = 3;

function findingRow({ finding, members }: FindingGroup): string {
  const named = members
    .slice(0, MOST_ADDRESSES)
    .map(({ address, deposed }) =>
      deposed === undefined ? code(address) : `${code(address)} (deposed object ${code(deposed)})`,
    );
  const more = members.length > MOST_ADDRESSES ? [`and ${members.length - MOST_ADDRESSES} more`] : [];
  const what = [describeClass(finding.class), describeConsequence(finding), describeWhy(finding)];
  return tableRow([
    finding.severity,
    [...named, ...more].join('<br>'),
    prose(what.filter((part) => part !== undefined).join('; ')),
    changedCell(finding),
  ]);
}

const MOST_PATHS = 5;

function changedCell({ paths, values = {} }: Finding): string {
  const changes = paths.map((path) => {
    const value = values[path];
    return value === undefined ? code(path) : `${code(path)}: ${code(value.before)} → ${code(value.after)}`;
  });
  return firstOf(changes, MOST_PATHS).join('<br>');
}

function noteLines({ suppressed, noise, warnings }: CheckResult): Block['rows'] {
  const byRule = Map.groupBy(suppressed, ({ rule }) => describeRule(rule));
  const byReason = Map.groupBy(noise, ({ reason }) => reason);
  const reasons = [...byReason].map(([reason, members]) => `${members.length} × ${describeNoise(reason)}`);
  return [
    ...warnings.map(({ message }) => `- warning: ${prose(message)}`),
    ...[...byRule].map(([rule, members]) => `- ignored: ${ignoredNames(members)}: ${prose(rule)}`),
    ...(noise.length === 0 ? [] : [`- noise: ${reasons.join(', ')}`]),
  ].map((text) => ({ text, count: 1 }));
}

function ignoredNames(suppressed: readonly Suppressed[]): string {
  const names = suppressed.map(({ address, paths }) =>
    [code(address), ...firstOf(paths.map(code), MOST_PATHS)].join(' '),
  );
  return firstOf(names, MOST_ADDRESSES).join(', ');
}
