import { describe, expect, it } from 'vitest';
import {
  claimRun,
  initialState,
  isDue,
  MOST_QUEUED_EVENTS,
  noteTask,
  requestCheck,
  reschedule,
} from '../../lib/domain/claim.ts';
import { clearOutbox } from '../../lib/domain/event-log.ts';
import { aDriftedSummary, aSpec, aStack, aTiming, HOUR, result, runOnce, START } from '../support/stack-builder.ts';

const { spec, state } = aStack();

describe('a new stack', () => {
  it('is due by its schedule', () => {
    const due = Date.parse(String(state.nextDueAt));
    expect(due).toBeGreaterThan(START.getTime());
    expect(due).toBeLessThanOrEqual(START.getTime() + HOUR);
  });

  it.each([
    ['suspended', aSpec({ suspended: 'why' })],
    ['without schedule', aSpec({ timing: aTiming({ schedules: [] }) })],
  ])('is never due where it is %s', (_, quiet) => {
    expect(initialState(quiet, START).nextDueAt).toBeNull();
  });
});

describe('isDue', () => {
  const due = { ...state, nextDueAt: START.toISOString() };

  it.each([
    ['its time has come', due, true],
    ['its time is to come', { ...state, nextDueAt: new Date(START.getTime() + 1).toISOString() }, false],
    ['it has none', { ...state, nextDueAt: null }, false],
    [
      'a run is in flight',
      { ...claimRun({ spec, state: due }, { runId: 'r', now: START }), nextDueAt: START.toISOString() },
      false,
    ],
  ])('decides where %s', (_, candidate, expected) => {
    expect(isDue(candidate, START)).toBe(expected);
  });

  it('holds a stack back whose events nobody takes', () => {
    const [event] = runOnce(aStack(), result(aDriftedSummary('a')), START).state.outbox;
    if (event === undefined) throw new Error('no event');
    const outbox = Array.from({ length: MOST_QUEUED_EVENTS + 1 }, () => event);
    expect(isDue({ ...due, outbox }, START)).toBe(false);
    expect(isDue({ ...due, outbox: outbox.slice(1) }, START)).toBe(true);
  });
});

describe('claimRun', () => {
  it('takes the stack out of the due ones until well after its time-out', () => {
    const claimed = claimRun({ spec, state }, { runId: 'r', now: START });
    expect(claimed).toMatchObject({ version: state.version + 1, nextDueAt: null });
    expect(claimed.inFlight).toEqual({
      runId: 'r',
      trigger: 'schedule',
      attempt: 1,
      startedAt: START.toISOString(),
      deadline: '2026-03-02T09:40:00.000Z',
      taskArn: null,
    });
  });

  it('remembers why it was due', () => {
    const retry = { ...state, dueBecause: 'retry', nextAttempt: 2 } as const;
    expect(claimRun({ spec, state: retry }, { runId: 'r', now: START }).inFlight).toMatchObject({
      trigger: 'retry',
      attempt: 2,
    });
  });
});

describe('noteTask', () => {
  const claimed = claimRun({ spec, state }, { runId: 'r', now: START });

  it('keeps the task of the run in flight', () => {
    expect(noteTask(claimed, 'r', 'arn:task')).toMatchObject({
      version: claimed.version + 1,
      inFlight: { taskArn: 'arn:task' },
    });
  });

  it('changes nothing for another run, a finished one, or a task that is known', () => {
    const noted = noteTask(claimed, 'r', 'arn:task');
    expect(noteTask(claimed, 'other', 'arn:task')).toBe(claimed);
    expect(noteTask(state, 'r', 'arn:task')).toBe(state);
    expect(noteTask(noted, 'r', 'arn:task')).toBe(noted);
  });
});

describe('requestCheck', () => {
  it('makes the stack due at once', () => {
    expect(requestCheck({ ...state, nextAttempt: 3 }, START)).toMatchObject({
      dueBecause: 'manual',
      nextAttempt: 1,
      nextDueAt: START.toISOString(),
    });
  });

  it('waits for the run in flight', () => {
    const claimed = claimRun({ spec, state }, { runId: 'r', now: START });
    expect(requestCheck(claimed, START)).toMatchObject({ dueBecause: 'manual', nextDueAt: null });
  });
});

describe('reschedule', () => {
  it('follows a new schedule', () => {
    const faster = aSpec({ timing: aTiming({ schedules: [{ kind: 'rate', everyMs: 60_000 }] }) });
    const due = Date.parse(String(reschedule({ spec: faster, state }, START).nextDueAt));
    expect(due).toBeLessThanOrEqual(START.getTime() + 60_000);
  });

  it('stops a stack that was suspended, or whose schedule ended', () => {
    expect(reschedule({ spec: aSpec({ suspended: 'why' }), state }, START).nextDueAt).toBeNull();
    expect(reschedule({ spec: aSpec({ timing: aTiming({ schedules: [] }) }), state }, START).nextDueAt).toBeNull();
  });

  it('leaves a run in flight and a requested check alone', () => {
    const claimed = claimRun({ spec, state }, { runId: 'r', now: START });
    expect(reschedule({ spec, state: claimed }, START)).toBe(claimed);
    const requested = requestCheck(state, START);
    expect(reschedule({ spec, state: requested }, START)).toBe(requested);
  });
});

describe('clearOutbox', () => {
  it('takes out what is published and keeps what came since', () => {
    const stack = runOnce(
      runOnce(aStack(), result(aDriftedSummary('a')), START),
      result(aDriftedSummary('b')),
      new Date(START.getTime() + HOUR),
    );
    const first = START.getTime() + 1;
    expect(clearOutbox(stack.state, first).outbox.map(({ sequence }) => sequence)).toEqual([first + 1]);
    expect(clearOutbox(stack.state, first).sequence).toBe(first + 1);
  });
});
