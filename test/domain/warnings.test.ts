import { describe, expect, it } from 'vitest';
import type { BaselineComparison, Counts, Finding } from '../../lib/domain/finding.ts';
import { readPlanDocument } from '../../lib/domain/plan-document.ts';
import type { ChangeSummary } from '../../lib/domain/ui-stream.ts';
import { warnAbout, warnAboutCounts } from '../../lib/domain/warnings.ts';
import { aFinding, aResult } from '../support/builders.ts';
import { type PlanParts, planText } from '../support/plan-builder.ts';

const warn = (
  parts: PlanParts,
  findings: readonly Finding[] = [],
  baseline: BaselineComparison = { kind: 'same' },
): readonly (readonly [string, string])[] =>
  warnAbout(readPlanDocument(planText(parts)), findings, baseline).map(({ code, message }) => [code, message]);

const several = (count: number) => Array.from({ length: count }, (_, index) => `aws_sqs_queue.q[${index}]`);
const gone = (count: number) => several(count).map((address) => aFinding({ address, class: 'deleted-outside' }));
const planned = (count: number): PlanParts => ({ changes: several(count).map((address) => ({ address })) });

describe('warnAbout', () => {
  it('has nothing to say of a whole plan, nor of none', () => {
    expect(warn({ more: { complete: true } })).toEqual([]);
    expect(warnAbout(undefined, [], { kind: 'none' })).toEqual([]);
  });

  it('tells of a plan limited to targets (field case B9)', () => {
    expect(warn({ more: { complete: false } })).toEqual([
      ['incomplete-plan', 'the plan covers only a part of the stack: it was limited to targets'],
    ]);
  });

  it('tells of changes put off to a later plan (B9)', () => {
    const deferred = { resource_change: { address: 'x.y[*]', type: 'x', change: { actions: ['create'] } } };

    expect(warn({ more: { complete: false, deferred_changes: [deferred] } })).toEqual([
      ['incomplete-plan', 'the plan covers only a part of the stack: changes put off to a later plan: 1'],
    ]);
  });

  it.each([
    [5, 5, true],
    [5, 10, true],
    [5, 11, false],
    [4, 4, false],
    [50, 99, true],
  ])('of %i deleted among %i resources warns: %s', (deleted, all, expected) => {
    expect(warn(planned(all), gone(deleted)).length > 0).toBe(expected);
  });

  it('says that many deletions may be a lack of permission', () => {
    expect(warn(planned(6), gone(5))).toEqual([['mass-deletion', expect.stringMatching(/^5 of 6 .*credentials/)]]);
  });

  it('does not count what a refresh-only plan leaves out', () => {
    const refreshOnly = { more: { resource_changes: undefined } };

    expect(warn(refreshOnly, gone(5))).toEqual([['mass-deletion', expect.stringMatching(/^5 resources look deleted/)]]);
  });

  it('leaves data sources out of account', () => {
    const data = several(20).map((address) => ({ address: `data.${address}`, mode: 'data' as const }));

    expect(warn({ changes: [...(planned(6).changes ?? []), ...data] }, gone(5))).toHaveLength(1);
  });

  it('says what a missing baseline leaves open, where it does', () => {
    const open = [aFinding({ cause: { kind: 'no-baseline', inferred: true } })];

    expect(warn({}, open, { kind: 'none' })).toEqual([['baseline-missing', expect.stringContaining('accepted')]]);
    expect(warn({}, [aFinding()], { kind: 'none' })).toEqual([]);
    expect(warn({}, open, { kind: 'same' })).toEqual([]);
  });
});

describe('warnAboutCounts', () => {
  const summary: ChangeSummary = { add: 1, change: 2, remove: 3, import: 0, operation: 'plan' };
  const counts = (more: Partial<Counts> = {}) => aResult({ counts: { add: 1, change: 2, remove: 3, ...more } }).counts;

  it('has nothing to say where both agree, or where there is nothing to compare', () => {
    expect(warnAboutCounts(summary, counts())).toEqual([]);
    expect(warnAboutCounts(undefined, counts())).toEqual([]);
    expect(warnAboutCounts({ ...summary, operation: 'apply', add: 9 }, counts())).toEqual([]);
  });

  it.each(['add', 'change', 'remove', 'import'] as const)(
    'shows both counts where they differ in what to %s',
    (kind) => {
      const [warning] = warnAboutCounts({ ...summary, [kind]: 9 }, counts());

      expect(warning?.code).toBe('summary-disagrees');
      expect(warning?.message).toContain(`9 to ${kind}`);
      expect(warning?.message).toContain('the document holds 1 to add, 2 to change, 3 to remove, 0 to import');
    },
  );

  it('allows for versions that do not count what is forgotten and created anew', () => {
    expect(warnAboutCounts({ ...summary, add: 0 }, counts({ forget: 1 }))).toEqual([]);
    expect(warnAboutCounts({ ...summary, change: 0 }, counts({ forget: 1 }))).toHaveLength(1);
  });
});
