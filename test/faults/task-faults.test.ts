import { describe, expect, it } from 'vitest';
import { REPORT_OBJECT, runPrefix } from '../../lib/contract/keys.ts';
import type { StackSpec } from '../../lib/domain/stack-spec.ts';
import type { TaskEnd } from '../../lib/domain/task-end.ts';
import type { FakeTask } from '../support/fake-ecs.ts';
import { expectSound, settle } from '../support/pipeline-invariants.ts';
import {
  clean,
  createPipelineWorld,
  drifted,
  failed,
  HOUR,
  MINUTE,
  type PipelineWorld,
  STACK,
} from '../support/pipeline-world.ts';

const idle = async () => undefined;

async function start(spec: Partial<StackSpec> = {}): Promise<{ world: PipelineWorld; task: FakeTask }> {
  const world = await createPipelineWorld([spec]);
  await world.tick();
  world.pass(MINUTE);
  return { world, task: runningTask(world) };
}

function runningTask(world: PipelineWorld): FakeTask {
  const [task] = world.ecs.running();
  if (task === undefined) throw new TypeError('no task is running');
  return task;
}

async function end(world: PipelineWorld, task: FakeTask, how: Partial<TaskEnd>): Promise<void> {
  world.ecs.finish(task, how);
  await world.deliver(task);
}

const failureOf = async (world: PipelineWorld) => {
  const [run] = await world.runsOf();
  return run?.outcome?.kind === 'lost' ? run.outcome.failure : undefined;
};

const SPOT: Partial<TaskEnd> = {
  exitCode: 137,
  stopCode: 'SpotInterruption',
  stoppedReason: 'Your Spot Task was interrupted.',
};
const OUT_OF_MEMORY: Partial<TaskEnd> = {
  exitCode: 137,
  containerReason: 'OutOfMemoryError: container killed due to memory usage',
};

describe('a task that is killed', () => {
  it.each<[string, Partial<TaskEnd>, string]>([
    ['by an exit with an error', { exitCode: 1, containerReason: 'it fell over' }, 'UnexpectedExit'],
    ['by somebody', { exitCode: 143, stopCode: 'UserInitiated', stoppedReason: 'by hand' }, 'UnexpectedExit'],
    [
      'before it started, for want of its image',
      { exitCode: null, stopCode: 'TaskFailedToStart', containerReason: 'CannotPullContainerError: not found' },
      'TaskNotStarted',
    ],
    ['without an exit code or a reason', { exitCode: null, stopCode: null, stoppedReason: null }, 'TaskNotStarted'],
  ])('%s fails the check, with the reason', async (_how, how, code) => {
    const { world, task } = await start();
    await end(world, task, how);

    expect(await failureOf(world)).toMatchObject({ code });
    expect(await world.state()).toMatchObject({ verdict: 'failed', failures: 1, lastGoodCheckAt: null });
    await expectSound(world, STACK);
  });

  it('is tried again with its backoff, as many times as the catalogue allows, and then told of once', async () => {
    const alerts = { confirmChecks: 1, failureStreak: 1, remindEveryMs: HOUR, escalateAfter: null };
    const { world, task } = await start({ retry: { attempts: 3, backoffMs: 2 * MINUTE }, alerts });
    await end(world, task, { exitCode: 1 });
    const waits: number[] = [];
    for (const attempt of [2, 3]) {
      const { nextDueAt, nextAttempt } = await world.state();
      expect(nextAttempt).toBe(attempt);
      waits.push((Date.parse(nextDueAt ?? '') - world.now().getTime()) / MINUTE);
      world.pass(Date.parse(nextDueAt ?? '') - world.now().getTime());
      await world.tick();
      await end(world, runningTask(world), { exitCode: 1 });
    }

    expect(waits).toEqual([2, 4]);
    expect((await world.runsOf()).map(({ attempt, trigger }) => [attempt, trigger])).toEqual([
      [3, 'retry'],
      [2, 'retry'],
      [1, 'schedule'],
    ]);
    expect(await world.state()).toMatchObject({ failures: 1, nextAttempt: 1, dueBecause: null });
    expect(world.eventTypes()).toEqual(['check.failing']);
    await expectSound(world, STACK);
  });
});

describe('a task that runs out of memory', () => {
  it('is tried again at once with twice the memory, which the stack keeps', async () => {
    const { world, task } = await start({ task: { cpu: 256, memoryMiB: 2048, arch: 'arm64' } });
    await end(world, task, OUT_OF_MEMORY);
    expect(await failureOf(world)).toMatchObject({ code: 'OutOfMemory' });

    await world.tick();
    const larger = runningTask(world);
    expect(larger.request.task).toEqual({ cpu: 512, memoryMiB: 4096, arch: 'arm64' });
    await world.report(larger, clean());
    await world.deliver(larger);
    expect(await world.state()).toMatchObject({ verdict: 'in-sync', failures: 0 });

    await settle(world, { endTasks: idle, minutes: 120 });
    expect(runningTask(world).request.task.memoryMiB).toBe(4096);
    expect(world.eventTypes()).toEqual([]);
  });

  it('fails the check once there is no larger size that makes sense', async () => {
    const { world, task } = await start({ task: { cpu: 256, memoryMiB: 512, arch: 'arm64' } });
    let running = task;
    for (const memoryMiB of [512, 1024, 2048, 4096]) {
      expect(running.request.task.memoryMiB).toBe(memoryMiB);
      await end(world, running, OUT_OF_MEMORY);
      await world.tick();
      running = world.ecs.running()[0] ?? running;
    }
    expect(world.ecs.running()).toEqual([]);
    expect(await world.state()).toMatchObject({ failures: 1, verdict: 'failed' });
    await expectSound(world, STACK);
  });

  it('is recognised behind a failure that the runner reports, because only a child was killed', async () => {
    const { world, task } = await start();
    await world.report(task, failed(), { ...OUT_OF_MEMORY, exitCode: 0 });
    await world.deliver(task);

    expect(await failureOf(world)).toMatchObject({ code: 'OutOfMemory' });
    expect(await world.state()).toMatchObject({ task: { memoryMiB: 4096 }, failures: 0, dueBecause: 'retry' });
  });

  it('keeps a result that it had written before', async () => {
    const { world, task } = await start();
    await world.report(task, drifted(), OUT_OF_MEMORY);
    await world.deliver(task);
    expect(await world.state()).toMatchObject({ verdict: 'drifted', task: null });
  });
});

describe('a task that loses its capacity', () => {
  it.each<[string, Parameters<PipelineWorld['report']>[1] | null]>([
    ['without a result', null],
    ['with an interruption as its result', failed({ failure: { code: 'Interrupted', message: 'interrupted' } })],
  ])('%s is tried again and counts for nothing', async (_how, result) => {
    const { world, task } = await start({ retry: { attempts: 1, backoffMs: MINUTE } });
    if (result === null) world.ecs.finish(task, SPOT);
    else await world.report(task, result, SPOT);
    await world.deliver(task);

    expect(await failureOf(world)).toMatchObject({ code: 'Interrupted' });
    expect(await world.state()).toMatchObject({ failures: 0, dueBecause: 'retry', nextAttempt: 1, verdict: null });
    world.pass(MINUTE);
    await world.tick();
    expect(world.ecs.running()).toHaveLength(1);
  });
});

describe('a task that hangs', () => {
  it('is stopped at its deadline, and its check has timed out', async () => {
    const { world, task } = await start();
    await settle(world, { endTasks: idle, minutes: 40 });

    expect(task.end).toMatchObject({ stopCode: 'UserInitiated' });
    await world.deliver(task);
    expect(await failureOf(world)).toMatchObject({ code: 'TimedOut' });
    await expectSound(world, STACK);
  });

  it('has timed out too where nobody tells of its end', async () => {
    const { world } = await start();
    await settle(world, { endTasks: idle, minutes: 42 });
    expect(await failureOf(world)).toMatchObject({ code: 'TimedOut' });
    await expectSound(world, STACK);
  });

  it('and can not be stopped is given up three minutes later', async () => {
    const { world, task } = await start();
    task.deaf = true;
    await settle(world, { endTasks: idle, minutes: 40 });
    expect((await world.state()).inFlight).not.toBeNull();
    await settle(world, { endTasks: idle, minutes: 3 });
    expect(await failureOf(world)).toMatchObject({
      code: 'TimedOut',
      message: expect.stringContaining('did not stop'),
    });
    expect((await world.state()).inFlight).toBeNull();
  });

  it('keeps the result that it had written before', async () => {
    const { world, task } = await start();
    await world.report(task, drifted());
    task.end = null;
    task.deaf = true;
    await settle(world, { endTasks: idle, minutes: 43 });
    expect(await world.state()).toMatchObject({ verdict: 'drifted' });
  });
});

describe('a task whose end nobody tells of', () => {
  it('is recorded from its description, after its deadline', async () => {
    const { world, task } = await start();
    await world.report(task, drifted());
    await settle(world, { endTasks: idle, minutes: 40 });
    expect(world.eventTypes()).toEqual(['drift.detected']);
    await expectSound(world, STACK);
  });

  it('is lost where ECS has forgotten it', async () => {
    const { world, task } = await start();
    world.ecs.finish(task, { exitCode: 1 });
    world.pass(2 * HOUR);
    await world.tick();
    expect(await failureOf(world)).toMatchObject({ code: 'TaskLost' });
    await expectSound(world, STACK);
  });
});

describe('a result', () => {
  const put = (world: PipelineWorld, { request }: FakeTask, text: string) =>
    world.objects.set(`${runPrefix(request.stackId, request.runId)}${REPORT_OBJECT}`, text);

  it('that is missing fails the check, though the task exits with 0', async () => {
    const { world, task } = await start();
    await end(world, task, { exitCode: 0 });
    expect(await failureOf(world)).toMatchObject({
      code: 'UnexpectedExit',
      message: expect.stringContaining('with 0'),
    });
  });

  it.each(['', '{"schemaVersion":1,"runId":"run-', '{"schemaVersion":2}'])('%j can not be read', async (text) => {
    const { world, task } = await start();
    put(world, task, text);
    await end(world, task, { exitCode: 0 });
    expect(await failureOf(world)).toMatchObject({ code: 'ResultUnreadable' });
    expect(await world.state()).toMatchObject({ verdict: 'failed', lastGoodCheckAt: null });
    await expectSound(world, STACK);
  });

  it('fails the recorder, and nothing else, while it can not be fetched', async () => {
    const { world, task } = await start();
    await world.report(task, drifted());
    const { getReport } = world.deps.artifacts;
    world.deps.artifacts.getReport = async () => {
      throw new TypeError('503 Slow Down');
    };
    await expect(world.deliver(task)).rejects.toThrow('503');
    expect(await world.runsOf()).toMatchObject([{ outcome: null }]);
    world.deps.artifacts.getReport = getReport;
    await world.deliver(task);
    expect(world.eventTypes()).toEqual(['drift.detected']);
    await expectSound(world, STACK);
  });
});
