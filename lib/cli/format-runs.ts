import { describeDuration, describeVerdict } from '../domain/describe.ts';
import type { RunRecord } from '../domain/run.ts';
import { describeFindings } from './format-status.ts';
import { type Cell, type Column, formatTable } from './format-table.ts';
import { markOf, SEVERITY_INK } from './marks.ts';
import { createPaint } from './palette.ts';
import { atUtc, since } from './relative-time.ts';

export interface RunsOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  readonly now: Date;
}

const COLUMNS: readonly Column[] = [
  { title: '' },
  { title: 'RUN' },
  { title: 'STARTED (UTC)' },
  { title: 'AGO' },
  { title: 'TRIGGER' },
  { title: 'TOOK' },
  { title: 'OUTCOME' },
  { title: 'FINDINGS', least: 12 },
];

/** A line per run, newest first. */
export function formatRuns(runs: readonly RunRecord[], { color, width, now }: RunsOptions): readonly string[] {
  if (runs.length === 0) return ['no runs'];
  return formatTable(
    COLUMNS,
    runs.map((run) => rowOf(run, now)),
    { paint: createPaint({ color }), width },
  );
}

function rowOf(run: RunRecord, now: Date): readonly Cell[] {
  const { runId, createdAt, finishedAt, trigger, attempt } = run;
  const [mark, outcome, findings] = outcomeCells(run);
  return [
    mark,
    { text: runId },
    { text: atUtc(createdAt) },
    { text: since(createdAt, now) },
    { text: attempt > 1 ? `${trigger} (attempt ${attempt})` : trigger },
    { text: finishedAt === null ? '' : describeDuration(Date.parse(finishedAt) - Date.parse(createdAt)) },
    outcome,
    findings,
  ];
}

function outcomeCells({ status, outcome }: RunRecord): readonly [Cell, Cell, Cell] {
  if (outcome === null) return [{ text: '·' }, { text: status }, { text: '' }];
  if (outcome.kind === 'lost') {
    return [{ text: '✗', ink: 'red' }, { text: 'lost', ink: 'red' }, { text: outcome.failure.message }];
  }
  const { summary } = outcome;
  const { symbol, ink } = markOf(summary);
  const { severity, failure } = summary;
  const text = failure === null ? describeFindings(summary) : failure.message;
  return [
    { text: symbol, ink },
    { text: describeVerdict(summary), ink },
    severity === null ? { text } : { text: `${severity}: ${text}`, ink: SEVERITY_INK[severity] },
  ];
}
