import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffInput, diff } from '../../lib/domain/diff.ts';
import { canonicalJson, isJsonArray, isJsonObject, type Json, PreciseNumber } from '../../lib/domain/json.ts';
import { formatPath, type Path, withoutPositions } from '../../lib/domain/path.ts';
import { reorderMembers, similarJson } from '../support/json-values.ts';
import { maskedAttributes } from '../support/masked-values.ts';

function aDiff(overrides: Partial<DiffInput> = {}) {
  return diff({
    kind: 'planned',
    before: {},
    after: {},
    afterUnknown: false,
    beforeSensitive: false,
    afterSensitive: false,
    ...overrides,
  });
}

const kinds = fc.constantFrom('drift', 'planned');
const changedPaths = (overrides: Partial<DiffInput>) => aDiff(overrides).changes.map(({ path }) => formatPath(path));
const noisePaths = (overrides: Partial<DiffInput>) => aDiff(overrides).noise.map(({ path }) => formatPath(path));

describe('diff', () => {
  it('finds nothing between equal values, and something between others', () => {
    fc.assert(
      fc.property(similarJson, similarJson, (before, after) => {
        const isEqual = canonicalJson(before) === canonicalJson(after);
        expect(aDiff({ before, after }).changes.length === 0).toBe(isEqual);
        expect(aDiff({ before, after: reorderMembers(before) })).toMatchObject({ changes: [], noise: [] });
      }),
      { numRuns: 1000 },
    );
  });

  it('finds the same places both ways', () => {
    const placesOf = (overrides: Partial<DiffInput>) => {
      const { changes, noise } = aDiff(overrides);
      return [...changes, ...noise].map(({ path }) => formatPath(withoutPositions(path))).sort();
    };
    fc.assert(
      fc.property(kinds, similarJson, similarJson, (kind, before, after) => {
        expect(placesOf({ kind, before, after })).toEqual(placesOf({ kind, before: after, after: before }));
      }),
      { numRuns: 1000 },
    );
  });

  it('hands on both values of each place', () => {
    const [change] = aDiff({ before: { size: 1 }, after: { size: 2 } }).changes;
    expect(change).toEqual({ path: ['size'], before: 1, after: 2, unknown: false, sensitive: false });
  });

  it('reports the whole resource where one side is not there, and shows no value of it', () => {
    expect(aDiff({ before: null, after: { a: 1 } }).changes).toMatchObject([{ path: [], sensitive: true }]);
  });

  it('goes into maps and blocks', () => {
    const before = { tags: { a: '1', b: '2', 'c.d': '3' }, same: true };
    const after = { tags: { a: '1', b: 'x', e: '4' }, same: true };
    expect(changedPaths({ before, after })).toEqual(['tags.b', 'tags["c.d"]', 'tags.e']);
  });

  it('takes a member that is null for one that is not there', () => {
    expect(aDiff({ before: { a: null }, after: { b: null } })).toMatchObject({ changes: [], noise: [] });
    expect(aDiff({ before: { a: null }, after: { a: 0 } }).changes).toMatchObject([{ before: null, after: 0 }]);
  });

  it('finds members that are named like what every object has', () => {
    expect(changedPaths({ before: {}, after: { toString: 'x' } })).toEqual(['toString']);
    expect(changedPaths({ before: JSON.parse('{"__proto__":1}'), after: {} })).toEqual(['__proto__']);
  });

  it('tells numbers apart that one double stands for', () => {
    const [before, after] = [new PreciseNumber('9007199254740993'), 9007199254740992];
    expect(changedPaths({ before: { id: before }, after: { id: after } })).toEqual(['id']);
  });
});

describe('diff of lists', () => {
  const lists = (before: readonly Json[], after: readonly Json[]) => ({ before: { l: before }, after: { l: after } });

  it.each<[string, readonly Json[], readonly Json[], readonly string[]]>([
    ['an element came', [{ a: 1 }], [{ a: 1 }, { a: 2 }], ['l']],
    ['an element went', [1, 2], [2], ['l']],
    ['elements changed places', [{ a: 1 }, { a: 2 }], [{ a: 2 }, { a: 1 }], ['l']],
    ['a plain element changed', ['a', 'b'], ['a', 'c'], ['l']],
    ['a block became a plain element', [{ a: 1 }], ['a'], ['l']],
    ['one block changed', [{ a: 1 }, { a: 2, b: 1 }], [{ a: 1 }, { a: 2, b: 2 }], ['l[1].b']],
    ['a changed block moved', [{ a: 1 }, { a: 2 }], [{ a: 2 }, { a: 3 }], ['l[1].a']],
    ['two blocks changed', [{ a: 1 }, 0, { a: 2 }], [{ a: 3 }, 0, { a: 4 }], ['l[0].a', 'l[2].a']],
    ['one of two equal blocks changed', [{ a: 1 }, { a: 1 }], [{ a: 1 }, { a: 2 }], ['l[1].a']],
    ['a list inside a list', [[1], [2]], [[1], [3]], ['l']],
  ])('says where %s', (_, before, after, paths) => {
    expect(changedPaths(lists(before, after))).toEqual(paths);
  });

  it('sees noise inside elements', () => {
    const [before, after] = [[{ policy: '{"Action":["a","b"]}' }], [{ policy: '{"Action":["b","a"]}' }]];
    expect(noisePaths(lists(before, after))).toEqual(['l[0].policy']);
  });
});

describe('diff of what is known after apply', () => {
  it.each<[string, Json, Json, Json, readonly string[]]>([
    ['a whole value', { a: 1, b: 1 }, { b: 1 }, { a: true }, ['a']],
    ['a value that is not there yet', {}, {}, { id: true }, ['id']],
    ['a member of a map', { tags: { a: 1 } }, { tags: { a: 1 } }, { tags: { b: true } }, ['tags.b']],
    ['a list with one such element', { l: [1, 2] }, { l: [1] }, { l: [false, true] }, ['l']],
    ['the inside of a new block', { block: null }, { block: {} }, { block: { id: true } }, ['block']],
    ['a list where there was none', { l: null }, { l: [] }, { l: [true] }, ['l']],
    ['the inside of a block that is not there', { block: null }, {}, { block: { id: true } }, ['block']],
    ['nothing, where the mask says false', { a: 1 }, { a: 1 }, { a: false, b: [false], c: {} }, []],
  ])('reports %s', (_, before, after, afterUnknown, paths) => {
    const { changes } = aDiff({ before, after, afterUnknown });
    expect(changes.map(({ path }) => formatPath(path))).toEqual(paths);
    expect(changes.every(({ unknown }) => unknown)).toBe(true);
  });

  it('is never noise', () => {
    const unknown = { kind: 'drift', before: { a: '' }, after: { a: null }, afterUnknown: { a: true } } as const;
    expect(aDiff(unknown)).toMatchObject({ changes: [{ unknown: true }], noise: [] });
  });
});

const maskedResource = maskedAttributes(fc.constantFrom('a', 'b'), fc.constantFrom<Json>('', 'a', 'b', 0, 1, null));

const marks = (mask: Json | undefined) => mask !== undefined && canonicalJson(mask).includes('true');

/** The masks on the way to a place, the whole resource's first and the place's own last. */
function masksAlong(mask: Json, path: Path): (Json | undefined)[] {
  let current: Json | undefined = mask;
  const along: (Json | undefined)[] = [mask];
  for (const segment of path) {
    if (typeof segment === 'number') current = isJsonArray(current) ? current[segment] : undefined;
    else current = isJsonObject(current) ? current[segment] : undefined;
    along.push(current);
  }
  return along;
}

describe('diff of sensitive values', () => {
  it('never reports a place below a mark, nor inside a list with one', () => {
    fc.assert(
      fc.property(kinds, maskedResource, maskedResource, (kind, before, after) => {
        const masks = { beforeSensitive: before.mask, afterSensitive: after.mask };
        const { changes, noise } = aDiff({ kind, before: before.value, after: after.value, ...masks });
        for (const { path } of [...changes, ...noise]) {
          for (const mask of [before.mask, after.mask]) {
            const above = masksAlong(mask, path).slice(0, -1);
            expect(above).not.toContain(true);
            expect(above.filter((part) => isJsonArray(part) && marks(part))).toEqual([]);
          }
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('says of a change that it is sensitive where anything of it is marked', () => {
    fc.assert(
      fc.property(kinds, maskedResource, maskedResource, (kind, before, after) => {
        const masks = { beforeSensitive: before.mask, afterSensitive: after.mask };
        for (const change of aDiff({ kind, before: before.value, after: after.value, ...masks }).changes) {
          const own = [before.mask, after.mask].map((mask) => masksAlong(mask, change.path).at(-1));
          // Positions differ on both sides where elements moved; lists without marks are the only ones gone into.
          expect(change.sensitive).toBe(own.some(marks));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[string, Json, Json, Json, Json]>([
    ['a marked value', 'old', true, 'new', true],
    ['a value marked on one side only', 'old', false, 'new', true],
    ['a map with a mark of the whole', { k: 'a' }, true, { k: 'b' }, true],
    ['a block with a marked member that goes', { password: 'a' }, { password: true }, null, false],
    ['a block with a marked member that comes', null, false, { password: 'a' }, { password: true }],
    [
      'a set in which one member is marked',
      [{ p: 'a' }, { q: 1 }],
      [{ p: true }, {}],
      [{ p: 'a' }, { q: 2 }],
      [{ p: true }, {}],
    ],
    ['a list in which one member is marked from now on', [{ q: 1 }], [{}], [{ q: 2 }], [{ p: true }]],
    ['a list in which one member was marked', [{ q: 1 }], [{ p: true }], [{ q: 2 }], [{}]],
    ['a list that goes', [{ inner: { p: 'a' } }], [{ inner: { p: true } }], null, false],
  ])('reports as one sensitive place %s', (_, before, beforeMask, after, afterMask) => {
    const { changes } = aDiff({
      before: { x: before },
      after: { x: after },
      beforeSensitive: { x: beforeMask },
      afterSensitive: { x: afterMask },
    });
    expect(changes).toMatchObject([{ path: ['x'], sensitive: true }]);
  });

  it('goes past the marked members of a map', () => {
    const { changes } = aDiff({
      before: { m: { open: 1, secret: 's' } },
      after: { m: { open: 2, secret: 't' } },
      beforeSensitive: { m: { secret: true } },
      afterSensitive: { m: { secret: true } },
    });
    expect(changes.map(({ path, sensitive }) => [formatPath(path), sensitive])).toEqual([
      ['m.open', false],
      ['m.secret', true],
    ]);
  });

  it.each<[string, undefined | null]>([
    ['no masks', undefined],
    ['null for masks', null],
  ])('takes every change for sensitive in documents with %s', (_, mask) => {
    const change = { before: { a: 1, m: { k: 1 } }, after: { a: 2, m: { k: 2 } } };
    const { changes } = aDiff({ ...change, beforeSensitive: mask, afterSensitive: mask });
    expect(changes.map(({ path, sensitive }) => [formatPath(path), sensitive])).toEqual([
      ['a', true],
      ['m.k', true],
    ]);
  });

  it('names the attributes of a resource that is marked as a whole', () => {
    const change = { before: { a: 1, m: { k: 1 } }, after: { a: 2, m: { k: 2 } } };
    const { changes } = aDiff({ ...change, beforeSensitive: true, afterSensitive: true });
    expect(changes.map(({ path, sensitive }) => [formatPath(path), sensitive])).toEqual([
      ['a', true],
      ['m', true],
    ]);
  });

  it.each<[string, Json, Json, readonly string[]]>([
    ['is noise inside it', { k: '', l: [{ v: null }] }, { k: null, l: [{ v: '' }] }, ['x']],
    ['really differs inside it', { k: '', v: 1 }, { k: null, v: 2 }, []],
    ['differs in what is not there alone', [{ k: null }], [{}], []],
  ])('says of a marked part in drift what %s', (_, before, after, noise) => {
    const masks = { beforeSensitive: { x: true }, afterSensitive: { x: true } };
    expect(noisePaths({ kind: 'drift', before: { x: before }, after: { x: after }, ...masks })).toEqual(noise);
  });
});
