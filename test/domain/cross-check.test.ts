import { describe, expect, it } from 'vitest';
import { crossCheck } from '../../lib/domain/cross-check.ts';
import { readPlanDocument } from '../../lib/domain/plan-document.ts';
import { type PlanParts, planText } from '../support/plan-builder.ts';

const UPDATE: PlanParts = { changes: [{ address: 'x.y', actions: ['update'], before: { a: 1 }, after: { a: 2 } }] };
const NOTHING: PlanParts = { changes: [{ address: 'x.y' }] };

const check = (exitCode: number | null, parts: PlanParts, mode: 'plan' | 'refresh-only' = 'plan') => {
  const { failure, warnings } = crossCheck(exitCode, readPlanDocument(planText(parts)), mode);
  return failure?.code ?? warnings[0]?.code ?? 'agreed';
};

describe('exit code 0', () => {
  it.each<[string, PlanParts]>([
    ['nothing', NOTHING],
    ['an output that stays (field case A2)', { ...NOTHING, outputs: { a: ['no-op'] } }],
    ['drift that the plan leaves alone (A4)', { ...NOTHING, drift: [{ address: 'x.y', actions: ['update'] }] }],
    ['a data source to read', { changes: [{ address: 'data.x.y', mode: 'data', actions: ['read'] }] }],
    ['nothing, and says so', { ...NOTHING, more: { applyable: false } }],
  ])('agrees with a document that holds %s', (_, parts) => {
    expect(check(0, parts)).toBe('agreed');
  });

  it.each<[string, PlanParts]>([
    ['a change', UPDATE],
    ['an unknown action (B2)', { changes: [{ address: 'x.y', actions: ['transmute'] }] }],
    ['no action at all', { changes: [{ address: 'x.y', actions: [] }] }],
    ['something to apply (A10)', { ...NOTHING, more: { applyable: true } }],
  ])('fails beside a document that holds %s: a wrapper may have eaten the code', (_, parts) => {
    expect(check(0, parts)).toBe('ExitCodeDisagrees');
  });

  it('agrees with a refresh-only plan that would only write the state', () => {
    const parts = { drift: [{ address: 'x.y', actions: ['update'] }], more: { applyable: true } };

    expect(check(0, parts, 'refresh-only')).toBe('agreed');
  });
});

describe('exit code 2', () => {
  it.each<[string, PlanParts]>([
    ['a change', UPDATE],
    ['drift', { drift: [{ address: 'x.y', actions: ['delete'] }] }],
    ['an output that changes (A1)', { ...NOTHING, outputs: { a: ['update'] } }],
    ['a data source to read (A5)', { changes: [{ address: 'data.x.y', mode: 'data', actions: ['read'] }] }],
    ['a move', { changes: [{ address: 'x.y', from: 'x.z' }] }],
    ['an import', { changes: [{ address: 'x.y', importing: true }] }],
    ['something to forget (B2)', { changes: [{ address: 'x.y', actions: ['forget'] }] }],
    ['an action to invoke (B10)', { ...NOTHING, more: { action_invocations: [{ address: 'action.a.b' }] } }],
    [
      'a change put off (B9)',
      {
        ...NOTHING,
        more: {
          deferred_changes: [
            { reason: 'x', resource_change: { address: 'x.y[*]', type: 'x', change: { actions: [] } } },
          ],
        },
      },
    ],
  ])('agrees with a document that holds %s', (_, parts) => {
    expect(check(2, parts)).toBe('agreed');
  });

  it('is explained where the document holds nothing: only the form of the state differs (A3)', () => {
    const { failure, warnings } = crossCheck(
      2,
      readPlanDocument(planText({ ...NOTHING, more: { resource_changes: undefined, applyable: true } })),
      'refresh-only',
    );

    expect(failure).toBeNull();
    expect(warnings).toEqual([
      { code: 'exit-code-without-changes', message: expect.stringContaining('form of the state') },
    ]);
  });

  it('fails beside a document that says there is nothing to apply', () => {
    expect(check(2, { ...UPDATE, more: { applyable: false } })).toBe('ExitCodeDisagrees');
  });
});

describe('any other exit code', () => {
  it('of 1 fails whatever the document says: an errored plan still writes one (B4)', () => {
    expect(check(1, NOTHING)).toBe('PlanFailed');
    expect(check(1, UPDATE)).toBe('PlanFailed');
  });

  it.each([137, 143, -9, 139, 3, 255])('of %i fails, and is never "no drift" (A11)', (exitCode) => {
    expect(check(exitCode, NOTHING)).toBe('UnexpectedExit');
  });

  it.each([0, 1, 2, 137, null])('of %s fails beside an errored document (B4)', (exitCode) => {
    expect(check(exitCode, { ...UPDATE, more: { errored: true, complete: false, applyable: false } })).toBe(
      'PlanErrored',
    );
  });

  it('that is not known leaves all to the document', () => {
    expect(check(null, NOTHING)).toBe('agreed');
    expect(check(null, UPDATE)).toBe('agreed');
  });
});

describe('without a document', () => {
  it.each([
    [0, undefined],
    [1, 'PlanFailed'],
    [2, 'PlanUnreadable'],
    [137, 'UnexpectedExit'],
    [null, 'PlanUnreadable'],
  ])('exit code %s comes to %s', (exitCode, code) => {
    expect(crossCheck(exitCode, undefined, 'plan').failure?.code).toBe(code);
  });
});
