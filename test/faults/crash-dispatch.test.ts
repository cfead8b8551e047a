import { describe, expect, it } from 'vitest';
import { Crash, type Fuse, fuse } from '../support/crash.ts';
import { expectSound, settle } from '../support/pipeline-invariants.ts';
import { createPipelineWorld, drifted, MINUTE, type PipelineWorld, STACK } from '../support/pipeline-world.ts';

/** Ends every running task with drift, and tells the recorder. */
const endTasks = (world: PipelineWorld) => async () => {
  for (const task of world.ecs.running()) {
    await world.report(task, drifted());
    await world.deliver(task);
  }
};

const EVENTS = ['drift.detected'];

/** A dispatcher that dies at its nth write, and then healthy ones. */
async function crashAt(
  prepare: (world: PipelineWorld) => Promise<void>,
  life: Fuse,
  minutes = 130,
): Promise<PipelineWorld> {
  const world = await createPipelineWorld();
  await prepare(world);
  await world.tick({}, life).catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
  await settle(world, { endTasks: endTasks(world), minutes });
  return world;
}

async function writesOf(prepare: (world: PipelineWorld) => Promise<void>): Promise<number> {
  const life = fuse();
  await crashAt(prepare, life);
  return life.writes;
}

const nothing = async () => undefined;

/** A claim of which the dispatcher died right away. */
const orphanedClaim = async (world: PipelineWorld) => {
  await world.tick({}, fuse(1, 'after')).catch(() => undefined);
  world.pass(3 * MINUTE);
};

/** A task past its deadline whose end nobody has told. */
const lateTask = async (world: PipelineWorld) => {
  await world.tick();
  world.pass(41 * MINUTE);
};

/** A task that has ended with a result, of which nobody has told either. */
const untoldResult = async (world: PipelineWorld) => {
  await world.tick();
  for (const task of world.ecs.running()) await world.report(task, drifted());
  world.pass(41 * MINUTE);
};

describe('a dispatcher that dies', () => {
  it.each([
    ['at a launch', nothing, 6],
    ['at a launch that makes up for a dead one', orphanedClaim, 6],
    ['at the stop of a late task', lateTask, 1],
    ['at the record of a result that no event told of', untoldResult, 4],
  ])('%s leaves nothing lost and nothing doubled, whatever write it dies at', async (_where, prepare, expected) => {
    const writes = await writesOf(prepare);
    expect(writes).toBe(expected);
    for (let dieAt = 1; dieAt <= writes; dieAt += 1) {
      for (const moment of ['before', 'after'] as const) {
        const life = fuse(dieAt, moment);
        const world = await crashAt(prepare, life);
        expect(life.dead).toBe(true);
        await expectSound(world, STACK);
        expect(world.eventTypes()).toEqual(EVENTS);
        expect(await world.state()).toMatchObject({
          verdict: 'drifted',
          failures: 0,
          lastSummary: { verdict: 'drifted' },
        });
      }
    }
  });

  it('starts the task of a claim only once, whatever write it dies at', async () => {
    const writes = await writesOf(nothing);
    for (let dieAt = 1; dieAt <= writes; dieAt += 1) {
      for (const moment of ['before', 'after'] as const) {
        const world = await crashAt(nothing, fuse(dieAt, moment), 10);
        expect(world.ecs.tasks).toHaveLength(1);
        expect(await world.runsOf()).toHaveLength(1);
      }
    }
  });
});
