import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryStackStore } from '../../lib/adapters/memory-stack-store.ts';
import { clearOutbox } from '../../lib/domain/event-log.ts';
import type { StackState } from '../../lib/domain/stack-state.ts';
import { copyExamples } from '../../lib/local/demo-prepare.ts';
import type { Queues } from '../../lib/local/demo-queues.ts';
import { DEMO_STACKS } from '../../lib/local/demo-stacks.ts';
import { type DemoStoryDeps, tellStory } from '../../lib/local/demo-story.ts';
import { aDriftedSummary, aStack, aSummary, result, runOnce, START } from '../support/stack-builder.ts';
import { aFolder } from '../support/temporary-folder.ts';

const DRIFTING: ReadonlyMap<string, string> = new Map([
  ['dev/messaging', 'dev-orders'],
  ['staging/messaging', 'staging-emails-dead-letter'],
  ['prod/messaging', 'prod-orders'],
]);

/** The stacks of the demo; whenever somebody waits, a check of each goes by. */
async function aStory(over: Partial<DemoStoryDeps> = {}) {
  const folder = await aFolder();
  await copyExamples(folder);
  const stacks = createMemoryStackStore();
  for (const { id } of DEMO_STACKS) {
    const { spec, state } = aStack({ id });
    await stacks.putSpec(spec, state);
  }
  const disturbed = new Set<string>();
  const log: string[] = [];
  const queues: Queues = {
    create: async ({ name, attributes }) => {
      disturbed.delete(name);
      log.push(`create ${name} ${attributes.MessageRetentionPeriod}`);
      return name;
    },
    setAttributes: async (name, attributes) => {
      const back = attributes.VisibilityTimeout === '30' || attributes.Policy === '';
      if (back) disturbed.delete(name);
      else disturbed.add(name);
      log.push(`${back ? 'restore' : 'disturb'} ${name}`);
    },
    remove: async (name) => {
      disturbed.add(name);
      log.push(`remove ${name}`);
    },
    close() {},
  };
  const states = async (id: string) => (await stacks.get(id))?.state as StackState;
  let checks = 0;
  const check = async (id: string) => {
    const stack = await stacks.get(id);
    if (stack === undefined) throw new TypeError(`no stack ${id}`);
    const outcome = disturbed.has(DRIFTING.get(id) ?? '') ? aDriftedSummary('f') : aSummary();
    checks += 1;
    const { state } = runOnce(
      { ...stack, state: { ...stack.state, nextDueAt: null, dueBecause: null } },
      result(outcome),
      new Date(START.getTime() + checks * 1000),
    );
    await stacks.saveState({
      ...clearOutbox(state, state.sequence),
      version: stack.state.version + 1,
      dueBecause: null,
    });
  };
  const said: string[] = [];
  let mark = false;
  const waits: number[] = [];
  const deps: DemoStoryDeps = {
    stacks,
    clock: { now: () => START },
    queues,
    directoryOf: (id) => join(folder, 'environments', id),
    mark: {
      get: async () => mark,
      set: async (value) => {
        mark = value;
        log.push(`mark ${value}`);
      },
    },
    say: (line) => said.push(line.trim()),
    wait: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      for (const { id } of DEMO_STACKS) await check(id);
    },
    pace: 'natural',
    ...over,
  };
  const main = () => readFile(join(folder, 'environments/prod/workers/main.tf'), 'utf8');
  return { deps, log, said, waits, main, states, disturbed, isMarked: () => mark };
}

const { signal } = new AbortController();

describe('the story of the demo', () => {
  it('goes from in sync over drift to in sync again', async () => {
    const story = await aStory();
    const before = await story.main();
    await tellStory(story.deps, signal);

    expect(story.log).toEqual([
      'mark true',
      'disturb dev-orders',
      'remove staging-emails-dead-letter',
      'disturb prod-orders',
      'restore dev-orders',
      'restore prod-orders',
      'create staging-emails-dead-letter 1209600',
      'mark false',
    ]);
    expect(await story.main()).toBe(before);
    expect(story.said.filter((line) => line.endsWith('.'))).toEqual([
      'The next checks find out.',
      expect.stringContaining('That is drift'),
      'Everything is in sync again.',
    ]);
    expect(story.waits).toContain(90_000);
  });

  it('asks for the checks and lets nobody wait, where it is told fast', async () => {
    const story = await aStory({ pace: 'fast' });
    await tellStory(story.deps, signal);

    expect(Math.max(...story.waits)).toBeLessThan(1000);
    expect(story.said.at(-1)).toBe('Everything is in sync again.');
  });

  it('goes on where it was interrupted: what was disturbed is put back', async () => {
    const story = await aStory({ pace: 'fast' });
    const ended = new AbortController();
    const interrupted = tellStory(
      {
        ...story.deps,
        wait: async (...args) => {
          if (story.disturbed.size === 3) ended.abort(new Error('Ctrl-C'));
          await story.deps.wait(...args);
        },
      },
      ended.signal,
    );
    await expect(interrupted).rejects.toThrow('Ctrl-C');
    expect(story.isMarked()).toBe(true);
    story.log.length = 0;
    await tellStory(story.deps, signal);

    expect(story.log[0]).toBe('restore dev-orders');
    expect(story.isMarked()).toBe(false);
  });
});
