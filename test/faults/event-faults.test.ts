import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../lib/domain/finding.ts';
import { fuse } from '../support/crash.ts';
import type { FakeTask } from '../support/fake-ecs.ts';
import { expectSound, settle } from '../support/pipeline-invariants.ts';
import {
  clean,
  createPipelineWorld,
  drifted,
  HOUR,
  MINUTE,
  type PipelineWorld,
  STACK,
} from '../support/pipeline-world.ts';

const idle = async () => undefined;

/** Runs one check after the other; the end of each is told at once. */
async function runChecks(results: readonly CheckResult[]): Promise<{ world: PipelineWorld; tasks: FakeTask[] }> {
  const world = await createPipelineWorld();
  const tasks: FakeTask[] = [];
  for (const result of results) {
    const { nextDueAt } = await world.state();
    world.pass(Date.parse(nextDueAt ?? '') - world.now().getTime());
    await world.tick();
    world.pass(MINUTE);
    const [task] = world.ecs.running();
    if (task === undefined) throw new TypeError('no task was started');
    await world.report(task, result);
    await world.deliver(task);
    tasks.push(task);
  }
  return { world, tasks };
}

const HISTORY = [clean(), drifted(), drifted(), clean(), drifted()];
const EVENTS = ['drift.detected', 'drift.resolved', 'drift.detected'];

describe('events about tasks', () => {
  it.each<[string, (tasks: FakeTask[]) => FakeTask[]]>([
    ['twice', (tasks) => tasks],
    ['in reverse', (tasks) => tasks.toReversed()],
    ['many times over', (tasks) => [...tasks, ...tasks.toReversed(), ...tasks]],
  ])('that come again, %s, change nothing', async (_order, order) => {
    const { world, tasks } = await runChecks(HISTORY);
    const before = await world.state();
    const published = world.published.length;

    for (const task of order(tasks)) {
      expect(await world.deliver(task)).toMatchObject({ kind: 'recorded', first: false });
    }

    expect(await world.state()).toEqual(before);
    expect(world.published).toHaveLength(published);
    expect(world.eventTypes()).toEqual(EVENTS);
    await expectSound(world, STACK);
  });

  it('that come twice at the same moment are recorded once', async () => {
    const world = await createPipelineWorld();
    await world.tick();
    const [task] = world.ecs.running();
    if (task === undefined) throw new TypeError('no task was started');
    await world.report(task, drifted());

    const answers = await Promise.all([world.deliver(task), world.deliver(task), world.deliver(task)]);

    expect(answers.filter((answer) => answer.kind === 'recorded' && answer.first)).toHaveLength(1);
    expect(world.eventTypes()).toEqual(['drift.detected']);
    await expectSound(world, STACK);
  });

  it('that meet a run which is deleted meanwhile still free its stack', async () => {
    const world = await createPipelineWorld();
    await world.tick();
    const [task] = world.ecs.running();
    if (task === undefined) throw new TypeError('no task was started');
    await world.report(task, drifted());
    const { get } = world.deps.runs;
    world.deps.runs.finish = async () => {
      world.deps.runs.get = async () => undefined;
      return 'already-finished';
    };
    expect(await world.deliver(task)).toMatchObject({ first: false, outcome: { kind: 'result' } });
    world.deps.runs.get = get;
    expect(await world.state()).toMatchObject({ inFlight: null, verdict: 'drifted' });
  });

  it('that come after the watchdog has timed the run out change nothing', async () => {
    const world = await createPipelineWorld();
    await world.tick();
    const [task] = world.ecs.running();
    if (task === undefined) throw new TypeError('no task was started');
    task.deaf = true;
    await settle(world, { endTasks: idle, minutes: 43 });
    await world.report(task, drifted());
    const before = await world.state();

    await world.deliver(task);

    expect(await world.state()).toEqual(before);
    expect(await world.runsOf()).toMatchObject([{ outcome: { kind: 'lost' } }]);
  });

  it('that come before the dispatcher knows its task are recorded, and the task is not taken for running', async () => {
    const world = await createPipelineWorld();
    // Dies after the launch, before it has noted the task.
    await world.tick({}, fuse(4, 'after'));
    const [task] = world.ecs.running();
    if (task === undefined) throw new TypeError('no task was started');
    await world.report(task, drifted());
    await world.deliver(task);
    await settle(world, { endTasks: idle, minutes: 5 });

    expect(world.ecs.tasks).toHaveLength(1);
    expect(world.eventTypes()).toEqual(['drift.detected']);
    await expectSound(world, STACK);
  });

  it('of other tasks are none of our business', async () => {
    const world = await createPipelineWorld();
    const request = { runId: 'ecs-svc/123', stackId: 'x', task: { cpu: 256, memoryMiB: 512, arch: 'arm64' } } as const;
    const task: FakeTask = {
      taskArn: 'arn:x',
      request,
      startedAt: world.now(),
      deaf: false,
      end: { exitCode: 0, containerReason: null, stoppedReason: null, stopCode: null },
      endedAt: world.now(),
    };
    expect(await world.deliver(task)).toEqual({ kind: 'unknown' });
  });
});

describe('clocks that differ', () => {
  it.each([-30 * MINUTE, -5 * MINUTE, 5 * MINUTE, 30 * MINUTE])(
    'by %i ms between dispatcher and recorder lose and double nothing',
    async (skew) => {
      const world = await createPipelineWorld();
      const results = [...HISTORY];
      await settle(world, {
        endTasks: async () => {
          for (const task of world.ecs.running()) {
            await world.report(task, results.shift() ?? drifted());
            world.pass(skew);
            await world.deliver(task);
            world.pass(-skew);
          }
        },
        minutes: 12 * 60,
      });
      expect(results).toEqual([]);
      expect(world.eventTypes()).toEqual(EVENTS);
      await expectSound(world, STACK);
    },
  );

  it('by hours forward between claim and launch still give the task its full time', async () => {
    const world = await createPipelineWorld();
    await world.tick({}, fuse(1, 'after'));
    world.pass(5 * HOUR);
    await world.tick();
    const { inFlight } = await world.state();
    expect(Date.parse(inFlight?.deadline ?? '') - world.now().getTime()).toBe(40 * MINUTE);
    expect(world.ecs.running()).toHaveLength(1);
  });
});

describe('a topic that takes no events', () => {
  it('keeps them waiting, in their order, and is told each once it takes them again', async () => {
    const world = await createPipelineWorld();
    const { publish } = world.deps.publisher;
    world.deps.publisher.publish = async () => {
      throw new TypeError('503');
    };
    await world.tick();
    const [task] = world.ecs.running();
    if (task === undefined) throw new TypeError('no task was started');
    await world.report(task, drifted());
    await expect(world.deliver(task)).rejects.toThrow('503');

    expect(await world.tick()).toMatchObject({ backlog: 1, errors: [{ message: '503' }] });
    expect((await world.state()).outbox).toHaveLength(1);

    world.deps.publisher.publish = publish;
    expect(await world.tick()).toMatchObject({ backlog: 0, errors: [] });
    expect(world.eventTypes()).toEqual(['drift.detected']);
    await expectSound(world, STACK);
  });
});
