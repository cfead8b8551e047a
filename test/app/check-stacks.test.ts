import { describe, expect, it } from 'vitest';
import { checkStacks } from '../../lib/app/check-stacks.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import { aCheck, aPlanRun, CLEAN, checkDeps, DRIFTED } from '../support/check-world.ts';

describe('checkStacks', () => {
  it('gives results in the order of the inputs, and a failed stack hides no other', async () => {
    const { deps } = checkDeps({
      runs: { '/b': new HoldfastError('PlanFailed', 'no such type'), '/c': aPlanRun(DRIFTED, 2) },
    });

    const results = await checkStacks(deps, { inputs: ['a', 'b', 'c'].map((name) => aCheck(name)), concurrency: 3 });

    expect(results.map(({ stack, verdict }) => `${stack} ${verdict}`)).toEqual(['a in-sync', 'b failed', 'c drifted']);
  });

  it('runs as many at a time as it may, and tells of each as it starts and ends', async () => {
    const { deps } = checkDeps();
    const events: string[] = [];
    const running = new Map<string, () => void>();
    const engine = {
      run: ({ directory }: { readonly directory: string }) =>
        new Promise<ReturnType<typeof aPlanRun>>((resolve) => {
          running.set(directory, () => resolve(aPlanRun(CLEAN, 0)));
          // The last that may start ends first.
          if (directory !== '/a') running.get(directory)?.();
          if (directory === '/c') running.get('/a')?.();
        }),
    };

    const results = await checkStacks(
      {
        ...deps,
        engine,
        onStart: (stack) => events.push(`start ${stack}`),
        onResult: ({ stack }) => events.push(`done ${stack}`),
      },
      { inputs: ['a', 'b', 'c'].map((name) => aCheck(name)), concurrency: 2 },
    );

    expect(events.slice(0, 4)).toEqual(['start a', 'start b', 'done b', 'start c']);
    expect(events.slice(4).sort()).toEqual(['done a', 'done c']);
    expect(results.map(({ stack }) => stack)).toEqual(['a', 'b', 'c']);
  });

  it('has nothing to tell of no stacks', async () => {
    expect(await checkStacks(checkDeps().deps, { inputs: [], concurrency: 1 })).toEqual([]);
  });
});
