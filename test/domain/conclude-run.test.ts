import { describe, expect, it } from 'vitest';
import { claimRun, requestCheck } from '../../lib/domain/claim.ts';
import { concludeRun } from '../../lib/domain/conclude-run.ts';
import type { RunOutcome } from '../../lib/domain/run.ts';
import type { StackSpec, TaskSize } from '../../lib/domain/stack-spec.ts';
import { suspend } from '../../lib/domain/suspension.ts';
import { recordOutcome, type Stack } from '../../lib/domain/transition.ts';
import { aStack, aSummary, result, START } from '../support/stack-builder.ts';

const END = new Date(START.getTime() + 60_000);
const TASK: TaskSize = { cpu: 1024, memoryMiB: 2048, arch: 'arm64' };

const claimed = (spec: Partial<StackSpec> = {}): Stack => {
  const stack = aStack(spec, { nextAttempt: 2 });
  return { ...stack, state: claimRun(stack, { runId: 'run-1', now: START }) };
};

const lost = (code: string, outOfMemory = false): RunOutcome => ({
  kind: 'lost',
  failure: { code, message: 'why' },
  outOfMemory,
});

const OUT_OF_MEMORY = lost('OutOfMemory', true);

const conclude = (stack: Stack, outcome: RunOutcome, { task = TASK, runId = 'run-1' } = {}) =>
  concludeRun(stack, { runId, outcome, task }, END, () => 'episode-1');

describe('concludeRun', () => {
  it('tries a run that ran out of memory again at once, one size up', () => {
    const stack = claimed();
    const { state, applied } = conclude(stack, OUT_OF_MEMORY);

    expect(applied).toBe(true);
    expect(state).toMatchObject({
      version: stack.state.version + 1,
      inFlight: null,
      task: { cpu: 1024, memoryMiB: 4096, arch: 'arm64' },
      nextDueAt: END.toISOString(),
      dueBecause: 'retry',
      nextAttempt: 2,
      failures: 0,
      lastRunId: 'run-1',
      lastCheckAt: END.toISOString(),
      outbox: [],
    });
  });

  it('counts running out of the largest memory as a failure', () => {
    const stack = claimed();
    const run = { runId: 'run-1', outcome: OUT_OF_MEMORY };
    const task = { ...TASK, memoryMiB: 16_384 };

    const { state } = conclude(stack, OUT_OF_MEMORY, { task });

    expect(state).toEqual(recordOutcome(stack, run, END, () => 'episode-1').state);
    expect(state.failures).toBe(1);
  });

  it('tries a run that lost its capacity again after the backoff, as the same attempt', () => {
    const { state } = conclude(claimed({ retry: { attempts: 1, backoffMs: 90_000 } }), lost('Interrupted'));

    expect(state).toMatchObject({
      nextDueAt: new Date(END.getTime() + 90_000).toISOString(),
      dueBecause: 'retry',
      nextAttempt: 2,
      failures: 0,
      task: null,
    });
  });

  it('gives a check that was asked for meanwhile precedence, at once', () => {
    const stack = claimed();
    const asked = { ...stack, state: requestCheck(stack.state, END) };

    expect(conclude(asked, lost('Interrupted')).state).toMatchObject({
      nextDueAt: END.toISOString(),
      dueBecause: 'manual',
      nextAttempt: 1,
    });
  });

  it('leaves a stack alone that was suspended meanwhile', () => {
    const stack = claimed();
    const suspended = { ...stack, state: suspend(stack.state, 'migration') };

    expect(conclude(suspended, OUT_OF_MEMORY).state).toMatchObject({ nextDueAt: null, dueBecause: null });
  });

  it.each([result(aSummary()), lost('UnexpectedExit')])('leaves $kind to the transition', (outcome) => {
    const stack = claimed();
    const expected = recordOutcome(stack, { runId: 'run-1', outcome }, END, () => 'episode-1');

    expect(conclude(stack, outcome)).toEqual(expected);
  });

  it('changes nothing for a run that is not in flight', () => {
    const stack = claimed();
    expect(conclude(stack, OUT_OF_MEMORY, { runId: 'run-0' })).toEqual({ state: stack.state, applied: false });
    const idle = aStack();
    expect(conclude(idle, OUT_OF_MEMORY)).toEqual({ state: idle.state, applied: false });
  });
});
