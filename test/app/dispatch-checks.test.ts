import { describe, expect, it } from 'vitest';
import { publishOutboxes } from '../../lib/app/publish-outboxes.ts';
import { removeStack } from '../../lib/app/remove-stack.ts';
import { suspend } from '../../lib/domain/suspension.ts';
import { fuse } from '../support/crash.ts';
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
import { aTiming } from '../support/stack-builder.ts';

const ids = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `s-${String(index).padStart(3, '0')}` }));

const endTasks = (world: PipelineWorld) => async () => {
  for (const task of world.ecs.running()) {
    await world.report(task, clean());
    await world.deliver(task);
  }
};

describe('dispatchChecks', () => {
  it('starts what is due, with its spec, its size and its baseline', async () => {
    const world = await createPipelineWorld();
    expect(await world.tick()).toEqual({
      launched: 1,
      putOff: 0,
      refused: 0,
      recorded: [],
      backlog: 0,
      errors: [],
    });

    const { state, spec } = await world.stack();
    expect(state.inFlight).toMatchObject({ runId: 'run-000001', trigger: 'schedule', attempt: 1 });
    expect(world.ecs.requests).toEqual([{ runId: 'run-000001', stackId: STACK, task: spec.task }]);
    expect(await world.deps.artifacts.getSpec(STACK, 'run-000001')).toEqual({
      schemaVersion: 1,
      runId: 'run-000001',
      kind: 'check',
      stack: spec,
      catalogueCommit: null,
      baseline: null,
      deadline: state.inFlight?.deadline,
    });
    expect(await world.runsOf()).toMatchObject([
      { status: 'running', taskArn: state.inFlight?.taskArn, deadline: state.inFlight?.deadline, task: spec.task },
    ]);
  });

  it('gives the next run the baseline of the last one', async () => {
    const world = await createPipelineWorld();
    await world.tick();
    await endTasks(world)();
    world.pass(2 * HOUR);
    await world.tick();
    const [run] = await world.runsOf();
    const { baseline } = await world.deps.artifacts.getSpec(STACK, run?.runId ?? '');
    expect(baseline).toEqual({ digests: clean().digests, at: clean().startedAt, commit: 'c0ffee' });
  });

  it('starts no more than asked for in one tick, and the rest in the next ones', async () => {
    const world = await createPipelineWorld(ids(25));
    const launched: number[] = [];
    for (let minute = 0; minute < 4; minute += 1) {
      launched.push((await world.tick({ mostLaunches: 10 })).launched);
      world.pass(MINUTE);
    }
    expect(launched).toEqual([10, 10, 5, 0]);
  });

  it('counts what it starts again as well', async () => {
    const world = await createPipelineWorld(ids(12));
    for (const dieAt of [1, 2]) await world.tick({ mostLaunches: 1 }, fuse(dieAt, 'after'));
    world.pass(3 * MINUTE);
    expect((await world.tick({ mostLaunches: 5 })).launched).toBe(5);
    expect(world.ecs.running()).toHaveLength(5);
  });

  it('tells once of a stack that is overdue when its turn comes', async () => {
    const world = await createPipelineWorld();
    world.pass(9 * HOUR);
    await world.tick();
    expect((await world.state()).inFlight).not.toBeNull();
    await world.tick();
    expect(world.eventTypes()).toEqual(['check.overdue']);
  });

  it('never has more in flight than it may', async () => {
    const world = await createPipelineWorld(ids(12));
    await world.tick({ mostConcurrent: 5 });
    expect(world.ecs.running()).toHaveLength(5);
    await world.tick({ mostConcurrent: 5 });
    expect(world.ecs.running()).toHaveLength(5);
    await endTasks(world)();
    await world.tick({ mostConcurrent: 5 });
    expect(world.ecs.running()).toHaveLength(5);
  });

  it('counts runs in flight per account', async () => {
    const planRole = 'arn:aws:iam::222222222222:role/plan';
    const world = await createPipelineWorld([...ids(3), { id: 'other', planRole }]);
    await world.tick({ mostPerAccount: 1 });
    const stacks = () => world.ecs.running().map(({ request }) => request.stackId);
    expect(stacks()).toEqual(['other', 's-000']);
    world.pass(MINUTE);
    await world.tick({ mostPerAccount: 1 });
    expect(stacks()).toEqual(['other', 's-000']);
    await endTasks(world)();
    world.pass(2 * MINUTE);
    await world.tick({ mostPerAccount: 1 });
    expect(stacks()).toEqual(['s-001']);
  });

  it('sees others behind a queue of stacks that may not start', async () => {
    const busy = Array.from({ length: 120 }, (_, index) => ({ id: `a-${String(index).padStart(3, '0')}` }));
    const planRole = 'arn:aws:iam::222222222222:role/plan';
    const world = await createPipelineWorld([...busy, { id: 'b', planRole }]);
    await world.tick({ mostLaunches: 2, mostPerAccount: 1 });
    await world.tick({ mostLaunches: 2, mostPerAccount: 1 });
    expect(world.ecs.running().map(({ request }) => request.stackId)).toEqual(['a-000', 'b']);
  });

  it('begins nothing more once its time is up', async () => {
    const world = await createPipelineWorld(ids(3));
    expect((await world.tick({ stopAt: world.now() })).launched).toBe(0);
    expect(await world.runsOf('s-000')).toEqual([]);
    expect((await world.tick()).launched).toBe(3);
  });

  it('runs stacks in the order of their dependencies', async () => {
    const world = await createPipelineWorld([
      { id: 'app', dependsOn: ['db', 'network'] },
      { id: 'db', dependsOn: ['network'] },
      { id: 'network' },
    ]);
    await settle(world, { endTasks: endTasks(world), minutes: 3 });
    expect(world.ecs.tasks.map(({ request }) => request.stackId)).toEqual(['network', 'db', 'app']);
  });

  it('finds what hundreds of stacks wait for, wherever the index has it', async () => {
    const waiting = ids(300).map((stack) => ({ ...stack, dependsOn: ['shared/b'] }));
    const world = await createPipelineWorld([
      ...waiting,
      { id: 'shared/b', dependsOn: ['shared/c'] },
      { id: 'shared/c' },
    ]);
    await world.tick();
    await endTasks(world)();
    await world.tick();
    expect(world.ecs.tasks.map(({ request }) => request.stackId)).toEqual(['shared/c', 'shared/b']);
  });

  it('looks up dependencies that are not due themselves', async () => {
    const world = await createPipelineWorld([{ id: 'network' }, { id: 'app', dependsOn: ['network', 'gone'] }]);
    await world.tick({ mostLaunches: 1 });
    expect(world.ecs.running()).toHaveLength(1);
    await world.tick();
    expect(world.ecs.tasks.map(({ request }) => request.stackId)).toEqual(['network']);
    await endTasks(world)();
    await world.tick();
    expect(world.ecs.tasks.map(({ request }) => request.stackId)).toEqual(['network', 'app']);
  });

  it('leaves a stack to whoever has claimed it first', async () => {
    const world = await createPipelineWorld(ids(10));
    const reports = await Promise.all([world.tick(), world.tick(), world.tick()]);
    expect(reports.reduce((sum, { launched }) => sum + launched, 0)).toBe(10);
    expect(world.ecs.tasks).toHaveLength(10);
    expect(world.ecs.overlaps).toEqual([]);
  });

  it('puts stacks off that may not start now', async () => {
    const span = { days: [], from: '08:00', to: '20:00', timezone: 'UTC' };
    const world = await createPipelineWorld([{ id: 'a', timing: aTiming({ blackouts: [span] }) }]);
    await world.tick();
    expect((await world.state('a')).nextDueAt).toBe('2026-03-02T20:00:00.000Z');
    expect(world.ecs.tasks).toEqual([]);
  });

  it.each<[string, object]>([
    ['steps aside', {}],
    ['keeps its place', { dueBecause: 'manual' }],
  ])('tells once of a stack that waits too long and %s', async (_how, state) => {
    const world = await createPipelineWorld([{ id: 'a', timeoutMs: 10 * HOUR }, { id: 'b' }]);
    const waiting = await world.state('b');
    await world.deps.stacks.saveState({ ...waiting, ...state, version: waiting.version + 1 });
    for (let minute = 0; minute < 5 * 60; minute += 1) {
      await world.tick({ mostPerAccount: 1 });
      world.pass(MINUTE);
    }
    expect(world.ecs.tasks.map(({ request }) => request.stackId)).toEqual(['a']);
    expect(world.eventTypes('b')).toEqual(['check.overdue']);
    expect(world.published).toHaveLength(1);
  });

  it('goes on with the others where one can not be read', async () => {
    const world = await createPipelineWorld(ids(3));
    const { get } = world.deps.stacks;
    world.deps.stacks.get = async (stackId) => {
      if (stackId === 's-001') throw new TypeError('item unreadable');
      return get(stackId);
    };
    const report = await world.tick();
    expect(report).toMatchObject({ launched: 2, errors: [{ message: 'item unreadable' }] });
  });

  it('passes over an index entry whose stack is gone or idle', async () => {
    const world = await createPipelineWorld(ids(1));
    world.deps.stacks.due = async () => ['gone', 's-000'];
    const { stuck } = world.deps.stacks;
    world.deps.stacks.stuck = async (now, limit) =>
      now.getUTCFullYear() > 3000 ? stuck(now, limit) : ['gone', 's-000'];
    expect(await world.tick()).toMatchObject({ launched: 1, errors: [] });
  });

  it('leaves a stuck run to whoever has moved its stack on', async () => {
    const world = await createPipelineWorld();
    await world.tick({}, fuse(1, 'after'));
    world.pass(3 * MINUTE);
    const { saveState } = world.deps.stacks;
    world.deps.stacks.saveState = async (state) => {
      world.deps.stacks.saveState = saveState;
      const { state: current } = await world.stack();
      await saveState({ ...suspend(current, 'meanwhile'), version: current.version + 1 });
      return saveState(state);
    };
    expect(await world.tick()).toMatchObject({ launched: 0, errors: [] });
    expect((await world.tick()).launched).toBe(1);
  });
});

describe('a stack that leaves the catalogue while its run is being started', () => {
  it('has its task stopped and its run finished', async () => {
    const world = await createPipelineWorld();
    const { launch } = world.ecs;
    world.ecs.launch = async (request) => {
      await removeStack(world.deps, { stackId: STACK });
      return launch(request);
    };
    await world.tick();
    expect(world.ecs.running()).toEqual([]);
    expect(await world.runsOf()).toMatchObject([{ outcome: { kind: 'lost', failure: { code: 'StackRemoved' } } }]);
  });
});

describe('a run that has ended before its launch is noted', () => {
  it('is over for the dispatcher too', async () => {
    const world = await createPipelineWorld();
    const { launch } = world.ecs;
    world.ecs.launch = async (request) => {
      const answer = await launch(request);
      const task = world.ecs.taskOf(request.runId);
      await world.report(task, drifted());
      await world.deliver(task);
      return answer;
    };
    await world.tick();
    expect(await world.state()).toMatchObject({ inFlight: null, verdict: 'drifted' });
    expect(await world.runsOf()).toMatchObject([{ status: 'succeeded' }]);
    expect(world.eventTypes()).toEqual(['drift.detected']);
  });
});

describe('publishOutboxes', () => {
  it('passes over an index entry whose stack is gone or has nothing to tell', async () => {
    const world = await createPipelineWorld();
    world.deps.stacks.withOutbox = async () => ['gone', STACK];
    expect(await publishOutboxes(world.deps, { limit: 10 })).toEqual({ backlog: 0, errors: [] });
    expect(world.published).toEqual([]);
  });
});
