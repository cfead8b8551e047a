import { describe, expect, it } from 'vitest';
import { sha256 } from '../../lib/adapters/sha256.ts';
import { type ExplainPlanInput, explainPlan } from '../../lib/app/explain-plan.ts';
import type { Baseline } from '../../lib/domain/baseline.ts';
import { digestDocument } from '../../lib/domain/document-digest.ts';
import { readPlanDocument } from '../../lib/domain/plan-document.ts';
import { NO_RULES } from '../../lib/domain/rules.ts';
import { CLEAN, DRIFTED, FILES, PLANNED } from '../support/check-world.ts';
import { type PlanParts, planText, update } from '../support/plan-builder.ts';

const deps = { clock: { now: () => new Date('2026-11-30T23:59:59Z') }, sha256 };

const explain = (parts: PlanParts, input: Partial<ExplainPlanInput> = {}) =>
  explainPlan(deps, {
    stack: 'plan.json',
    document: planText(parts),
    ui: undefined,
    exitCode: null,
    baseline: undefined,
    rules: NO_RULES,
    ...input,
  });

const stream = (...events: readonly object[]) => events.map((event) => JSON.stringify(event)).join('\n');
const summary = (changes: object) => ({
  type: 'change_summary',
  changes: { add: 0, change: 0, remove: 0, ...changes },
});
const WHOLE = stream({ type: 'version', terraform: '1.12.0', ui: '1.2' }, summary({ operation: 'plan' }));

const codes = ({ warnings }: ReturnType<typeof explain>) => warnings.map(({ code }) => code);

describe('explainPlan', () => {
  it('concludes what the document holds', () => {
    expect(explain(DRIFTED, { exitCode: 2 })).toMatchObject({
      stack: 'plan.json',
      mode: 'plan',
      verdict: 'drifted',
      exitCode: 2,
      digests: { basis: 'document', providers: null },
      startedAt: null,
      durationMs: null,
    });
  });

  it('takes the version from the document, and what ran from the stream', () => {
    expect(explain(CLEAN).engine).toEqual({ name: null, version: '1.11.4', formatVersion: '1.2' });
    expect(explain(CLEAN, { ui: WHOLE }).engine).toEqual({
      name: 'terraform',
      version: '1.12.0',
      formatVersion: '1.2',
    });
  });

  it('knows a refresh-only plan by what it lacks', () => {
    const refreshOnly = { ...DRIFTED, more: { resource_changes: undefined } };

    expect(explain(refreshOnly)).toMatchObject({ mode: 'refresh-only', verdict: 'drifted' });
    expect(explain({ more: { resource_changes: undefined } }).mode).toBe('plan');
  });

  it('takes rules as of today', () => {
    const rule = { stack: '*', address: '*', path: '*', owner: 'team', reason: 'known' };
    const verdict = (expires: string) =>
      explain(DRIFTED, { rules: { ...NO_RULES, ignore: [{ ...rule, expires }] } }).verdict;

    expect([verdict('2026-11-30'), verdict('2026-11-29')]).toEqual(['in-sync', 'drifted']);
  });

  it('fails on what is no plan document', () => {
    expect(() => explain({}, { document: 'Plan: 1 to add' })).toThrow('the plan document is not JSON');
  });
});

describe('what explainPlan says it cannot know', () => {
  it('is everything that the pipeline did not keep', () => {
    const { warnings } = explain(CLEAN);

    expect(warnings.map(({ code }) => code)).toEqual(['exit-code-unknown', 'ui-stream-missing', 'source-missing']);
    expect(warnings.map(({ message }) => message).join(' ')).toMatch(/--exit-code.*--ui.*lifecycle/);
  });

  it('is only the source where all else is there', () => {
    expect(codes(explain(CLEAN, { exitCode: 0, ui: WHOLE }))).toEqual(['source-missing']);
  });

  it.each([
    ['is empty', ''],
    ['is text for people', 'Plan: 0 to add, 0 to change, 0 to destroy.'],
    ['was cut short', stream({ type: 'version', terraform: '1.12.0', ui: '1.2' })],
  ])('is what a stream would have told, where it %s', (_, ui) => {
    expect(codes(explain(CLEAN, { exitCode: 0, ui }))).toEqual(['ui-stream-missing', 'source-missing']);
  });

  it('is whether both come from the same plan, where the counts differ', () => {
    const ui = stream(summary({ add: 3, operation: 'plan' }));

    expect(codes(explain(CLEAN, { exitCode: 0, ui }))).toEqual(['source-missing', 'summary-disagrees']);
  });
});

describe('explainPlan with the stream of a plan that failed', () => {
  const diagnostic = {
    severity: 'error',
    summary: 'Invalid value: hunter22 is too short',
    detail: 'long story',
    range: { filename: 'main.tf', start: { line: 23, column: 18 } },
  };
  const failed = (engine: object) => stream(engine, { type: 'diagnostic', diagnostic });

  it('fails with the place in the files, and is never clean', () => {
    const result = explain(CLEAN, { ui: failed({ type: 'version', terraform: '1.12.0' }) });

    expect(result).toMatchObject({
      verdict: 'failed',
      complete: false,
      findings: [],
      failure: {
        code: 'PlanFailed',
        message: 'terraform plan failed: Invalid value: hunter22 is too short',
        location: { file: 'main.tf', line: 23, column: 18 },
      },
    });
  });

  it('says which engine failed, where the stream does', () => {
    const message = (engine: object) => explain(CLEAN, { ui: failed(engine) }).failure?.message;

    expect(message({ type: 'version', tofu: '1.10.0' })).toMatch(/^tofu plan failed/);
    expect(message({ type: 'log' })).toMatch(/^terraform plan failed/);
  });

  it('scrubs what the document marks as sensitive from the error', () => {
    const sensitive = {
      ...CLEAN,
      rootModule: { variables: { pin: { sensitive: true } } },
      more: { variables: { pin: { value: 'hunter22' } } },
    };
    const result = explain(sensitive, { ui: failed({ type: 'log' }) });

    expect(JSON.stringify(result)).not.toContain('hunter22');
    expect(result.failure?.message).toContain('(sensitive) is too short');
  });

  it('takes a lock that somebody holds for busy', () => {
    const held = { ...diagnostic, summary: 'Error acquiring the state lock', detail: 'Lock Info: ...' };

    expect(explain(CLEAN, { ui: stream({ type: 'diagnostic', diagnostic: held }) }).verdict).toBe('busy');
  });
});

/** As a check left it that found nothing pending. */
const baselineOf = (parts: PlanParts): Baseline => ({
  digests: digestDocument(readPlanDocument(planText(parts)), sha256),
  at: '2026-11-29T12:00:00.000Z',
});

describe('explainPlan with a baseline', () => {
  it('takes a planned change under the same configuration for absorbed drift', () => {
    expect(explain(PLANNED, { baseline: baselineOf(PLANNED) })).toMatchObject({
      verdict: 'drifted',
      baseline: { kind: 'same' },
      findings: [{ class: 'absorbed' }],
    });
  });

  it('takes it for unapplied configuration where the configuration changed', () => {
    const before = { ...PLANNED, config: { 'aws_sqs_queue.a': { delay_seconds: { constant_value: 5 } } } };

    expect(explain(PLANNED, { baseline: baselineOf(before) })).toMatchObject({
      verdict: 'pending',
      baseline: { kind: 'differs', changed: ['config'] },
      findings: [{ class: 'pending-config', cause: { kind: 'config-changed' } }],
    });
  });

  it('takes it for unapplied configuration where an input changed', () => {
    const withSize = (value: number): PlanParts => ({ ...PLANNED, more: { variables: { size: { value } } } });

    expect(explain(withSize(2), { baseline: baselineOf(withSize(1)) })).toMatchObject({
      verdict: 'pending',
      baseline: { kind: 'differs', changed: ['inputs'] },
    });
  });

  it('does not use one that was taken from files, and says so', () => {
    const result = explain(PLANNED, { baseline: { digests: FILES, at: '2026-11-29T12:00:00.000Z' } });

    expect(result).toMatchObject({ verdict: 'pending', baseline: { kind: 'none' } });
    expect(codes(result)).toContain('baseline-not-comparable');
  });

  it('says that one is missing where it would have told more', () => {
    expect(codes(explain(PLANNED))).toContain('baseline-missing');
  });
});

describe('a change that a document cannot explain', () => {
  /** The same document before and after: what changed does not show in it. */
  const absorbed = (parts: PlanParts) =>
    explain(parts, { baseline: baselineOf(parts) }).findings.some((finding) => finding.class === 'absorbed');
  const setting = (expression: object, more: PlanParts = {}): PlanParts => ({
    changes: [update('aws_sqs_queue.a', { name: 'x' }, { name: 'y' })],
    config: { 'aws_sqs_queue.a': { name: expression } },
    ...more,
  });
  const refers = (...references: readonly string[]) => ({ references });

  it.each<[string, PlanParts]>([
    ['a local', setting(refers('local.name'))],
    [
      'a local in a block',
      {
        changes: [update('x.y', { rule: [{ port: 1 }] }, { rule: [{ port: 2 }] })],
        config: { 'x.y': { rule: [{ port: refers('local.port') }] } },
      },
    ],
    [
      'a local of a module',
      setting(refers('module.m.out', 'module.m'), {
        rootModule: { module_calls: { m: { module: { outputs: { out: { expression: refers('local.a') } } } } } },
      }),
    ],
    ['a sensitive variable', setting(refers('var.name'), { rootModule: { variables: { name: { sensitive: true } } } })],
    ['a variable that is secret by its name', setting(refers('var.api_token'))],
    [
      'a local that decides on the number of modules',
      {
        changes: [{ address: 'module.m["eu"].x.y', actions: ['create'], before: null, after: {} }],
        rootModule: {
          module_calls: {
            m: {
              module: { resources: [{ mode: 'managed', type: 'x', name: 'y', expressions: {} }] },
              for_each_expression: refers('local.regions'),
            },
          },
        },
      },
    ],
  ])('is not taken for absorbed behind %s', (_, parts) => {
    expect(absorbed(parts)).toBe(false);
  });

  it('is not taken for absorbed where the value is sensitive', () => {
    const entry = update('x.y', { name: 'x' }, { name: 'y' }, { afterSensitive: { name: true } });

    expect(absorbed({ changes: [entry], config: { 'x.y': { name: { constant_value: 'y' } } } })).toBe(false);
  });

  it('is taken for absorbed where the document holds all of it', () => {
    expect(absorbed(setting({ constant_value: 'y' }))).toBe(true);
    expect(absorbed(setting(refers('var.name')))).toBe(true);
  });
});
