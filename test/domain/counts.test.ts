import { describe, expect, it } from 'vitest';
import { count } from '../../lib/domain/counts.ts';
import { readPlanDocument } from '../../lib/domain/plan-document.ts';
import { aFinding } from '../support/builders.ts';
import { type Entry, type PlanParts, planText } from '../support/plan-builder.ts';

const FOUND = { findings: [], suppressed: [], noise: [] };

const counts = (parts: PlanParts) =>
  Object.fromEntries(
    Object.entries(count(readPlanDocument(planText(parts)), FOUND)).filter(([, number]) => number > 0),
  );

describe('count', () => {
  it.each<[string, Entry, Record<string, number>]>([
    ['a creation', { address: 'x.y', actions: ['create'] }, { add: 1 }],
    ['an update', { address: 'x.y', actions: ['update'] }, { change: 1 }],
    ['a deletion', { address: 'x.y', actions: ['delete'] }, { remove: 1 }],
    ['a replacement on both sides', { address: 'x.y', actions: ['delete', 'create'] }, { add: 1, remove: 1 }],
    ['a replacement in the other order', { address: 'x.y', actions: ['create', 'delete'] }, { add: 1, remove: 1 }],
    ['a deposed object', { address: 'x.y', deposed: '1', actions: ['delete'] }, { remove: 1 }],
    ['an import beside its action', { address: 'x.y', actions: ['update'], importing: true }, { import: 1, change: 1 }],
    ['what leaves management (B2)', { address: 'x.y', actions: ['forget'] }, { forget: 1 }],
    ['a move', { address: 'x.y', from: 'x.z' }, { move: 1 }],
    ['no move to where it was', { address: 'x.y', from: 'x.y' }, {}],
    ['a data source to read', { address: 'data.x.y', mode: 'data', actions: ['read'] }, { read: 1 }],
    ['no data source that goes', { address: 'data.x.y', mode: 'data', actions: ['delete'] }, {}],
    ['no resource that stays', { address: 'x.y' }, {}],
  ])('counts %s', (_, entry, expected) => {
    expect(counts({ changes: [entry] })).toEqual(expected);
  });

  it('counts outputs whose value would change (A1, A2)', () => {
    expect(counts({ outputs: { a: ['create'], b: ['no-op'], c: ['update'] } })).toEqual({ outputs: 2 });
  });

  it('counts actions and what was put off (B9, B10)', () => {
    const deferred = { resource_change: { address: 'x.y[*]', type: 'x', change: { actions: ['create'] } } };
    const more = { action_invocations: [{ address: 'action.a.b' }], deferred_changes: [deferred, deferred] };

    expect(counts({ more })).toEqual({ actions: 1, deferred: 2 });
  });

  it('counts findings by their standing, and what is not among them', () => {
    const findings = (['drift', 'drift', 'check', 'pending', 'informational'] as const).map((standing) =>
      aFinding({ standing }),
    );
    const noise = [{ address: 'x.y', paths: [], reason: 'empty-flip' }] as const;

    expect(count(undefined, { ...FOUND, findings, noise })).toMatchObject({
      drift: 2,
      checks: 1,
      pending: 1,
      informational: 1,
      suppressed: 0,
      noise: 1,
    });
  });

  it('counts nothing planned without a document', () => {
    expect(Object.values(count(undefined, FOUND)).every((number) => number === 0)).toBe(true);
  });
});
