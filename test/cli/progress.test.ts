import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgress, silentProgress } from '../../lib/cli/progress.ts';

function aScreen({ live, columns }: { readonly live: boolean; readonly columns?: number }) {
  const writes: string[] = [];
  const stream = { columns, write: (text: string) => writes.push(text) };
  const progress = createProgress({ stream, live, now: () => Date.now() });
  return { writes, progress, rows: () => rowsAfter(writes) };
}

/** What a terminal shows after these writes: it knows "up n rows" and "clear to the end". */
function rowsAfter(writes: readonly string[]): readonly string[] {
  return writes.reduce<readonly string[]>((rows, text) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: how terminals are told
    const [, up, added = ''] = /^(?:\u001b\[(\d+)A\r\u001b\[J)?([\s\S]*)$/.exec(text) ?? [];
    return [...rows.slice(0, rows.length - Number(up ?? 0)), ...added.split('\n').slice(0, -1)];
  }, []);
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('progress in a log', () => {
  it('is one line at the start and one at the end of a stack', () => {
    const { progress, writes } = aScreen({ live: false });
    progress.start('prod/queues');
    progress.update('prod/queues', { step: 'plan' });
    progress.update('prod/queues', { step: 'refresh', count: 3 });
    vi.advanceTimersByTime(12_400);
    progress.done('prod/queues', 'drifted');
    progress.close();
    expect(writes).toEqual(['prod/queues: checking\n', 'prod/queues: drifted (12.4s)\n']);
  });

  it('carries no control character of a name', () => {
    const { progress, writes } = aScreen({ live: false });
    progress.start('a\u001b[2J');
    progress.done('a\u001b[2J', 'in sync');
    expect(writes).toEqual(['a\\u001b[2J: checking\n', 'a\\u001b[2J: in sync (0.0s)\n']);
  });

  it('needs no timer', () => {
    const { progress } = aScreen({ live: false });
    progress.start('prod/queues');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('progress on a terminal', () => {
  it('has a line per running stack, redrawn in place', () => {
    const { progress, rows } = aScreen({ live: true });
    progress.start('prod/dns');
    vi.advanceTimersByTime(500);
    progress.start('prod/queues');
    vi.advanceTimersByTime(2_000);
    progress.update('prod/queues', { step: 'refresh', count: 142 });
    expect(rows()).toEqual(['prod/dns: starting, 2s', 'prod/queues: 142 resources refreshed, 2s']);
  });

  it.each([
    [{ step: 'init' }, 'initialising'],
    [{ step: 'plan' }, 'planning'],
    [{ step: 'show' }, 'reading the plan'],
    [{ step: 'refresh', count: 1 }, '1 resource refreshed'],
  ] as const)('shows %j as "%s"', (step, words) => {
    const { progress, rows } = aScreen({ live: true });
    progress.update('prod/dns', step);
    expect(rows()).toEqual([`prod/dns: ${words}, 0s`]);
  });

  it('counts what is done by verdict', () => {
    const { progress, rows } = aScreen({ live: true });
    for (const [stack, verdict] of [
      ['a', 'in sync'],
      ['b', 'drifted'],
      ['c', 'in sync'],
    ] as const) {
      progress.start(stack);
      vi.advanceTimersByTime(1_000);
      progress.done(stack, verdict);
    }
    progress.start('d');
    vi.advanceTimersByTime(1_000);
    expect(rows()).toEqual(['d: starting, 1s', '3 done: 2 in sync, 1 drifted']);
  });
});

describe('the screen of progress', () => {
  it('shows ten lines at most', () => {
    const { progress, rows } = aScreen({ live: true });
    for (let at = 0; at < 14; at++) progress.start(`s${at}`);
    vi.advanceTimersByTime(1_000);
    expect(rows()).toHaveLength(11);
    expect(rows().at(-1)).toBe('and 4 more');
  });

  it('cuts lines to the terminal, so that none takes two rows', () => {
    const { progress, rows } = aScreen({ live: true, columns: 20 });
    progress.start('production/network/eu-central-1');
    expect(rows()).toEqual(['production/network…']);
  });

  it('redraws at most ten times a second', () => {
    const { progress, writes } = aScreen({ live: true });
    progress.start('prod/dns');
    for (let count = 1; count <= 1_000; count++) {
      vi.advanceTimersByTime(1);
      progress.update('prod/dns', { step: 'refresh', count });
    }
    expect(writes.length).toBeLessThanOrEqual(11);
  });

  it('keeps the time running while nothing is reported', () => {
    const { progress, rows } = aScreen({ live: true });
    progress.start('prod/dns');
    vi.advanceTimersByTime(60_000);
    expect(rows()).toEqual(['prod/dns: starting, 60s']);
  });

  it('leaves nothing behind, neither lines nor timers', () => {
    const { progress, rows } = aScreen({ live: true });
    progress.start('prod/dns');
    progress.close();
    expect(rows()).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stops its timer when nothing runs any more', () => {
    const { progress } = aScreen({ live: true });
    progress.start('prod/dns');
    progress.done('prod/dns', 'in sync');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('writes nothing where nothing ran', () => {
    const { progress, writes } = aScreen({ live: true });
    progress.close();
    expect(writes).toEqual([]);
  });
});

describe('silent progress', () => {
  it('takes every call', () => {
    expect(() => {
      silentProgress.start('a');
      silentProgress.update('a', { step: 'init' });
      silentProgress.done('a', 'in sync');
      silentProgress.close();
    }).not.toThrow();
  });
});
