import { type Baseline, servesAsBaseline } from './baseline.ts';
import { alerts } from './describe.ts';
import type { CheckResult, Finding } from './finding.ts';
import { canonicalFindings } from './fingerprint.ts';
import { MOST_TOP_FINDINGS, type ResultSummary, type TopFinding } from './run.ts';
import { worst } from './severity.ts';

export interface SummariseInput {
  readonly result: CheckResult;
  readonly commit: string | null;
  readonly peakMemoryMiB: number | null;
}

// A summary is copied into every event of the stack: long texts stay in the result.
const MOST_PATHS = 5;
const LONGEST_TEXT = 300;

/** What the table and events keep of a result, in bounded size. */
export function summarise(input: SummariseInput, sha256: (text: string) => string): ResultSummary {
  const { result, commit, peakMemoryMiB } = input;
  const alerting = result.findings.filter(alerts);
  return {
    verdict: result.verdict,
    complete: result.complete,
    fingerprint: alerting.length === 0 ? '' : sha256(canonicalFindings(alerting)),
    alertClasses: [...new Set(alerting.map((finding) => finding.class))].sort(),
    severity: alerting.length === 0 ? null : worst(alerting.map(({ severity }) => severity)),
    counts: result.counts,
    topFindings: alerting.slice(0, MOST_TOP_FINDINGS).map(toTopFinding),
    failure: result.failure,
    baseline: baselineOf(result, commit),
    commit,
    durationMs: result.durationMs ?? 0,
    peakMemoryMiB,
  };
}

function toTopFinding({ address, class: findingClass, severity, paths }: Finding): TopFinding {
  return {
    address: shorten(address),
    class: findingClass,
    severity,
    paths: paths.slice(0, MOST_PATHS).map(shorten),
  };
}

function shorten(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT).toWellFormed()}…`;
}

function baselineOf(result: CheckResult, commit: string | null): Baseline | null {
  if (!servesAsBaseline(result) || result.startedAt === null) return null;
  return { digests: result.digests, at: result.startedAt, ...(commit === null ? {} : { commit }) };
}
