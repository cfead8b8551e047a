/** A process that dies at one of its writes: from then on nothing of it reaches the outside. */
export interface Fuse {
  /** Writes so far. */
  writes: number;
  /** The write at which it dies, from 1; `null`: it lives. */
  readonly dieAt: number | null;
  /** Whether that write still took place. */
  readonly moment: 'before' | 'after';
  dead: boolean;
}

export class Crash extends Error {}

export const fuse = (dieAt: number | null = null, moment: Fuse['moment'] = 'before'): Fuse => ({
  writes: 0,
  dieAt,
  moment,
  dead: false,
});

const WRITES = new Set([
  'create',
  'finish',
  'launch',
  'publish',
  'put',
  'putSpec',
  'remove',
  'saveState',
  'started',
  'stop',
]);

/** The port as a process sees it that may die. */
export function fused<Port extends object>(port: Port, state: Fuse): Port {
  return new Proxy(port, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return async (...input: unknown[]) => {
        if (state.dead) throw new Crash('dead');
        if (!WRITES.has(String(name))) return method.apply(target, input);
        state.writes += 1;
        const dies = state.writes === state.dieAt;
        if (dies) state.dead = true;
        if (dies && state.moment === 'before') throw new Crash(`before write ${state.writes}: ${String(name)}`);
        const answer: unknown = await method.apply(target, input);
        if (dies) throw new Crash(`after write ${state.writes}: ${String(name)}`);
        return answer;
      };
    },
  });
}
