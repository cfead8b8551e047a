import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatPath,
  type Path,
  parsePath,
  pathsOverlap,
  startsWithPath,
  withoutPositions,
} from '../../lib/domain/path.ts';
import { anyKey } from '../support/json-values.ts';

const codeUnits = fc.array(fc.nat(0xffff), { maxLength: 5 }).map((units) => String.fromCharCode(...units));
const anyPath: fc.Arbitrary<Path> = fc.array(fc.oneof(anyKey, codeUnits, fc.nat()), { minLength: 1, maxLength: 6 });
const similarPath: fc.Arbitrary<Path> = fc.array(fc.constantFrom<string | number>('a', 'b', 0, 1), { maxLength: 4 });

describe('formatPath', () => {
  it.each<[Path, string]>([
    [['policy'], 'policy'],
    [['ingress', 0, 'cidr_blocks', 12], 'ingress[0].cidr_blocks[12]'],
    [['tags', 'team'], 'tags.team'],
    [['tags', 'k8s.io/role'], 'tags["k8s.io/role"]'],
    [['tags', 'a"b\\c'], 'tags["a\\"b\\\\c"]'],
    [['tags', 'two\nlines'], 'tags["two\\nlines"]'],
    [['tags', 'a.b'], 'tags["a.b"]'],
    [['tags', '0'], 'tags["0"]'],
    [['tags', ''], 'tags[""]'],
    [['tags', '*'], 'tags["*"]'],
    [['tags', 'Größe'], 'tags["Größe"]'],
    [['a b', 'c'], '["a b"].c'],
    [[], ''],
  ])('writes %j as %s', (path, text) => {
    expect(formatPath(path)).toBe(text);
  });

  it('gives every path a text of its own, which parsePath reads back', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        expect(parsePath(formatPath(path))).toEqual(path);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('parsePath', () => {
  it.each<[string, Path]>([
    ['tags.*', ['tags', '*']],
    ['tags.team-*', ['tags', 'team-*']],
    ['*', ['*']],
    ['ingress[0]', ['ingress', 0]],
    ['tags["team"]', ['tags', 'team']],
    ['tags["\\u00e9"]', ['tags', 'é']],
  ])('reads %s', (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });

  it.each(['', '.', 'a.', 'a..b', 'a[', 'a[]', 'a[-1]', 'a[x]', 'a["b]', 'a["b"', 'a b', 'a["\\x41"]', 'a["\n"]', '0'])(
    'reads no path in %j',
    (text) => {
      expect(parsePath(text)).toBeUndefined();
    },
  );

  it('reads any text or none, and writes again what it read', () => {
    const pieces = fc.constantFrom('a', '*', '.', '[', ']', '"', '\\', '0', '["k"]', '[1]');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (text) => {
        const path = parsePath(text.join(''));
        if (path !== undefined) expect(parsePath(formatPath(path))).toEqual(path);
      }),
    );
  });
});

describe('startsWithPath', () => {
  it('holds for a path and everything below it', () => {
    fc.assert(
      fc.property(similarPath, similarPath, (prefix, rest) => {
        expect(startsWithPath([...prefix, ...rest], prefix)).toBe(true);
        expect(startsWithPath(prefix, [...prefix, ...rest])).toBe(rest.length === 0);
      }),
    );
  });

  it.each<[Path, Path]>([
    [
      ['tags', 'a'],
      ['tags', 'b'],
    ],
    [['tags_all'], ['tags']],
    [
      ['list', 0],
      ['list', '0'],
    ],
  ])('does not hold for %j and %j', (path, prefix) => {
    expect(startsWithPath(path, prefix)).toBe(false);
  });
});

describe('withoutPositions', () => {
  it.each<[Path, Path]>([
    [['ingress', 0, 'cidr_blocks', 1], ['ingress']],
    [
      ['tags', 'team'],
      ['tags', 'team'],
    ],
    [[0, 'a'], []],
    [[], []],
  ])('leaves of %j only %j', (path, expected) => {
    expect(withoutPositions(path)).toEqual(expected);
  });
});

describe('pathsOverlap', () => {
  it.each<[Path, Path, boolean]>([
    [['tags'], ['tags', 'team'], true],
    [['tags', 'team'], ['tags', 'owner'], false],
    [['ingress', 0, 'to_port'], ['ingress', 3, 'from_port'], true],
    [['ingress', 0], ['egress', 0], false],
    [[], ['anything'], true],
  ])('of %j and %j: %s', (left, right, expected) => {
    expect(pathsOverlap(left, right)).toBe(expected);
  });

  it('holds both ways, and for a path with itself', () => {
    fc.assert(
      fc.property(similarPath, similarPath, (left, right) => {
        expect(pathsOverlap(left, right)).toBe(pathsOverlap(right, left));
        expect(pathsOverlap(left, left)).toBe(true);
      }),
    );
  });
});
