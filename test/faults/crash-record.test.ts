import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../../lib/domain/finding.ts';
import type { TaskEnd } from '../../lib/domain/task-end.ts';
import { Crash, type Fuse, fuse } from '../support/crash.ts';
import type { FakeTask } from '../support/fake-ecs.ts';
import { expectSound, settle } from '../support/pipeline-invariants.ts';
import {
  clean,
  createPipelineWorld,
  drifted,
  failed,
  MINUTE,
  type PipelineWorld,
  STACK,
} from '../support/pipeline-world.ts';

interface Ending {
  readonly name: string;
  /** `null`: the task ends without a result. */
  readonly result: CheckResult | null;
  readonly end?: Partial<TaskEnd>;
  /** Events by the time the dust has settled. */
  readonly events: readonly string[];
  readonly state: object;
}

const ENDINGS: readonly Ending[] = [
  { name: 'drift', result: drifted(), events: ['drift.detected'], state: { verdict: 'drifted', failures: 0 } },
  { name: 'nothing', result: clean(), events: [], state: { verdict: 'in-sync', failures: 0 } },
  { name: 'a failed plan', result: failed(), events: ['check.failing'], state: { verdict: 'failed', failures: 1 } },
  { name: 'no result', result: null, events: ['check.failing'], state: { verdict: 'failed', failures: 1 } },
];

const die = async (work: Promise<unknown>) => {
  await work.catch((error: unknown) => {
    if (!(error instanceof Crash)) throw error;
  });
};

/** A task that has ended so, and whose recorder dies at its nth write. */
async function crashAt({ result, end = {} }: Ending, life: Fuse): Promise<{ world: PipelineWorld; task: FakeTask }> {
  const alerts = { confirmChecks: 1, failureStreak: 1, remindEveryMs: 1e12, escalateAfter: null };
  const world = await createPipelineWorld([{ alerts }]);
  await world.tick();
  world.pass(MINUTE);
  const task = world.ecs.running()[0];
  if (task === undefined) throw new TypeError('no task was started');
  if (result === null) world.ecs.finish(task, { exitCode: 1, ...end });
  else await world.report(task, result, end);
  await die(world.deliver(task, life));
  return { world, task };
}

/** Each write of the recorder, before and after it. */
async function everyCrash(ending: Ending): Promise<Fuse[]> {
  const life = fuse();
  await crashAt(ending, life);
  const writes = Array.from({ length: life.writes }, (_, index) => index + 1);
  return writes.flatMap((dieAt) => [fuse(dieAt, 'before'), fuse(dieAt, 'after')]);
}

describe.each(ENDINGS)('a recorder that dies over a run that found $name', (ending) => {
  const expectDone = async (world: PipelineWorld) => {
    await expectSound(world, STACK);
    expect(world.eventTypes()).toEqual(ending.events);
    expect(await world.state()).toMatchObject(ending.state);
    expect(world.ecs.tasks).toHaveLength(1);
    expect(await world.runsOf()).toHaveLength(1);
  };

  it('is made up for by the next delivery of the event, whatever write it died at', async () => {
    const crashes = await everyCrash(ending);
    expect(crashes.length).toBeGreaterThanOrEqual(4);
    for (const life of crashes) {
      const { world, task } = await crashAt(ending, life);
      expect(life.dead).toBe(true);
      await world.deliver(task);
      await expectDone(world);
    }
  });

  it('is made up for by the watchdog, where the event does not come again', async () => {
    for (const life of await everyCrash(ending)) {
      const { world } = await crashAt(ending, life);
      await settle(world, { endTasks: async () => undefined, minutes: 42 });
      await expectDone(world);
    }
  });

  it('is made up for where the second one dies as well', async () => {
    for (const first of await everyCrash(ending)) {
      for (const second of await everyCrash(ending)) {
        const { world, task } = await crashAt(ending, fuse(first.dieAt, first.moment));
        await die(world.deliver(task, second));
        await world.deliver(task);
        await expectDone(world);
      }
    }
  });
});
