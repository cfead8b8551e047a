import { create } from 'xmlbuilder2';
import {
  alerts,
  describeClass,
  describeConsequence,
  describeLocation,
  describeOutcome,
  describeRule,
  describeVerdict,
  describeWhy,
} from '../domain/describe.ts';
import type { CheckResult, Failure, Finding, Suppressed } from '../domain/finding.ts';
import { escapeUnsafe } from '../domain/scrub.ts';

/**
 * The report as JUnit XML, for CI systems that show tests: one suite per stack, one case per finding. Drift and failing
 * checks fail; what is pending or for information passes; a stack without a verdict is an error.
 */
export function formatJunit(results: readonly CheckResult[]): string {
  const suites = results.map((result) => ({ result, cases: casesOf(result) }));
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites', {
    name: 'holdfast',
    ...totals(suites.flatMap(({ cases }) => cases)),
    time: seconds(suites.reduce((sum, { result }) => sum + (result.durationMs ?? 0), 0)),
  });
  for (const { result, cases } of suites) addSuite(root, result, cases);
  return `${root.end({ prettyPrint: true })}\n`;
}

interface Case {
  readonly name: string;
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  readonly type?: string;
  readonly message?: string;
  readonly text?: string;
}

type Parent = ReturnType<ReturnType<typeof create>['ele']>;

function addSuite(root: Parent, result: CheckResult, cases: readonly Case[]): void {
  const suite = root.ele('testsuite', {
    name: xmlText(result.stack),
    ...totals(cases),
    ...(result.durationMs === null ? {} : { time: seconds(result.durationMs) }),
    ...(result.startedAt === null ? {} : { timestamp: xmlText(result.startedAt) }),
  });
  for (const one of cases) addCase(suite, result.stack, one);
  const notes = result.warnings.map(({ message }) => `warning: ${message}`);
  if (notes.length > 0) suite.ele('system-out').txt(xmlLines(notes));
}

function addCase(suite: Parent, stack: string, { name, outcome, type, message, text = '' }: Case): void {
  const testcase = suite.ele('testcase', { classname: xmlText(stack), name: xmlText(name) });
  if (outcome === 'passed') {
    if (text !== '') testcase.ele('system-out').txt(text);
    return;
  }
  const why = testcase.ele(outcome, {
    ...(message === undefined ? {} : { message: xmlText(message) }),
    ...(type === undefined ? {} : { type: xmlText(type) }),
  });
  if (text !== '') why.txt(text);
}

function casesOf(result: CheckResult): readonly Case[] {
  const { failure, findings, suppressed, verdict } = result;
  const cases = [...findings.map(findingCase), ...suppressed.map(ignoredCase)];
  if (failure !== null || verdict === 'failed' || verdict === 'busy') return [failureCase(result, failure), ...cases];
  if (!result.complete)
    return [{ name: 'complete plan', outcome: 'skipped', message: describeOutcome(result) }, ...cases];
  return verdict === 'in-sync' ? [{ name: 'no drift detected', outcome: 'passed' }, ...cases] : cases;
}

function failureCase(result: CheckResult, failure: Failure | null): Case {
  const name = 'check';
  if (failure === null) return { name, outcome: 'error', type: result.verdict, message: describeVerdict(result) };
  const { code, message, location, hint } = failure;
  const lines = [
    ...(location === undefined ? [] : [describeLocation(location)]),
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ];
  return { name, outcome: 'error', type: code, message, text: xmlLines(lines) };
}

function findingCase(finding: Finding): Case {
  const { address, deposed, severity, paths } = finding;
  const name = deposed === undefined ? address : `${address} (deposed object ${deposed})`;
  const what = [describeClass(finding.class), describeConsequence(finding)].filter((part) => part !== undefined);
  const message = `${severity}: ${what.join('; ')}`;
  const why = describeWhy(finding);
  const details = [...paths.map((path) => pathLine(finding, path)), ...(why === undefined ? [] : [why])];
  if (alerts(finding)) {
    return { name, outcome: 'failure', type: finding.class, message, text: xmlLines(details) };
  }
  return { name, outcome: 'passed', text: xmlLines([message, ...details]) };
}

function pathLine({ values = {} }: Finding, path: string): string {
  const value = values[path];
  return value === undefined ? path : `${path}: ${value.before} → ${value.after}`;
}

function ignoredCase({ address, rule }: Suppressed): Case {
  return { name: address, outcome: 'skipped', message: `ignored: ${describeRule(rule)}` };
}

function totals(cases: readonly Case[]): Record<'tests' | 'failures' | 'errors' | 'skipped', string> {
  const count = (outcome: Case['outcome']) => String(cases.filter((one) => one.outcome === outcome).length);
  return {
    tests: String(cases.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

function xmlLines(lines: readonly string[]): string {
  return lines.map(xmlText).join('\n');
}

/**
 * XML 1.0 has no way to write control characters, lone surrogates, U+FFFE and U+FFFF, not even as references.
 *
 * The builder takes `&nbsp;` in a text for markup and leaves it as it is, so ampersands come to it escaped.
 */
function xmlText(text: string): string {
  return escapeUnsafe(text)
    .toWellFormed()
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;');
}
