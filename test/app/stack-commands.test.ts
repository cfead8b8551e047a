import { describe, expect, it } from 'vitest';
import { resumeStack } from '../../lib/app/resume-stack.ts';
import { suspendStack } from '../../lib/app/suspend-stack.ts';
import { triggerCheck } from '../../lib/app/trigger-check.ts';
import { initialState } from '../../lib/domain/claim.ts';
import { suspensionOf } from '../../lib/domain/suspension.ts';
import { settle } from '../support/pipeline-invariants.ts';
import {
  clean,
  createPipelineWorld,
  drifted,
  HOUR,
  MINUTE,
  type PipelineWorld,
  STACK,
} from '../support/pipeline-world.ts';

const input = { stackId: STACK };

async function endTask(world: PipelineWorld, result = clean()): Promise<void> {
  const [task] = world.ecs.running();
  if (task === undefined) throw new TypeError('no task is running');
  await world.report(task, result);
  await world.deliver(task);
}

describe('triggerCheck', () => {
  it('has a stack checked at the next tick, as somebody asked for it', async () => {
    const world = await createPipelineWorld();
    await world.tick();
    await endTask(world);

    expect((await triggerCheck(world.deps, input)).state.dueBecause).toBe('manual');
    await world.tick();

    expect(await world.runsOf()).toMatchObject([{ trigger: 'manual', attempt: 1 }, { trigger: 'schedule' }]);
  });

  it('has it checked once more after the run that is in flight', async () => {
    const world = await createPipelineWorld();
    await world.tick();
    await triggerCheck(world.deps, input);
    await world.tick();
    expect(world.ecs.running()).toHaveLength(1);

    await endTask(world);
    await world.tick();
    await endTask(world, drifted());

    expect((await world.runsOf()).map(({ trigger }) => trigger)).toEqual(['manual', 'schedule']);
    expect(await world.state()).toMatchObject({ verdict: 'drifted', dueBecause: null });
  });

  it('fails for a stack that there is not', async () => {
    const world = await createPipelineWorld();
    await expect(triggerCheck(world.deps, { stackId: 'x' })).rejects.toMatchObject({ code: 'StackNotFound' });
  });
});

describe('suspendStack and resumeStack', () => {
  it('take a stack out of the schedule and back', async () => {
    const world = await createPipelineWorld();
    const suspended = await suspendStack(world.deps, { ...input, reason: 'incident 7' });
    expect(suspensionOf(suspended)).toBe('incident 7');
    await settle(world, { endTasks: async () => undefined, minutes: 300, every: 30 });
    expect(world.ecs.tasks).toEqual([]);
    expect(world.published).toEqual([]);

    const resumed = await resumeStack(world.deps, input);
    expect(suspensionOf(resumed)).toBeNull();
    expect(resumed.state.nextDueAt).toBe('2026-03-02T15:00:00.000Z');
    await settle(world, { endTasks: async () => undefined, minutes: 60, every: 30 });
    expect(world.ecs.tasks).toHaveLength(1);
    expect(world.published).toEqual([]);
  });

  it('let a run come to its end', async () => {
    const world = await createPipelineWorld();
    await world.tick();
    await suspendStack(world.deps, { ...input, reason: 'incident 7' });
    await endTask(world, drifted());
    expect(await world.state()).toMatchObject({ verdict: 'drifted', nextDueAt: null });
    expect(world.eventTypes()).toEqual(['drift.detected']);
  });

  it('keep a stack suspended through a change of its spec', async () => {
    const world = await createPipelineWorld();
    await suspendStack(world.deps, { ...input, reason: 'incident 7' });
    const { spec } = await world.stack();
    const changed = { ...spec, owner: 'somebody else' };
    await world.deps.stacks.putSpec(changed, {
      ...initialState(changed, world.now()),
      nextDueAt: world.now().toISOString(),
    });
    world.pass(MINUTE);
    await world.tick();
    expect(world.ecs.tasks).toEqual([]);
    expect((await world.state()).nextDueAt).toBeNull();
  });

  it('say again what has been said without a new version', async () => {
    const world = await createPipelineWorld();
    const { version } = await world.state();
    expect((await resumeStack(world.deps, input)).state.version).toBe(version);
    await suspendStack(world.deps, { ...input, reason: 'x' });
    expect((await suspendStack(world.deps, { ...input, reason: 'x' })).state.version).toBe(version + 1);
  });

  it('leave a suspension by the catalogue to the catalogue', async () => {
    const world = await createPipelineWorld([{ suspended: 'retired' }]);
    await suspendStack(world.deps, { ...input, reason: 'incident 7' });
    const resumed = await resumeStack(world.deps, input);
    expect(suspensionOf(resumed)).toBe('retired');
    expect(resumed.state.nextDueAt).toBeNull();
  });

  it('let a check run that somebody asks for', async () => {
    const world = await createPipelineWorld();
    await suspendStack(world.deps, { ...input, reason: 'incident 7' });
    await triggerCheck(world.deps, input);
    await world.tick();
    await endTask(world);
    world.pass(10 * HOUR);
    await world.tick();
    expect(world.ecs.tasks).toHaveLength(1);
  });
});
