import { describe, expect, it } from 'vitest';
import { createHandler } from '../../lambdas/dispatch-checks/handler.ts';
import type { StackSpec } from '../../lib/domain/stack-spec.ts';
import { createPipelineWorld, HOUR, MINUTE } from '../support/pipeline-world.ts';
import { createTestTelemetry, lambdaContext } from '../support/telemetry.ts';

async function setup(stacks: readonly Partial<StackSpec>[] = [{ id: 'a' }, { id: 'b' }]) {
  const world = await createPipelineWorld(stacks);
  const telemetry = createTestTelemetry();
  const limits = { mostLaunches: 10, mostConcurrent: 10, mostPerAccount: null };
  const handler = createHandler({ ...world.deps, telemetry, limits });
  let lists = 0;
  const { list } = world.deps.stacks;
  world.deps.stacks.list = (page) => {
    lists += 1;
    return list(page);
  };
  return {
    world,
    telemetry,
    lists: () => lists,
    invoke: (remainingMs?: number) => handler({}, lambdaContext('dispatch-checks', remainingMs)),
  };
}

describe('dispatch-checks', () => {
  it('starts what is due and says so', async () => {
    const { world, telemetry, invoke } = await setup();
    expect(await invoke()).toMatchObject({ launched: 2, active: 2 });
    expect(world.ecs.running()).toHaveLength(2);
    expect(telemetry.lines()).toMatchObject([{ message: 'tick', launched: 2 }]);
    expect(telemetry.emitted()).toEqual({
      ChecksLaunched: [2],
      LaunchRetries: [0],
      LaunchRefused: [0],
      OutboxBacklog: [0],
      Coverage: [0],
      StacksOverdue: [0],
    });
  });

  it('emits launches that were put off or refused, and the runs that ended by it', async () => {
    const { world, telemetry, invoke } = await setup([{ id: 'a' }]);
    world.ecs.refusals.push({ kind: 'retry', reason: 'no capacity' }, { kind: 'refused', reason: 'no such cluster' });
    await invoke();
    world.pass(3 * MINUTE);
    await invoke();
    expect(telemetry.emitted()).toMatchObject({
      LaunchRetries: [1, 0],
      LaunchRefused: [0, 1],
      RunsLost: [1],
      'ChecksFinished lost': [1],
    });
  });

  it('measures coverage every ten minutes and repeats it in between', async () => {
    const { world, telemetry, lists, invoke } = await setup();
    world.pass(9 * HOUR);
    for (let minute = 0; minute < 11; minute += 1) {
      await invoke();
      world.pass(MINUTE);
    }
    expect(lists()).toBe(2);
    expect(telemetry.emitted().StacksOverdue).toEqual(Array.from({ length: 11 }, () => 2));
  });

  it('begins nothing when there is hardly any time left', async () => {
    const { world, invoke } = await setup();
    expect(await invoke(19_000)).toMatchObject({ launched: 0 });
    expect(world.ecs.tasks).toEqual([]);
  });

  it('fails when a step has failed, after all the others, with their metrics', async () => {
    const { world, telemetry, invoke } = await setup();
    const { launch } = world.ecs;
    world.ecs.launch = async (request) => {
      if (request.stackId === 'a') throw new TypeError('socket hang up');
      return launch(request);
    };
    await expect(invoke()).rejects.toThrow('1 steps failed');
    expect(world.ecs.running()).toHaveLength(1);
    expect(telemetry.emitted()).toMatchObject({ ChecksLaunched: [1], Coverage: [0] });
    expect(telemetry.lines().filter(({ level }) => level === 'ERROR')).toMatchObject([
      { message: 'step failed', error: { message: 'socket hang up' } },
    ]);
  });

  it('tells an error about coverage once, and what it measured as long as that counts', async () => {
    const { world, telemetry, invoke } = await setup([
      { id: 'a', timeoutMs: 10 * HOUR },
      { id: 'b', suspended: 'retired' },
    ]);
    await world.tick();
    world.pass(5 * HOUR);
    const { saveState } = world.deps.stacks;
    world.deps.stacks.saveState = async () => {
      throw new TypeError('503');
    };
    await expect(invoke()).rejects.toThrow('1 steps failed');

    world.deps.stacks.saveState = saveState;
    world.pass(MINUTE);
    await invoke();
    expect(telemetry.emitted().Coverage).toEqual([100, 100]);
    world.pass(10 * MINUTE);
    await invoke();
    expect(telemetry.emitted().StacksOverdue).toEqual([0, 0, 1]);
  });
});
