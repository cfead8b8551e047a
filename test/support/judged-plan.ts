import type { CheckResult } from '../../lib/domain/finding.ts';
import { type JudgeInput, judge } from '../../lib/domain/judge.ts';
import { readPlanDocument } from '../../lib/domain/plan-document.ts';
import { NO_RULES } from '../../lib/domain/rules.ts';
import { type PlanParts, planText } from './plan-builder.ts';

/** Concludes a plan of these parts; `sha256` gives the text back, so that fingerprints can be read. */
export function judgePlan(parts: PlanParts, input: Partial<Omit<JudgeInput, 'document'>> = {}): CheckResult {
  return judge({ ...JUDGE_INPUT, ...input, document: readPlanDocument(planText(parts)) });
}

export const JUDGE_INPUT: JudgeInput = {
  stack: 'prod/queues',
  mode: 'plan',
  exitCode: null,
  engine: { name: 'terraform', version: '1.11.4', formatVersion: '1.2' },
  digests: null,
  baseline: { kind: 'none' },
  document: undefined,
  summary: undefined,
  ignoreChanges: undefined,
  rules: NO_RULES,
  knownSecrets: [],
  today: '2026-11-30',
  warnings: [],
  sha256: (text) => text,
};

/** Findings in one line each: `address class severity [paths]`. */
export function summariseFindings({ findings }: CheckResult): string[] {
  return findings.map(
    ({ address, class: findingClass, severity, paths }) => `${address} ${findingClass} ${severity} [${paths}]`,
  );
}
