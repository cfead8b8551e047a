import { describe, expect, it } from 'vitest';
import { claimRun, reschedule } from '../../lib/domain/claim.ts';
import { expectChecks, resume, suspend, suspensionOf } from '../../lib/domain/suspension.ts';
import { noteOverdue, recordOutcome } from '../../lib/domain/transition.ts';
import { aStack, aSummary, HOUR, result, START } from '../support/stack-builder.ts';

const later = (hours: number) => new Date(START.getTime() + hours * HOUR);

describe('suspensionOf', () => {
  it('tells the reason by hand before that of the catalogue', () => {
    expect(suspensionOf(aStack({ suspended: 'retired' }, { suspended: 'incident' }))).toBe('incident');
    expect(suspensionOf(aStack({ suspended: 'retired' }))).toBe('retired');
    expect(suspensionOf(aStack())).toBeNull();
  });
});

describe('a stack suspended by hand', () => {
  const stack = aStack();
  const suspended = { ...stack, state: suspend(stack.state, 'incident') };

  it('has no due time', () => {
    expect(suspended.state).toMatchObject({ nextDueAt: null, version: stack.state.version + 1 });
    expect(reschedule(suspended, later(1)).nextDueAt).toBeNull();
  });

  it('gets none after the run that was in flight', () => {
    const state = suspend(claimRun(stack, { runId: 'run-1', now: START }), 'incident');
    const run = { runId: 'run-1', outcome: result(aSummary()) };
    expect(recordOutcome({ ...stack, state }, run, later(1), () => 'e').state.nextDueAt).toBeNull();
  });

  it('is not overdue', () => {
    expect(noteOverdue(suspended, later(100))).toBe(suspended.state);
  });

  it('is overdue two intervals after it was resumed, not before', () => {
    const resumed = { ...stack, state: resume(suspended.state, later(100)) };
    expect(resumed.state.suspended).toBeNull();
    expect(noteOverdue(resumed, later(101))).toBe(resumed.state);
    expect(noteOverdue(resumed, later(103)).outbox.map(({ type }) => type)).toEqual(['check.overdue']);
  });

  it('stays suspended where only the catalogue wants it again', () => {
    expect(expectChecks(suspended.state, later(1)).suspended).toBe('incident');
  });
});
