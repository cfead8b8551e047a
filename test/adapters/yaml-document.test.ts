import { describe, expect, it } from 'vitest';
import { parseYaml } from '../../lib/adapters/yaml-document.ts';
import { describeLocation } from '../../lib/domain/describe.ts';

const TEXT = `a: 1
list:
  - x: "one"
    y: two
  - [3, 4]
empty:
shared: &s { deep: 1 }
again: *s
`;
const place = (path: readonly PropertyKey[], part?: 'key', text = TEXT) =>
  describeLocation(parseYaml('f', text).locate(path, part));
const losses = (value: string) => parseYaml('f', `a: ${value}`).losses.map(({ message }) => message);

describe('parseYaml', () => {
  it('gives the data, and nothing that is wrong', () => {
    const { value, mistakes, losses: lost } = parseYaml('f', TEXT);

    expect(value).toEqual({
      a: 1,
      list: [{ x: 'one', y: 'two' }, [3, 4]],
      empty: null,
      shared: { deep: 1 },
      again: { deep: 1 },
    });
    expect([mistakes, lost]).toEqual([[], []]);
  });

  it('tells all mistakes, not only the first', () => {
    const { value, mistakes } = parseYaml('f', 'a: 1\na: 2\nb: [\n');

    expect(value).toBeUndefined();
    expect(mistakes.map(({ location }) => describeLocation(location))).toEqual(['f:2:1', 'f:4:1']);
  });

  it('tells of an alias without an anchor', () => {
    expect(parseYaml('f', 'a: [1, *x]').mistakes).toEqual([
      { message: expect.stringContaining('nresolved alias'), location: { file: 'f', line: 1, column: 8 } },
    ]);
  });

  it.each(['012', '-012', '9007199254740993', '123456789012345678', '0.1234567890123456', '1.2345678901234567e3'])(
    'tells that the number %s would lose digits',
    (number) => {
      expect(losses(number)).toEqual([`the number ${number} would lose digits: put it in quotes`]);
    },
  );

  it.each([
    '0',
    '-1',
    '111122223333',
    '9007199254740991',
    '0.5',
    '0.000000000000000001',
    '1e300',
    '0x1f',
    '"012"',
    '012a',
  ])('finds nothing lost in %s', (number) => {
    expect(losses(number)).toEqual([]);
  });

  it('tells of tags that nobody knows', () => {
    expect(losses('!vault x')).toEqual(['unresolved tag: !vault']);
  });
});

describe('the place', () => {
  it.each([
    [['a'], 'f:1:4'],
    [['list'], 'f:3:3'],
    [['list', 0], 'f:3:5'],
    [['list', 0, 'y'], 'f:4:8'],
    [['list', 1, 1], 'f:5:9'],
    [['empty'], 'f:6:7'],
  ])('of %j is that of the value', (path, expected) => {
    expect(place(path)).toBe(expected);
  });

  it.each([
    [['list', 0, 'z'], 'f:3:5'],
    [['list', 7], 'f:3:3'],
    [['nothing', 'at', 'all'], 'f:1:1'],
    [['again', 'deep'], 'f:8:8'],
    [[], 'f:1:1'],
  ])('of %j, which is not there, is that of what should hold it', (path, expected) => {
    expect(place(path)).toBe(expected);
  });

  it.each([
    [['a'], 'f:1:1'],
    [['list', 0, 'y'], 'f:4:5'],
    [['list', 0], 'f:3:5'],
    [['list', 0, 'z'], 'f:3:5'],
    [[], 'f:1:1'],
  ])('of the key of %j is that of the key, where it is one', (path, expected) => {
    expect(place(path, 'key')).toBe(expected);
  });

  it('is known in files without maps', () => {
    expect(place(['a'], 'key', '')).toBe('f:1:1');
    expect(place(['a'], 'key', 'text')).toBe('f:1:1');
    expect(place(['1'], 'key', '1: x')).toBe('f:1:1');
  });
});
