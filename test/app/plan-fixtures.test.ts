import { describe, expect, it } from 'vitest';
import { sha256 } from '../../lib/adapters/sha256.ts';
import { type ExplainPlanInput, explainPlan } from '../../lib/app/explain-plan.ts';
import { Result } from '../../lib/contract/result-schema.ts';
import type { Baseline } from '../../lib/domain/baseline.ts';
import { digestDocument } from '../../lib/domain/document-digest.ts';
import { asObject } from '../../lib/domain/json.ts';
import { readPlanDocument } from '../../lib/domain/plan-document.ts';
import { NO_RULES } from '../../lib/domain/rules.ts';
import { summariseFindings } from '../support/judged-plan.ts';
import { PLAN_FIXTURES, planDocumentOf, planFixture } from '../support/plan-fixtures.ts';

const deps = { clock: { now: () => new Date('2026-11-30T12:00:00Z') }, sha256 };

const explain = (name: string, input: Partial<ExplainPlanInput> = {}) => {
  const { document = planDocumentOf('clean'), ui, exitCode } = planFixture(name);
  return explainPlan(deps, { stack: name, document, ui, exitCode, baseline: undefined, rules: NO_RULES, ...input });
};

/** As the check that found nothing pending would have left it: nobody changed the configuration since. */
const baselineOf = (name: string): Baseline => ({
  digests: digestDocument(readPlanDocument(planDocumentOf(name)), sha256),
  at: '2026-11-29T12:00:00.000Z',
});

interface Expected {
  readonly exit: number;
  readonly verdict: string;
  readonly findings: readonly string[];
  readonly noise: number;
}

const TIMEOUT = 'visibility_timeout_seconds';

const EXPECTED: Readonly<Record<string, Expected>> = {
  clean: { exit: 0, verdict: 'in-sync', findings: [], noise: 1 },
  'update-outside': {
    exit: 2,
    verdict: 'drifted',
    findings: [
      'aws_security_group.db changed-outside high [ingress]',
      `aws_sqs_queue.a changed-outside medium [${TIMEOUT}]`,
    ],
    noise: 2,
  },
  'deleted-outside': {
    exit: 2,
    verdict: 'drifted',
    findings: ['aws_sqs_queue.a deleted-outside critical []'],
    noise: 1,
  },
  'config-ahead': {
    exit: 2,
    verdict: 'pending',
    findings: [`aws_sqs_queue.a pending-config info [${TIMEOUT}]`],
    noise: 1,
  },
  'unconfigured-attribute': {
    exit: 0,
    verdict: 'drifted',
    findings: ['aws_sqs_queue.a changed-outside-unmanaged high [policy]'],
    noise: 1,
  },
  'outputs-only': { exit: 2, verdict: 'pending', findings: ['output.arn outputs-only info []'], noise: 1 },
  'sensitive-value': {
    exit: 2,
    verdict: 'drifted',
    findings: ['aws_ssm_parameter.p changed-outside medium [value,version]'],
    noise: 1,
  },
  'moved-block': { exit: 2, verdict: 'pending', findings: ['aws_sqs_queue.b moved info []'], noise: 1 },
  'for-each-keys': {
    exit: 2,
    verdict: 'drifted',
    findings: [
      `aws_sqs_queue.q["eu/a.b"] changed-outside medium [${TIMEOUT}]`,
      `aws_sqs_queue.q["quote\\"d"] changed-outside medium [${TIMEOUT}]`,
    ],
    noise: 3,
  },
  'check-fails': { exit: 0, verdict: 'checks-failing', findings: ['check.size check-failing medium []'], noise: 1 },
  'plan-error': { exit: 1, verdict: 'failed', findings: [], noise: 0 },
  'accepted-by-refresh': {
    exit: 2,
    verdict: 'pending',
    findings: [`aws_sqs_queue.a pending-config info [${TIMEOUT}]`],
    noise: 0,
  },
};

describe('plans of real Terraform', () => {
  it('are all expected to come to something', () => {
    expect(Object.keys(EXPECTED).sort()).toEqual([...PLAN_FIXTURES].sort());
  });

  it.each(Object.entries(EXPECTED))('%s comes to what happened', (name, { exit, verdict, findings, noise }) => {
    const result = explain(name);

    expect(result).toMatchObject({ exitCode: exit, verdict, complete: verdict !== 'failed' });
    expect(summariseFindings(result)).toEqual(findings);
    expect(result.noise).toHaveLength(noise);
    expect(result.counts.noise).toBe(noise);
  });

  it.each(PLAN_FIXTURES)('%s gives a result that the published schema allows', (name) => {
    const result = explain(name);

    expect(Result.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
  });

  it.each(PLAN_FIXTURES)('%s agrees with its own event stream', (name) => {
    expect(explain(name).warnings.map(({ code }) => code)).not.toContain('summary-disagrees');
  });
});

describe('what was accepted into the state', () => {
  it('is drift where a baseline says that nobody changed the configuration', () => {
    const result = explain('accepted-by-refresh', { baseline: baselineOf('accepted-by-refresh') });

    expect(result).toMatchObject({ verdict: 'drifted', baseline: { kind: 'same' } });
    expect(summariseFindings(result)).toEqual([`aws_sqs_queue.a absorbed medium [${TIMEOUT}]`]);
    expect(result.findings[0]?.cause).toEqual({ kind: 'accepted-into-state', inferred: true });
  });

  it('is unapplied configuration where the configuration changed since', () => {
    const result = explain('config-ahead', { baseline: baselineOf('accepted-by-refresh') });

    expect(result).toMatchObject({ verdict: 'pending', baseline: { kind: 'differs', changed: ['config'] } });
    expect(result.findings[0]?.cause).toEqual({ kind: 'config-changed', inferred: true, changed: ['config'] });
  });
});

describe('a plan that failed', () => {
  it('is told with the place in the files', () => {
    expect(explain('plan-error').failure).toMatchObject({
      code: 'PlanFailed',
      message: expect.stringContaining('expected delay_seconds to be in the range (0 - 900), got 99999'),
      location: { file: 'main.tf', line: 23, column: 18 },
    });
  });

  it('is never clean, also where the exit code got lost or eaten', () => {
    for (const exitCode of [null, 0]) expect(explain('plan-error', { exitCode }).verdict).toBe('failed');
  });
});

describe('a secret that changed outside', () => {
  it('is named and never shown, also where all values may be', () => {
    const rules = { ...NO_RULES, allowValues: [{ address: '*', path: '*' }] };
    const { drift } = readPlanDocument(planDocumentOf('sensitive-value'));
    const secrets = drift.flatMap(({ before, after }) => [asObject(before).value, asObject(after).value]);
    const result = explain('sensitive-value', { rules });

    expect(secrets).toEqual([expect.any(String), expect.any(String)]);
    for (const secret of secrets) expect(JSON.stringify(result)).not.toContain(secret);
    expect(result.findings[0]?.values).toMatchObject({ value: { before: '(sensitive)', after: '(sensitive)' } });
  });
});
