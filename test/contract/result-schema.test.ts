import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { PUBLISHED_SCHEMAS } from '../../lib/contract/published-schemas.ts';
import { FindingClass, InputDigests, Result, Severity } from '../../lib/contract/result-schema.ts';
import {
  CAUSE_KINDS,
  type CheckResult,
  FINDING_CLASSES,
  INPUT_KINDS,
  NOISE_REASONS,
  SEVERITIES,
  STANDINGS,
  VERDICTS,
  WARNING_CODES,
} from '../../lib/domain/finding.ts';
import { aFailedResult, aFinding, aResult } from '../support/builders.ts';

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

describe('the schema of results', () => {
  it('describes what checks conclude, no more and no less', () => {
    expectTypeOf<Result>().toExtend<CheckResult>();
    expectTypeOf<CheckResult>().toExtend<DeepReadonly<Result>>();
  });

  it('lists in its enums what the domain knows', () => {
    const { finding, noise, warning, input } = enums();

    expect(FindingClass.options).toEqual(FINDING_CLASSES);
    expect(Severity.options).toEqual(SEVERITIES);
    expect(Result.shape.verdict.options).toEqual(VERDICTS);
    expect(finding.standing.options).toEqual(STANDINGS);
    expect(finding.cause.shape.kind.options).toEqual(CAUSE_KINDS);
    expect(input.options).toEqual(INPUT_KINDS);
    expect(noise.options).toEqual(NOISE_REASONS);
    expect(warning.options).toEqual(WARNING_CODES);
  });

  it.each([
    ['a clean result', aResult()],
    ['a failed result', aFailedResult()],
    [
      'a result without times',
      aResult({ startedAt: null, durationMs: null, digests: null, baseline: { kind: 'none' } }),
    ],
    ['a baseline that differs', aResult({ baseline: { kind: 'differs', changed: ['config'] } })],
    ['values', aResult({ findings: [aFinding({ deposed: '1', values: { a: { before: '1', after: '2' } } })] })],
  ])('allows %s', (_, result) => {
    expect(Result.parse(result)).toEqual(result);
  });

  it.each<[string, object]>([
    ['an unknown member, which could be a value that slipped in', { secret: 'hunter22' }],
    ['an unknown member of a finding', { findings: [{ ...aFinding(), before: 'hunter22' }] }],
    ['another version', { schemaVersion: 2 }],
    ['an unknown verdict', { verdict: 'fine' }],
    ['a digest that is none', { fingerprint: 'abc' }],
    ['a baseline that differs in nothing', { baseline: { kind: 'differs', changed: [] } }],
    ['a negative count', { counts: { ...aResult().counts, drift: -1 } }],
    ['a time that is none', { startedAt: 'yesterday' }],
  ])('fails on %s', (_, members) => {
    expect(Result.safeParse({ ...aResult(), ...members }).success).toBe(false);
  });

  it('knows the digests of files and of documents', () => {
    const digests = { basis: 'document', config: 'c'.repeat(64), inputs: 'd'.repeat(64), providers: null };

    expect(InputDigests.parse(digests)).toEqual(digests);
    expect(InputDigests.safeParse({ ...digests, basis: 'guess' }).success).toBe(false);
  });
});

/** The enums that stand inside the schema. */
function enums() {
  const finding = Result.shape.findings.element.shape;
  return {
    finding,
    noise: Result.shape.noise.element.shape.reason,
    warning: Result.shape.warnings.element.shape.code,
    input: finding.cause.shape.changed.unwrap().element,
  };
}

describe('the published schemas', () => {
  it.each(Object.entries(PUBLISHED_SCHEMAS))(
    '%s is what the contract says: node scripts/write-schemas.ts',
    (name, schema) => {
      const published = readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

      expect(JSON.parse(published)).toEqual(schema);
    },
  );
});
