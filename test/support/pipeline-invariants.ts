import { expect } from 'vitest';
import { eventsOf, MINUTE, type PipelineWorld } from './pipeline-world.ts';

/**
 * What holds of a stack whenever the dust has settled: every run has ended, one event a number and none missing, first
 * heard of in their order, and never two tasks at a time.
 */
export async function expectSound(world: PipelineWorld, stackId: string): Promise<void> {
  const runs = await world.runsOf(stackId);
  expect(runs.filter(({ outcome }) => outcome === null)).toEqual([]);
  expect(world.ecs.overlaps).toEqual([]);

  const { sequence, createdAt, outbox, inFlight } = await world.state(stackId);
  expect({ outbox, inFlight }).toEqual({ outbox: [], inFlight: null });
  const heard = world.published.flatMap((event) =>
    event.type !== 'catalogue.invalid' && event.stackId === stackId ? event : [],
  );
  const told = eventsOf(world.published, stackId);
  const first = Date.parse(createdAt) + 1;
  const numbers = Array.from({ length: sequence - first + 1 }, (_, index) => first + index);
  expect([...new Set(heard.map((event) => event.sequence))]).toEqual(numbers);
  for (const event of heard) expect(event).toEqual(told.find(({ sequence: number }) => number === event.sequence));
}

export interface SettleOptions {
  /** What running tasks do after each tick. */
  readonly endTasks: () => Promise<void>;
  readonly minutes: number;
  /** Minutes from one tick to the next. */
  readonly every?: number;
}

/** Lets the dispatcher tick every minute, as in a healthy deployment. */
export async function settle(world: PipelineWorld, { endTasks, minutes, every = 1 }: SettleOptions): Promise<void> {
  for (let minute = 0; minute < minutes; minute += every) {
    world.pass(every * MINUTE);
    await world.tick();
    await endTasks();
  }
}
