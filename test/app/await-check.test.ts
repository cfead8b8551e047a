import { describe, expect, it } from 'vitest';
import { createMemoryRunStore } from '../../lib/adapters/memory-run-store.ts';
import { createMemoryStackStore } from '../../lib/adapters/memory-stack-store.ts';
import { type AwaitCheckDeps, awaitCheck, type CheckStep } from '../../lib/app/await-check.ts';
import type { RunRecord } from '../../lib/domain/run.ts';
import type { InFlight, StackState } from '../../lib/domain/stack-state.ts';
import { aRun } from '../support/run-builder.ts';
import { aStack, aSummary, result, START } from '../support/stack-builder.ts';

const MANUAL = aRun({ runId: 'manual', trigger: 'manual' });
const stackId = 'prod/network';

const inFlight = (runId: string): InFlight => ({
  runId,
  trigger: 'manual',
  attempt: 1,
  startedAt: START.toISOString(),
  deadline: START.toISOString(),
  taskArn: null,
});

/** A stack, and what happens to it while somebody waits: one step after the other, a second each. */
async function aWorld(steps: readonly ((deps: AwaitCheckDeps) => Promise<unknown>)[], state: Partial<StackState> = {}) {
  const told: CheckStep[] = [];
  let seconds = 0;
  const deps: AwaitCheckDeps = {
    stacks: createMemoryStackStore(),
    runs: createMemoryRunStore(),
    clock: { now: () => new Date(START.getTime() + 1000 * seconds) },
    wait: async (ms, signal) => {
      signal.throwIfAborted();
      await steps[seconds]?.(deps);
      seconds += ms / 1000;
    },
    onStep: (step) => told.push(step),
  };
  const stack = aStack({}, state);
  await deps.stacks.putSpec(stack.spec, stack.state);
  return { deps, told };
}

const change = async (deps: AwaitCheckDeps, over: Partial<StackState>) => {
  const stack = await deps.stacks.get(stackId);
  if (stack !== undefined) await deps.stacks.saveState({ ...stack.state, version: stack.state.version + 1, ...over });
};
const launch = (run: RunRecord) => async (deps: AwaitCheckDeps) => {
  await change(deps, { inFlight: inFlight(run.runId) });
  await deps.runs.create(run);
};
const end = (run: RunRecord) => async (deps: AwaitCheckDeps) => {
  await change(deps, { inFlight: null, lastRunId: run.runId });
  await deps.runs.finish(run.runId, result(aSummary()), START);
};

const input = { stackId, timeoutMs: 10_000, signal: new AbortController().signal };

describe('awaitCheck', () => {
  it('asks for a check, and waits for the run that comes of it', async () => {
    const { deps, told } = await aWorld([
      async () => {},
      launch(MANUAL),
      ({ runs }) => runs.started('manual', 'arn'),
      async () => {},
      end(MANUAL),
    ]);
    const run = await awaitCheck(deps, input);

    expect(run).toMatchObject({ runId: 'manual', outcome: { kind: 'result' } });
    expect((await deps.stacks.get(stackId))?.state.dueBecause).toBe('manual');
    expect(told).toEqual([
      { kind: 'requested', behind: null },
      { kind: 'queued', runId: 'manual' },
      { kind: 'running', runId: 'manual' },
    ]);
  });

  it('waits for the one after the run that is in flight, whoever asked for that', async () => {
    const { deps, told } = await aWorld([end(aRun({ runId: 'earlier' })), launch(MANUAL), end(MANUAL)], {
      inFlight: inFlight('earlier'),
    });
    await deps.runs.create(aRun({ runId: 'earlier', trigger: 'manual' }));

    expect((await awaitCheck(deps, input)).runId).toBe('manual');
    expect(told[0]).toEqual({ kind: 'requested', behind: 'earlier' });
  });

  it('takes no run of the schedule for its own', async () => {
    const scheduled = aRun({ runId: 'scheduled', trigger: 'schedule' });
    const { deps } = await aWorld([launch(scheduled), end(scheduled), launch(MANUAL), end(MANUAL)]);

    expect((await awaitCheck(deps, input)).runId).toBe('manual');
  });

  it('waits for a run whose record is still to be written', async () => {
    const { deps } = await aWorld([
      (world) => change(world, { inFlight: inFlight('manual') }),
      ({ runs }) => runs.create(MANUAL),
      end(MANUAL),
    ]);

    expect((await awaitCheck(deps, input)).runId).toBe('manual');
  });

  it('fails when it takes too long', async () => {
    const { deps } = await aWorld([]);

    await expect(awaitCheck(deps, input)).rejects.toMatchObject({
      code: 'TimedOut',
      hint: expect.stringContaining('holdfast runs prod/network'),
    });
  });

  it('fails when it is interrupted', async () => {
    const { deps } = await aWorld([]);
    const reason = new Error('Ctrl-C');

    await expect(awaitCheck(deps, { ...input, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('fails on a stack that is not there, or goes away', async () => {
    const { deps } = await aWorld([({ stacks }) => stacks.remove(stackId)]);

    await expect(awaitCheck(deps, { ...input, stackId: 'dev/nope' })).rejects.toMatchObject({ code: 'StackNotFound' });
    await expect(awaitCheck(deps, input)).rejects.toThrow('left the catalogue');
  });
});
