import { describe, expect, it, vi } from 'vitest';
import { repeat } from '../../lib/local/repeat.ts';

describe('repeat', () => {
  it('does something again and again, whatever becomes of it, until it is told to end', async () => {
    const stop = new AbortController();
    const errors: unknown[] = [];
    const failure = new Error('not this time');
    let times = 0;
    await repeat(
      async () => {
        times += 1;
        if (times === 2) throw failure;
        if (times === 4) stop.abort();
      },
      { everyMs: 1, signal: stop.signal, onError: (error) => errors.push(error) },
    );

    expect(times).toBe(4);
    expect(errors).toEqual([failure]);
  });

  it('waits for work that is under way', async () => {
    const stop = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    let ended = false;
    const repeated = repeat(() => promise, { everyMs: 1, signal: stop.signal, onError: vi.fn() }).then(() => {
      ended = true;
    });
    stop.abort();
    await Promise.resolve();
    expect(ended).toBe(false);
    resolve();
    await repeated;
    expect(ended).toBe(true);
  });

  it('does nothing where it is too late already', async () => {
    const work = vi.fn(async () => {});
    await repeat(work, { everyMs: 1, signal: AbortSignal.abort(), onError: vi.fn() });

    expect(work).not.toHaveBeenCalled();
  });
});
