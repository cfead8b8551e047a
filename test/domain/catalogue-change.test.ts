import { describe, expect, it } from 'vitest';
import { judgeRemovals, removedFrom } from '../../lib/domain/catalogue-change.ts';
import { aSpec } from '../support/stack-builder.ts';

describe('removedFrom', () => {
  it('names the stacks that a catalogue has no longer', () => {
    expect(removedFrom(['a', 'b', 'c'], [aSpec({ id: 'b' }), aSpec({ id: 'd' })])).toEqual(['a', 'c']);
  });
});

describe('judgeRemovals', () => {
  it.each([
    ['nothing removed', { known: 10, wanted: 12, removed: 0 }],
    ['half removed', { known: 10, wanted: 5, removed: 5 }],
    ['most of a few renamed', { known: 4, wanted: 4, removed: 4 }],
    ['an empty catalogue where there was none', { known: 0, wanted: 0, removed: 0 }],
  ])('accepts %s', (_what, sizes) => {
    expect(judgeRemovals(sizes)).toBeNull();
  });

  it.each([
    ['more than half removed', { known: 9, wanted: 4, removed: 5 }],
    ['all replaced', { known: 5, wanted: 500, removed: 5 }],
    ['an empty catalogue', { known: 1, wanted: 0, removed: 1 }],
  ])('refuses %s', (_what, sizes) => {
    expect(judgeRemovals(sizes)).toMatchObject({
      code: 'CatalogueInvalid',
      message: `the catalogue would remove ${sizes.removed} of ${sizes.known} stacks`,
    });
  });
});
