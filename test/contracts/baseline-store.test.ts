import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createFileBaselineStore } from '../../lib/adapters/file-baseline-store.ts';
import { createMemoryBaselineStore } from '../../lib/adapters/memory-baseline-store.ts';
import type { Baseline } from '../../lib/domain/baseline.ts';

const directory = await mkdtemp(join(tmpdir(), 'holdfast-baselines-'));
afterAll(() => rm(directory, { recursive: true }));

const aBaseline = (overrides: Partial<Baseline> = {}): Baseline => ({
  digests: { basis: 'files', config: 'c'.repeat(64), inputs: 'i'.repeat(64), providers: null },
  at: '2026-11-30T09:00:00.000Z',
  ...overrides,
});

let stores = 0;
const makers = [
  { name: 'memory', create: createMemoryBaselineStore },
  {
    name: 'file',
    create: () => {
      stores += 1;
      return createFileBaselineStore({ directory: join(directory, String(stores)) });
    },
  },
];

describe.each(makers)('the $name baseline store', ({ create }) => {
  it('has no baseline of a stack that was never saved', async () => {
    expect(await create().load('prod/queues')).toBeUndefined();
  });

  it('gives back what was saved, with the commit and without', async () => {
    const store = create();
    await store.save('a', aBaseline());
    await store.save('b', aBaseline({ commit: '1f0e' }));
    expect(await store.load('a')).toEqual(aBaseline());
    expect(await store.load('b')).toEqual(aBaseline({ commit: '1f0e' }));
  });

  it('keeps the baseline that was saved last', async () => {
    const store = create();
    await store.save('a', aBaseline({ commit: 'old' }));
    await store.save('a', aBaseline({ commit: 'new' }));
    expect(await store.load('a')).toEqual(aBaseline({ commit: 'new' }));
  });

  it('keeps stacks apart, whatever they are called', async () => {
    const id = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.constantFrom(
        'a',
        'A',
        'a/b',
        'a%2fb',
        'a-b',
        '.',
        '..',
        '',
        'salt',
        'con',
        `${'x'.repeat(300)}1`,
        `${'x'.repeat(300)}2`,
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(id, { minLength: 2, maxLength: 6 }), async (stacks) => {
        const store = create();
        for (const stack of stacks) await store.save(stack, aBaseline({ commit: stack }));
        for (const stack of stacks) expect(await store.load(stack)).toEqual(aBaseline({ commit: stack }));
      }),
      { numRuns: 30 },
    );
  });
});
