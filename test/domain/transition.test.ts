import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimRun } from '../../lib/domain/claim.ts';
import { noteOverdue, recordOutcome, type Stack } from '../../lib/domain/transition.ts';
import {
  aDriftedSummary,
  aStack,
  aSummary,
  aTiming,
  eventTypes,
  HOUR,
  lost,
  result,
  runOnce,
  START,
  someAlerts,
} from '../support/stack-builder.ts';

const later = (hours: number) => new Date(START.getTime() + hours * HOUR);

/** Runs one check an hour with these outcomes and gives the events of each. */
function eventsOf(stack: Stack, outcomes: Parameters<typeof runOnce>[1][]): string[][] {
  let current = stack;
  return outcomes.map((outcome, index) => {
    const before = eventTypes(current).length;
    current = runOnce(current, outcome, later(index));
    return eventTypes(current).slice(before);
  });
}

const clean = result(aSummary());
const drifted = (fingerprint = 'a', over = {}) => result(aDriftedSummary(fingerprint, over));
const partial = result(aSummary({ complete: false }));
const pending = result(aSummary({ verdict: 'pending' }));
const busy = result(aSummary({ verdict: 'busy', complete: false }));
const failed = result(aSummary({ verdict: 'failed', complete: false, failure: { code: 'PlanFailed', message: 'no' } }));

describe('the alert lifecycle', () => {
  it.each<[string, Parameters<typeof runOnce>[1][], string[][]]>([
    [
      'tells the first detection, and nothing while it stays the same',
      [drifted(), drifted(), drifted()],
      [['drift.detected'], [], []],
    ],
    ['tells a change of what drifted', [drifted('a'), drifted('b')], [['drift.detected'], ['drift.changed']]],
    ['tells the end', [drifted(), clean], [['drift.detected'], ['drift.resolved']]],
    ['takes a pending change for the end of drift', [drifted(), pending], [['drift.detected'], ['drift.resolved']]],
    ['resolves nothing by a partial check', [drifted(), partial, drifted()], [['drift.detected'], [], []]],
    ['resolves nothing by a failed check', [drifted(), failed, drifted()], [['drift.detected'], [], []]],
    ['resolves nothing by a lost run', [drifted(), lost(), clean], [['drift.detected'], [], ['drift.resolved']]],
    ['resolves nothing by a busy one', [drifted(), busy, drifted()], [['drift.detected'], [], []]],
    [
      'starts anew after the end',
      [drifted(), clean, drifted()],
      [['drift.detected'], ['drift.resolved'], ['drift.detected']],
    ],
    ['says nothing about a stack in sync', [clean, clean, pending], [[], [], []]],
    [
      'alerts for a failing check block as for drift',
      [result(aDriftedSummary('c', { verdict: 'checks-failing', alertClasses: ['check-failing'] })), clean],
      [['drift.detected'], ['drift.resolved']],
    ],
    [
      'calls drift that was accepted into the state absorbed, once',
      [drifted('a'), drifted('b', { alertClasses: ['absorbed'] }), drifted('c', { alertClasses: ['absorbed'] })],
      [['drift.detected'], ['drift.absorbed'], ['drift.changed']],
    ],
    [
      'escalates once when it gets worse, and not when it gets better',
      [
        drifted('a', { severity: 'low' }),
        drifted('b', { severity: 'high' }),
        drifted('b', { severity: 'low' }),
        drifted('b', { severity: 'critical' }),
      ],
      [['drift.detected'], ['drift.changed', 'drift.escalated'], [], []],
    ],
    [
      'names flapping once and is silent about the rest of it',
      [drifted('a'), drifted('b'), drifted('a'), drifted('b'), drifted('a'), drifted('b')],
      [['drift.detected'], ['drift.changed'], ['drift.changed'], ['drift.changed'], [], []],
    ],
    [
      'tells a streak of failures, and its end',
      [failed, lost(), failed, failed, clean],
      [[], [], ['check.failing', 'check.overdue'], [], ['check.recovered']],
    ],
  ])('%s', (_, outcomes, expected) => {
    expect(eventsOf(aStack(), outcomes)).toEqual(expected);
  });

  it('waits for confirming checks, and ends in silence what was not confirmed', () => {
    const stack = aStack({ alerts: someAlerts({ confirmChecks: 2 }) });
    expect(eventsOf(stack, [drifted(), clean, drifted(), drifted(), clean])).toEqual([
      [],
      [],
      [],
      ['drift.detected'],
      ['drift.resolved'],
    ]);
  });

  it('escalates after so many drifted checks', () => {
    const stack = aStack({ alerts: someAlerts({ escalateAfter: 3 }) });
    expect(eventsOf(stack, [drifted(), drifted(), drifted(), drifted()])).toEqual([
      ['drift.detected'],
      [],
      ['drift.escalated'],
      [],
    ]);
  });

  it('reminds after the interval, counted from the last word', () => {
    const stack = aStack({ alerts: someAlerts({ remindEveryMs: 2 * HOUR }) });
    expect(eventsOf(stack, [drifted('a'), drifted('b'), drifted('b'), drifted('b'), drifted('b')])).toEqual([
      ['drift.detected'],
      ['drift.changed'],
      [],
      ['drift.reminder'],
      [],
    ]);
  });

  it('marks a flapping episode in its events', () => {
    let stack = aStack();
    for (const [index, fingerprint] of ['a', 'b', 'a', 'b'].entries())
      stack = runOnce(stack, drifted(fingerprint), later(index));
    expect(stack.state.outbox.map(({ episode }) => episode?.flapping)).toEqual([false, false, false, true]);
  });

  it('says in the last event which episode ended, and forgets it', () => {
    const stack = runOnce(runOnce(aStack(), drifted(), START, 'first'), clean, later(1));
    expect(stack.state.outbox.at(-1)?.episode?.id).toBe('episode-first');
    expect(stack.state.episode).toBeNull();
  });
});

describe('recordOutcome', () => {
  it.each([
    ['nothing is in flight', aStack()],
    ['another run is in flight', { ...aStack(), state: claimRun(aStack(), { runId: 'other', now: START }) }],
  ])('changes nothing where %s', (_, stack) => {
    const transition = recordOutcome(stack, { runId: 'late', outcome: clean }, later(1), () => 'id');
    expect(transition).toEqual({ state: stack.state, applied: false });
  });

  it('frees the stack and remembers the run', () => {
    const { state } = runOnce(aStack(), clean, START, 'run-1');
    expect(state).toMatchObject({ inFlight: null, lastRunId: 'run-1', verdict: 'in-sync', failures: 0 });
    expect(state.lastGoodCheckAt).toBe('2026-03-02T09:01:00.000Z');
  });

  it('does not count a partial check as a good one', () => {
    expect(runOnce(aStack(), partial, START).state.lastGoodCheckAt).toBeNull();
  });

  it('keeps since when the verdict is what it is', () => {
    const once = runOnce(aStack(), clean, START);
    expect(runOnce(once, clean, later(1)).state.since).toBe(once.state.since);
    expect(runOnce(once, drifted(), later(1)).state.since).toBe('2026-03-02T10:01:00.000Z');
  });

  it('takes over a baseline and keeps the last one otherwise', () => {
    const baseline = {
      digests: { basis: 'files', config: '', inputs: '', providers: null },
      at: START.toISOString(),
    } as const;
    const once = runOnce(aStack(), result(aSummary({ baseline })), START);
    expect(once.state.baseline).toEqual(baseline);
    expect(runOnce(once, pending, later(1)).state.baseline).toEqual(baseline);
  });

  it('tries a failed run again with a growing pause, and counts one failure when all attempts are used up', () => {
    const stack = aStack({ retry: { attempts: 3, backoffMs: 60_000 } });
    const first = runOnce(stack, lost(), START);
    expect(first.state).toMatchObject({ nextAttempt: 2, dueBecause: 'retry', failures: 0, verdict: null });
    expect(first.state.nextDueAt).toBe('2026-03-02T09:02:00.000Z');
    const second = runOnce(first, failed, new Date('2026-03-02T09:02:00Z'));
    expect(second.state.nextDueAt).toBe('2026-03-02T09:05:00.000Z');
    const third = runOnce(second, failed, new Date('2026-03-02T09:05:00Z'));
    expect(third.state).toMatchObject({ nextAttempt: 1, dueBecause: null, failures: 1, verdict: 'failed' });
  });

  it('does not try again where the regular check comes first', () => {
    const { state } = runOnce(aStack({ retry: { attempts: 3, backoffMs: 2 * HOUR } }), lost(), START);
    expect(state).toMatchObject({ nextAttempt: 1, dueBecause: null });
  });

  it('counts every failure of a stack whose regular check comes before any retry', () => {
    const often = {
      retry: { attempts: 3, backoffMs: HOUR },
      timing: aTiming({ schedules: [{ kind: 'rate' as const, everyMs: 60_000 }] }),
    };
    const once = runOnce(aStack(often), failed, START);
    expect(once.state).toMatchObject({ verdict: 'failed', failures: 1, nextAttempt: 1, dueBecause: null });
    const types = eventsOf(aStack(often), [failed, failed, failed]).flat();
    expect(types).toContain('check.failing');
  });

  it('leaves a busy stack to its regular check where that comes first', () => {
    const often = { retry: { attempts: 1, backoffMs: 2 * HOUR } };
    expect(runOnce(aStack(often), busy, START).state).toMatchObject({ verdict: 'busy', dueBecause: null });
  });

  it('does not take a partial check for a recovery', () => {
    expect(eventsOf(aStack(), [failed, failed, failed, partial, clean]).slice(3)).toEqual([[], ['check.recovered']]);
  });

  it('looks at a busy stack again soon, without counting a failure', () => {
    const { state } = runOnce(aStack(), busy, START);
    expect(state).toMatchObject({ verdict: 'busy', failures: 0, dueBecause: 'retry', nextAttempt: 1 });
  });

  it('makes the stack due at once where somebody asked while it ran', () => {
    const { spec, state } = aStack();
    const claimed = { ...claimRun({ spec, state }, { runId: 'r', now: START }), dueBecause: 'manual' as const };
    const after = recordOutcome({ spec, state: claimed }, { runId: 'r', outcome: clean }, later(0.1), () => 'id');
    expect(after.state.nextDueAt).toBe(later(0.1).toISOString());
  });

  it.each([
    ['is suspended', { suspended: 'migration' }],
    ['has a schedule that never fires again', { timing: aTiming({ schedules: [] }) }],
  ])('leaves a stack without a next check where it %s', (_, spec) => {
    expect(runOnce(aStack(spec), clean, START).state.nextDueAt).toBeNull();
  });

  it('numbers events without gaps and gives equal states for equal runs', () => {
    const outcome = fc.constantFrom(
      clean,
      partial,
      pending,
      busy,
      failed,
      lost(),
      drifted('a'),
      drifted('b', { severity: 'high' }),
    );
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 30 }), (outcomes) => {
        const run = () => outcomes.reduce((stack, next, index) => runOnce(stack, next, later(index)), aStack());
        const { state } = run();
        expect(state.outbox.map(({ sequence }) => sequence)).toEqual(
          state.outbox.map((_, index) => START.getTime() + index + 1),
        );
        expect(run().state).toEqual(state);
      }),
    );
  });

  it('never resolves what was not detected, and detects nothing twice', () => {
    const outcome = fc.constantFrom(clean, partial, pending, busy, failed, lost(), drifted('a'), drifted('b'));
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 40 }), fc.integer({ min: 1, max: 3 }), (outcomes, confirmChecks) => {
        const start = aStack({ alerts: someAlerts({ confirmChecks }) });
        const types = eventsOf(start, outcomes).flat();
        const ends = types.filter((type) => type === 'drift.detected' || type === 'drift.resolved');
        expect(ends).toEqual(ends.map((_, index) => (index % 2 === 0 ? 'drift.detected' : 'drift.resolved')));
      }),
    );
  });
});

describe('noteOverdue', () => {
  it('says once that there was no good check for two intervals', () => {
    const stack = aStack();
    expect(noteOverdue(stack, later(1.5))).toBe(stack.state);
    const noted = noteOverdue(stack, later(3.1));
    expect(noted.outbox.map(({ type }) => type)).toEqual(['check.overdue']);
    expect(noted.version).toBe(stack.state.version + 1);
    expect(noteOverdue({ ...stack, state: noted }, later(9))).toBe(noted);
  });

  it('says so again after a good check in between', () => {
    const noted = { ...aStack(), state: noteOverdue(aStack(), later(4)) };
    const good = runOnce(noted, clean, later(4));
    expect(eventTypes({ ...good, state: noteOverdue(good, later(8)) })).toEqual(['check.overdue', 'check.overdue']);
  });

  it.each([
    ['suspended', { suspended: 'migration' }],
    ['without a schedule', { timing: aTiming({ schedules: [] }) }],
    [
      'on its last scheduled time',
      { timing: aTiming({ schedules: [{ kind: 'cron' as const, expression: '0 0 10 2 3 * 2026', timezone: 'UTC' }] }) },
    ],
  ])('says nothing about a stack that is %s', (_, spec) => {
    const stack = aStack(spec);
    expect(noteOverdue(stack, later(1000))).toBe(stack.state);
  });
});
