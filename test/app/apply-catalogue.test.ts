import { describe, expect, it } from 'vitest';
import { createMemoryCatalogueMarkStore } from '../../lib/adapters/memory-catalogue-mark-store.ts';
import { type ApplyCatalogueInput, applyCatalogue } from '../../lib/app/apply-catalogue.ts';
import { suspendStack } from '../../lib/app/suspend-stack.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import type { StackSpec } from '../../lib/domain/stack-spec.ts';
import type { LatestCatalogue } from '../../lib/ports/catalogue-store.ts';
import { clean, createPipelineWorld, drifted, HOUR, type PipelineWorld } from '../support/pipeline-world.ts';
import { aSpec, aTiming } from '../support/stack-builder.ts';

const failure = { code: 'CatalogueInvalid', message: 'stacks.yaml is no YAML' };

async function setup(known: readonly Partial<StackSpec>[] = []) {
  const world = await createPipelineWorld(known);
  const marks = createMemoryCatalogueMarkStore();
  let latest: LatestCatalogue | undefined;
  let commits = 0;
  const catalogues = {
    put: async (next: LatestCatalogue) => {
      latest = next;
    },
    get: async () => latest,
  };
  const deps = { ...world.deps, catalogues, marks };
  const write = (stacks: readonly StackSpec[]) => {
    commits += 1;
    return catalogues.put({ schemaVersion: 1, commit: `commit-${commits}`, stacks });
  };
  return {
    world,
    deps,
    catalogues,
    write,
    fail: (commit: string | null, why = failure) => catalogues.put({ schemaVersion: 1, commit, failure: why }),
    apply: (removals: ApplyCatalogueInput['removals'] = 'guarded') => applyCatalogue(deps, { removals }),
    ids: async () => (await world.deps.stacks.list()).stacks.map(({ spec }) => spec.id),
  };
}

const specs = (...ids: readonly string[]) => ids.map((id) => aSpec({ id }));

const invalidIn = ({ published }: PipelineWorld) => published.filter(({ type }) => type === 'catalogue.invalid');

describe('applyCatalogue', () => {
  it('does nothing before there is a catalogue', async () => {
    const { apply } = await setup();
    expect(await apply()).toEqual({ kind: 'none' });
  });

  it('adds, changes and removes stacks', async () => {
    const { world, write, apply, ids } = await setup();
    await write(specs('a', 'b', 'c'));
    expect(await apply()).toEqual({ kind: 'applied', created: 3, updated: 0, removed: 0, errors: [] });

    const owned = aSpec({ id: 'b', owner: 'somebody else' });
    await write([...specs('a', 'd'), owned]);
    expect(await apply()).toEqual({ kind: 'applied', created: 1, updated: 1, removed: 1, errors: [] });

    expect(await ids()).toEqual(['a', 'b', 'd']);
    expect((await world.stack('b')).spec).toEqual(owned);
    expect((await world.state('d')).nextDueAt).not.toBeNull();
  });

  it('takes the same catalogue over only once', async () => {
    const { deps, write, apply } = await setup();
    await write(specs('a'));
    await apply();
    await write(specs('a'));
    deps.stacks.list = async () => {
      throw new TypeError('nobody needs the list');
    };
    expect(await apply()).toEqual({ kind: 'unchanged' });
  });

  it('converges again where another catalogue came while this one was taken over', async () => {
    const { deps, catalogues, write, apply, ids } = await setup();
    await write(specs('a'));
    const { putSpec } = deps.stacks;
    deps.stacks.putSpec = async (spec, initial) => {
      deps.stacks.putSpec = putSpec;
      await write(specs('a', 'b'));
      return putSpec(spec, initial);
    };
    await apply();
    expect(await apply()).toMatchObject({ kind: 'applied', created: 1 });
    expect(await ids()).toEqual(['a', 'b']);
    await catalogues.put({ schemaVersion: 1, commit: 'c', stacks: specs('a', 'b') });
    expect(await apply()).toEqual({ kind: 'unchanged' });
  });

  it('keeps what is known of a stack whose spec changes', async () => {
    const { world, write, apply } = await setup([{ id: 'a' }]);
    await world.tick();
    await write([aSpec({ id: 'a', timing: aTiming({ schedules: [{ kind: 'rate', everyMs: 6 * HOUR }] }) })]);
    await apply();
    const [task] = world.ecs.running();
    if (task === undefined) throw new TypeError('no task is running');
    await world.report(task, drifted());
    await world.deliver(task);
    expect(await world.state('a')).toMatchObject({ verdict: 'drifted' });
    expect(world.eventTypes('a')).toEqual(['drift.detected']);
  });

  it('makes up the next time for stacks that could not be written', async () => {
    const { deps, write, apply, ids } = await setup();
    const { putSpec } = deps.stacks;
    deps.stacks.putSpec = async (spec, initial) => {
      if (spec.id === 'b') throw new TypeError('too large');
      return putSpec(spec, initial);
    };
    await write(specs('a', 'b'));
    expect(await apply()).toMatchObject({ kind: 'applied', created: 1, errors: [{ message: 'too large' }] });
    deps.stacks.putSpec = putSpec;
    expect(await apply()).toMatchObject({ kind: 'applied', created: 1, errors: [] });
    expect(await ids()).toEqual(['a', 'b']);
  });

  describe('with a suspension', () => {
    it('holds no time without checks against a stack that the catalogue wants again', async () => {
      const { world, write, apply } = await setup([{ id: 'a', suspended: 'retired' }]);
      world.pass(100 * HOUR);
      await write(specs('a'));
      await apply();
      expect(await world.state('a')).toMatchObject({ resumedAt: world.now().toISOString(), suspended: null });
      world.pass(HOUR);
      await world.tick();
      expect(world.ecs.running()).toHaveLength(1);
      expect(world.published).toEqual([]);
    });

    it('keeps a stack suspended that somebody has suspended by hand', async () => {
      const { world, write, apply } = await setup([{ id: 'a', suspended: 'retired' }]);
      await suspendStack(world.deps, { stackId: 'a', reason: 'incident' });
      await write(specs('a'));
      await apply();
      world.pass(2 * HOUR);
      await world.tick();
      expect(world.ecs.tasks).toEqual([]);
    });
  });

  describe('that removes a stack', () => {
    const [a, b] = [{ id: 'a' }, { id: 'b' }];

    it('finishes its run, whose task may end as it likes', async () => {
      const { world, write, apply, ids } = await setup([a, b]);
      await world.tick();
      const task = world.ecs.tasks.find(({ request }) => request.stackId === 'a');
      if (task === undefined) throw new TypeError('no task was started');
      await write(specs('b'));
      await apply();

      expect(await world.runsOf('a')).toMatchObject([
        { status: 'failed', outcome: { failure: { code: 'StackRemoved' } } },
      ]);
      await world.report(task, clean());
      expect(await world.deliver(task)).toMatchObject({ kind: 'recorded', first: false });
      expect(await ids()).toEqual(['b']);
    });

    it('asks for no run of which there is no record yet', async () => {
      const { world, write, apply, ids } = await setup([a, b]);
      const stack = await world.stack('a');
      const inFlight = {
        runId: 'run-x',
        trigger: 'schedule',
        attempt: 1,
        startedAt: world.now().toISOString(),
        deadline: world.now().toISOString(),
        taskArn: null,
      } as const;
      await world.deps.stacks.saveState({ ...stack.state, version: 2, inFlight });
      await write(specs('b'));
      expect(await apply()).toMatchObject({ removed: 1, errors: [] });
      expect(await ids()).toEqual(['b']);
    });

    it('publishes its events first', async () => {
      const { world, deps, write, apply } = await setup([a, b]);
      await world.tick();
      const { publish } = deps.publisher;
      world.deps.publisher.publish = async () => {
        throw new TypeError('503');
      };
      for (const task of world.ecs.running()) {
        await world.report(task, drifted());
        await world.deliver(task).catch(() => undefined);
      }
      await write(specs('b'));
      expect(await apply()).toMatchObject({ removed: 0, errors: [{ message: '503' }] });
      deps.publisher.publish = publish;
      expect(await apply()).toMatchObject({ removed: 1, errors: [] });
      expect(world.eventTypes('a')).toEqual(['drift.detected']);
    });

    it('passes over one that is gone already', async () => {
      const { deps, write, apply } = await setup([a, b]);
      const { list } = deps.stacks;
      deps.stacks.list = async (page) => {
        const read = await list(page);
        await deps.stacks.remove('a');
        return read;
      };
      await write(specs('b'));
      expect(await apply()).toMatchObject({ removed: 1, errors: [] });
    });
  });

  describe('of a catalogue that can not be taken over', () => {
    it('changes nothing and tells once for each commit', async () => {
      const { world, write, apply, fail, ids } = await setup();
      await write(specs('a'));
      await apply();

      await fail('bad-1');
      expect(await apply()).toEqual({ kind: 'invalid', failure, announced: true });
      expect(await apply()).toEqual({ kind: 'invalid', failure, announced: false });
      await fail(null, { code: 'SourceUnavailable', message: 'no route to host' });
      await apply();
      await fail('bad-1');
      await apply();
      await fail('bad-2');
      await apply();

      expect(await ids()).toEqual(['a']);
      expect(invalidIn(world)).toMatchObject([
        { schemaVersion: 1, at: world.now().toISOString(), commit: 'bad-1', failure },
        { commit: null, failure: { code: 'SourceUnavailable' } },
        { commit: 'bad-2' },
      ]);
    });

    it('tells again of a commit after a good one', async () => {
      const { world, write, apply, fail } = await setup();
      await write(specs('a'));
      for (let time = 0; time < 2; time += 1) {
        await fail('bad');
        await apply();
        await write(specs('a'));
        await apply();
      }
      expect(invalidIn(world)).toHaveLength(2);
    });

    it('tells again where the event could not be published', async () => {
      const { world, deps, fail, apply } = await setup();
      const { publish } = deps.publisher;
      deps.publisher.publish = async () => {
        throw new TypeError('503');
      };
      await fail('bad');
      await expect(apply()).rejects.toThrow('503');
      deps.publisher.publish = publish;
      await apply();
      expect(invalidIn(world)).toHaveLength(1);
    });

    it('takes one that is cut off for invalid', async () => {
      const { world, catalogues, apply } = await setup();
      catalogues.get = async () => {
        throw new HoldfastError('ResultUnreadable', 'latest.json is cut off');
      };
      await apply();
      expect(invalidIn(world)).toMatchObject([{ commit: null, failure: { message: 'latest.json is cut off' } }]);
    });

    it('fails while it can not be fetched', async () => {
      const { world, catalogues, apply } = await setup();
      catalogues.get = async () => {
        throw new TypeError('503');
      };
      await expect(apply()).rejects.toThrow('503');
      expect(world.published).toEqual([]);
    });
  });

  describe('of a catalogue that would remove most of the stacks', () => {
    const six = ['a', 'b', 'c', 'd', 'e', 'f'];

    it('changes nothing, and says so', async () => {
      const { world, write, apply, ids } = await setup(six.map((id) => ({ id })));
      await write(specs('a', 'new'));
      expect(await apply()).toMatchObject({ kind: 'invalid', announced: true });
      expect(await ids()).toEqual(six);
      expect(invalidIn(world)).toMatchObject([
        { commit: 'commit-1', failure: { message: 'the catalogue would remove 5 of 6 stacks' } },
      ]);
    });

    it('removes them where any removal is allowed', async () => {
      const { write, apply, ids } = await setup(six.map((id) => ({ id })));
      await write(specs('a', 'new'));
      expect(await apply('any')).toMatchObject({ created: 1, removed: 5 });
      expect(await ids()).toEqual(['a', 'new']);
    });
  });
});
