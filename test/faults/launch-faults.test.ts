import { describe, expect, it } from 'vitest';
import type { LaunchOutcome } from '../../lib/ports/task-launcher.ts';
import { expectSound, settle } from '../support/pipeline-invariants.ts';
import { clean, createPipelineWorld, MINUTE, type PipelineWorld, STACK } from '../support/pipeline-world.ts';

const retry = (reason: string): Exclude<LaunchOutcome, { kind: 'started' }> => ({ kind: 'retry', reason });

const endTasks = (world: PipelineWorld) => async () => {
  for (const task of world.ecs.running()) {
    await world.report(task, clean());
    await world.deliver(task);
  }
};

const idle = async () => undefined;

const many = Array.from({ length: 40 }, (_, index) => ({ id: `stack-${String(index).padStart(2, '0')}` }));

describe('ECS without capacity', () => {
  it('is asked again for the same run, until it takes it', async () => {
    const world = await createPipelineWorld();
    world.ecs.refusals.push(retry('RESOURCE:CPU'), retry('ThrottlingException'), retry('no capacity'));

    await world.tick();
    await settle(world, { endTasks: endTasks(world), minutes: 10 });

    expect(new Set(world.ecs.requests.map(({ runId }) => runId)).size).toBe(1);
    expect(world.ecs.requests).toHaveLength(4);
    expect(await world.runsOf()).toMatchObject([{ attempt: 1, outcome: { kind: 'result' } }]);
    await expectSound(world, STACK);
  });

  it('fails the run when no time is left for it, with what ECS said', async () => {
    const world = await createPipelineWorld([{ id: 'a' }, { id: 'b' }]);
    world.ecs.launch = async () => retry('Capacity is unavailable at this time');

    await world.tick();
    // Fourteen minutes in which the deadline moves on, the forty that every run has, and three for those who are late.
    await settle(world, { endTasks: idle, minutes: 56 });
    expect((await world.state('a')).inFlight).not.toBeNull();
    await settle(world, { endTasks: idle, minutes: 1 });

    for (const id of ['a', 'b']) {
      const failure = { code: 'LaunchFailed', message: expect.stringContaining('the task was not started: ') };
      expect(await world.runsOf(id)).toMatchObject([{ status: 'failed', outcome: { kind: 'lost', failure } }]);
      expect(await world.state(id)).toMatchObject({ failures: 1, verdict: 'failed' });
      await expectSound(world, id);
    }
  });

  it('is asked no more in the tick in which it has refused, and no stack is claimed in vain', async () => {
    const world = await createPipelineWorld(many);
    for (let time = 0; time < 100; time += 1) world.ecs.refusals.push(retry('no capacity'));

    const report = await world.tick();

    // As many as are under way when the first one is refused.
    expect(world.ecs.requests.length).toBeLessThanOrEqual(8);
    const claimed = await world.deps.stacks.stuck(new Date('2100-01-01'), 100);
    expect(claimed).toHaveLength(world.ecs.requests.length);
    expect(report).toMatchObject({ launched: 0, putOff: claimed.length, errors: [] });
  });

  it('is not asked for a run that was claimed before it has refused', async () => {
    const world = await createPipelineWorld([{ id: 'a' }, { id: 'b' }]);
    const refused = Promise.withResolvers<void>();
    const { launch } = world.ecs;
    world.ecs.launch = async () => {
      refused.resolve();
      return retry('no capacity');
    };
    const { create } = world.deps.runs;
    world.deps.runs.create = async (run) => {
      await create(run);
      if (run.stackId !== 'b') return;
      await refused.promise;
      await Promise.resolve();
    };

    expect(await world.tick()).toMatchObject({ launched: 0, putOff: 2 });
    expect([...world.objects.keys()].filter((key) => key.startsWith('runs/b/'))).toEqual([]);

    world.ecs.launch = launch;
    await settle(world, { endTasks: endTasks(world), minutes: 5 });
    expect(await world.runsOf('b')).toMatchObject([{ outcome: { kind: 'result' } }]);
  });

  it('has a few claims wait while it lasts, and starts everything once it is over', async () => {
    const world = await createPipelineWorld(many);
    const { launch } = world.ecs;
    world.ecs.launch = async () => retry('no capacity');
    await world.tick();
    await settle(world, { endTasks: idle, minutes: 10 });
    // Eight a minute, until the first ones are old enough to be tried before any new one.
    const waiting = await world.deps.stacks.stuck(new Date('2100-01-01'), 100);
    expect(waiting.length).toBeLessThanOrEqual(16);

    world.ecs.launch = launch;
    await settle(world, { endTasks: endTasks(world), minutes: 10 });

    expect(world.ecs.tasks).toHaveLength(many.length);
    for (const { id } of many) {
      await expectSound(world, id);
      expect(await world.runsOf(id)).toMatchObject([{ outcome: { kind: 'result' } }]);
    }
  });

  it('gives a late task its full time', async () => {
    const world = await createPipelineWorld();
    world.ecs.refusals.push(...Array.from({ length: 9 }, () => retry('no capacity')));
    await world.tick();
    const claimedUntil = (await world.state()).inFlight?.deadline ?? '';
    await settle(world, { endTasks: idle, minutes: 11 });

    const { inFlight } = await world.state();
    expect(inFlight?.taskArn).not.toBeNull();
    const [task] = world.ecs.running();
    const late = (task?.startedAt.getTime() ?? 0) - Date.parse(inFlight?.startedAt ?? '');
    expect(late).toBeGreaterThan(5 * MINUTE);
    expect(Date.parse(inFlight?.deadline ?? '') - Date.parse(claimedUntil)).toBe(late);
    const spec = await world.deps.artifacts.getSpec(STACK, inFlight?.runId ?? '');
    expect(spec.deadline).toBe(inFlight?.deadline);
  });
});

describe('ECS that refuses for good', () => {
  it('ends the run at once, with what it said', async () => {
    const world = await createPipelineWorld([{ retry: { attempts: 2, backoffMs: MINUTE } }]);
    world.ecs.refusals.push({ kind: 'refused', reason: 'task definition is inactive' });

    const report = await world.tick();

    expect(report).toMatchObject({ launched: 0, refused: 1, recorded: [{ kind: 'recorded', first: true }] });
    expect(await world.runsOf()).toMatchObject([
      { outcome: { failure: { message: 'the task was not started: task definition is inactive' } } },
    ]);
    expect(await world.state()).toMatchObject({ inFlight: null, nextAttempt: 2, dueBecause: 'retry' });

    await settle(world, { endTasks: endTasks(world), minutes: 3 });
    expect(await world.state()).toMatchObject({ verdict: 'in-sync', failures: 0 });
    await expectSound(world, STACK);
  });

  it('ends the run of a dispatcher that died before it could ask', async () => {
    const world = await createPipelineWorld();
    world.ecs.refusals.push(retry('no capacity'), { kind: 'refused', reason: 'no such cluster' });
    await world.tick();
    await settle(world, { endTasks: idle, minutes: 3 });
    expect(await world.state()).toMatchObject({ inFlight: null, failures: 1 });
    await expectSound(world, STACK);
  });
});

describe('ECS that answers with an error', () => {
  it('leaves the run claimed, and the dispatcher goes on with the others', async () => {
    const world = await createPipelineWorld([{ id: 'a' }, { id: 'b' }]);
    const { launch } = world.ecs;
    world.ecs.launch = async (request) => {
      const answer = await launch(request);
      // The task was started, only the answer got lost.
      if (request.stackId === 'a') throw new TypeError('socket hang up');
      return answer;
    };

    const report = await world.tick();
    expect(report.launched).toBe(1);
    expect(report.errors).toMatchObject([{ message: 'socket hang up' }]);

    world.ecs.launch = launch;
    await settle(world, { endTasks: endTasks(world), minutes: 5 });
    expect(world.ecs.tasks).toHaveLength(2);
    for (const id of ['a', 'b']) await expectSound(world, id);
  });
});
