import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskEnd } from '../../lib/domain/task-end.ts';
import { fuse } from '../support/crash.ts';
import type { FakeTask } from '../support/fake-ecs.ts';
import { expectSound, settle } from '../support/pipeline-invariants.ts';
import { clean, createPipelineWorld, drifted, failed, MINUTE, type PipelineWorld } from '../support/pipeline-world.ts';

/** What is true of each stack, whatever happens to its checks. */
const TRUTH = { calm: clean, drifty: drifted, app: clean } as const;
const STACKS = ['calm', 'drifty', 'app'] as const;

const ALERTS = { confirmChecks: 1, failureStreak: 1e9, remindEveryMs: 1e12, escalateAfter: null };

const createWorld = () =>
  createPipelineWorld(
    STACKS.map((id) => ({
      id,
      alerts: ALERTS,
      retry: { attempts: 2, backoffMs: MINUTE },
      dependsOn: id === 'app' ? ['calm'] : [],
    })),
  );

/** Where in its life a process dies, if it does. */
const anyLife = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 2, arbitrary: fc.record({ dieAt: fc.integer({ min: 1, max: 9 }), before: fc.boolean() }) },
);
type Life = { readonly dieAt: number; readonly before: boolean } | null;

const anySkew = fc.constantFrom(0, 0, 0, -2, -1, 1, 2);
const anyWay = fc.constantFrom('report', 'report', 'kill', 'memory', 'spot', 'failure');
type Way = 'report' | 'kill' | 'memory' | 'spot' | 'failure';

const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('tick' as const), life: anyLife, skew: anySkew }),
  fc.record({ kind: fc.constant('end' as const), which: fc.nat(), way: anyWay }),
  fc.record({ kind: fc.constant('deliver' as const), which: fc.nat(), life: anyLife, skew: anySkew }),
  fc.record({ kind: fc.constant('together' as const), which: fc.nat(), life: anyLife }),
  fc.record({ kind: fc.constant('pass' as const), minutes: fc.constantFrom(1, 1, 3, 20, 45, 130) }),
  fc.record({ kind: fc.constant('refuse' as const), times: fc.integer({ min: 1, max: 3 }) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

const WAYS: Record<Way, Partial<TaskEnd>> = {
  report: {},
  failure: {},
  kill: { exitCode: 1 },
  memory: { exitCode: 137 },
  spot: { exitCode: 143, stopCode: 'SpotInterruption' },
};

const lifeOf = (life: Life) => (life === null ? fuse() : fuse(life.dieAt, life.before ? 'before' : 'after'));

/** The process may die, which is no failure of the test; what it did by then is what counts. */
const mayDie = async (work: Promise<unknown>) => {
  await work.catch(() => undefined);
};

async function endTask(world: PipelineWorld, task: FakeTask, way: Way): Promise<void> {
  const { stackId } = task.request;
  const truth = TRUTH[stackId as keyof typeof TRUTH]();
  if (way === 'report') await world.report(task, truth);
  else if (way === 'failure') await world.report(task, failed());
  else world.ecs.finish(task, WAYS[way]);
}

/** A runner ends at its deadline, by itself. */
async function endLateTasks(world: PipelineWorld): Promise<void> {
  for (const task of world.ecs.running()) {
    const { stackId, runId } = task.request;
    const { deadline } = await world.deps.artifacts.getSpec(stackId, runId);
    if (Date.parse(deadline) <= world.now().getTime()) await endTask(world, task, 'failure');
  }
}

const pick = <T>(from: readonly T[], which: number): T | undefined => from[which % from.length];

async function take(world: PipelineWorld, step: Step): Promise<void> {
  const ended = world.ecs.tasks.filter(({ end }) => end !== null);
  switch (step.kind) {
    case 'tick':
      return withSkew(world, step.skew, () => mayDie(world.tick({}, lifeOf(step.life))));
    case 'end': {
      const task = pick(world.ecs.running(), step.which);
      return task && endTask(world, task, step.way);
    }
    case 'deliver': {
      const task = pick(ended, step.which);
      return task && withSkew(world, step.skew, () => mayDie(world.deliver(task, lifeOf(step.life))));
    }
    case 'together': {
      const task = pick(ended, step.which);
      const deliveries = task === undefined ? [] : [world.deliver(task), world.deliver(task, lifeOf(step.life))];
      return mayDie(Promise.allSettled([world.tick(), ...deliveries, world.tick({}, lifeOf(step.life))]));
    }
    case 'pass':
      world.pass(step.minutes * MINUTE);
      return endLateTasks(world);
    case 'refuse':
      for (let time = 0; time < step.times; time += 1)
        world.ecs.refusals.push({ kind: 'retry', reason: 'no capacity' });
  }
}

/** Only one process has the wrong time, and only now. */
async function withSkew(world: PipelineWorld, minutes: number, work: () => Promise<void>): Promise<void> {
  world.pass(minutes * MINUTE);
  await work();
  world.pass(-minutes * MINUTE);
}

/** Long enough for every deadline to pass, and for every stack to be due again. */
async function heal(world: PipelineWorld): Promise<void> {
  world.ecs.refusals.length = 0;
  const endTasks = async () => {
    for (const task of world.ecs.running()) {
      await endTask(world, task, 'report');
      await world.deliver(task);
    }
  };
  await settle(world, { endTasks, minutes: 6 * 60, every: 5 });
}

/** A run whose task left a result is not started again, not even when ECS has forgotten it. */
function expectNothingRunAgain({ ecs }: PipelineWorld): void {
  for (const tasks of Map.groupBy(ecs.tasks, ({ request }) => request.runId).values()) {
    for (const { end } of tasks.slice(0, -1)) expect(end?.exitCode).not.toBe(0);
  }
}

const driftEvents = (world: PipelineWorld, id: string) =>
  world.eventTypes(id).filter((type) => type.startsWith('drift.'));

const outcomeOf = async (world: PipelineWorld, id: string) => {
  const { verdict, episode, failures, nextAttempt, dueBecause, lastSummary } = await world.state(id);
  return {
    verdict,
    episode: episode && { announced: episode.announced, fingerprint: episode.fingerprint },
    failures,
    nextAttempt,
    dueBecause,
    lastSummary,
    events: driftEvents(world, id),
  };
};

describe('the pipeline', () => {
  it('comes to the same end as without faults, whatever fails in whatever order', async () => {
    const faultless = await createWorld();
    await heal(faultless);
    expect(driftEvents(faultless, 'drifty')).toEqual(['drift.detected']);

    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 5, maxLength: 40 }), async (steps) => {
        const world = await createWorld();
        for (const step of steps) await take(world, step);
        await heal(world);
        for (const id of STACKS) {
          await expectSound(world, id);
          expect(await outcomeOf(world, id)).toEqual(await outcomeOf(faultless, id));
        }
        expectNothingRunAgain(world);
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});
