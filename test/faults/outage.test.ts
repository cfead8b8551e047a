import { describe, expect, it } from 'vitest';
import { initialState } from '../../lib/domain/claim.ts';
import { fuse } from '../support/crash.ts';
import type { FakeTask } from '../support/fake-ecs.ts';
import { expectSound } from '../support/pipeline-invariants.ts';
import { createPipelineWorld, drifted, HOUR, MINUTE, type PipelineWorld, STACK } from '../support/pipeline-world.ts';

// Writes of a launch: claim, record, spec, launch, task in the record, task in the state.
const BEFORE_ANYTHING_IS_NOTED = fuse.bind(null, 4, 'after');
const BEFORE_THE_STATE_HAS_IT = fuse.bind(null, 5, 'after');

/** A dispatcher that died over a launch whose task runs. */
async function dieOver(life: () => ReturnType<typeof fuse>): Promise<{ world: PipelineWorld; task: FakeTask }> {
  const world = await createPipelineWorld();
  await world.tick({}, life());
  const [task] = world.ecs.running();
  if (task === undefined) throw new TypeError('no task was started');
  expect((await world.state()).inFlight).toMatchObject({ taskArn: null });
  return { world, task };
}

describe('a dispatcher that dies over a launch, and none for hours', () => {
  it('starts no second task where the first has left a result', async () => {
    const { world, task } = await dieOver(BEFORE_ANYTHING_IS_NOTED);
    await world.report(task, drifted());
    world.pass(3 * HOUR);

    expect(await world.tick()).toMatchObject({ launched: 0, recorded: [{ first: true }] });

    expect(world.ecs.requests).toHaveLength(1);
    expect(world.eventTypes()).toEqual(['drift.detected']);
    await expectSound(world, STACK);
  });

  it('starts no second task where the run record knows the first', async () => {
    const { world, task } = await dieOver(BEFORE_THE_STATE_HAS_IT);
    world.ecs.finish(task, { exitCode: 1 });
    world.pass(3 * HOUR);

    await world.tick();

    expect(await world.runsOf()).toMatchObject([{ outcome: { failure: { code: 'TaskLost' } } }]);
    expect(world.ecs.tasks).toHaveLength(1);
    await expectSound(world, STACK);
  });

  it('notes the task of the run record as soon as one comes by', async () => {
    const { world, task } = await dieOver(BEFORE_THE_STATE_HAS_IT);
    world.pass(3 * MINUTE);
    await world.tick();
    expect((await world.state()).inFlight).toMatchObject({ taskArn: task.taskArn });
    expect(world.ecs.requests).toHaveLength(1);
  });

  it('asks for the same size again, whatever the catalogue says since', async () => {
    const { world } = await dieOver(BEFORE_ANYTHING_IS_NOTED);
    const { spec } = await world.stack();
    const changed = { ...spec, task: { cpu: 2048, memoryMiB: 4096, arch: 'arm64' } } as const;
    await world.deps.stacks.putSpec(changed, initialState(changed, world.now()));
    world.pass(3 * MINUTE);

    await world.tick();

    // ECS refuses a token that comes with other parameters.
    expect(world.ecs.requests[1]).toEqual(world.ecs.requests[0]);
    expect(world.ecs.tasks).toHaveLength(1);
  });

  it('starts the check anew where the first task is forgotten and left nothing', async () => {
    const { world, task } = await dieOver(BEFORE_ANYTHING_IS_NOTED);
    world.ecs.finish(task, { exitCode: 1 });
    world.pass(3 * HOUR);
    await world.tick();
    expect(world.ecs.running()).toMatchObject([{ request: { runId: task.request.runId } }]);
  });
});

describe('a dispatcher and a recorder that both die over one run', () => {
  it('leave it to the next dispatcher, which asks ECS for nothing', async () => {
    const { world, task } = await dieOver(BEFORE_ANYTHING_IS_NOTED);
    world.ecs.finish(task, { exitCode: 1 });
    await expect(world.deliver(task, fuse(1, 'after'))).rejects.toThrow('after write 1: finish');

    world.pass(3 * MINUTE);
    await world.tick();

    expect(world.ecs.requests).toHaveLength(1);
    expect(await world.state()).toMatchObject({ verdict: 'failed', failures: 1 });
    await expectSound(world, STACK);
  });
});
