import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PathGlob, parsePathGlob } from '../../lib/domain/path-glob.ts';

const glob = (pattern: string): PathGlob => {
  const parsed = parsePathGlob(pattern);
  if ('mistake' in parsed) throw new Error(parsed.mistake);
  return parsed;
};
const match = (pattern: string, path: string) => glob(pattern).match(path);

describe('parsePathGlob', () => {
  it.each([
    ['prod/network', 'prod/network'],
    ['./prod/network/', 'prod/network'],
    ['.', '.'],
    ['prod/*', 'prod/network'],
    ['*/network', 'prod/network'],
    ['prod/net*', 'prod/network'],
    ['prod/*work', 'prod/network'],
    ['prod/n*t*k', 'prod/network'],
    ['prod/network*', 'prod/network'],
    ['**', 'prod/network'],
    ['**', '.'],
    ['**/network', 'network'],
    ['**/network', 'a/b/network'],
    ['prod/**', 'prod'],
    ['prod/**', 'prod/a/b'],
    ['prod/**/network', 'prod/network'],
    ['prod/**/network', 'prod/a/network'],
    ['**/modules/**', 'modules'],
    ['**/modules/**', 'a/modules/b'],
    ['**/a/**/b/**', 'x/a/y/b/z'],
    ['**/**/x', 'x'],
    ['**/a/b/**/c', 'a/a/b/c'],
    ['.github/*', '.github/terraform'],
    ['prod/.*', 'prod/.hidden'],
    ['a/x*x', 'a/xx'],
  ])('matches %s with %s', (pattern, path) => {
    expect(match(pattern, path)).toEqual({});
  });

  it.each([
    ['prod/network', 'prod'],
    ['prod', 'prod/network'],
    ['prod/*', 'prod'],
    ['prod/*', 'prod/a/b'],
    ['prod/net*', 'prod/work'],
    ['prod/*work', 'prod/workx'],
    ['prod/n*x*k', 'prod/network'],
    ['*', '.'],
    ['**/network', 'network/a'],
    ['prod/**', 'production'],
    ['a/**/b', 'a'],
    ['a/**/a', 'a'],
    ['**/a/**/b/**', 'x/b/y/a/z'],
    ['*', '.github'],
    ['*x', '.github/x'],
    ['**', '.terraform/x'],
    ['**/x', 'a/.terraform/x'],
    ['**/x/**', 'a/.terraform/x'],
    ['{a}', '.github'],
    ['a/x*x', 'a/x'],
    ['a/{b}', 'a/b/c'],
  ])('does not match %s with %s', (pattern, path) => {
    expect(match(pattern, path)).toBeUndefined();
  });

  it.each([
    ['{environment}/{layer}', 'prod/network', { environment: 'prod', layer: 'network' }],
    ['live/{account}/**/{stack}', 'live/main/eu/west/db', { account: 'main', stack: 'db' }],
    ['{env}-{region}', 'prod-eu-west-1', { env: 'prod', region: 'eu-west-1' }],
    ['app-{name}', 'app-web', { name: 'web' }],
    ['{name}.d/x', 'web.d/x', { name: 'web' }],
    ['**/{a}/x/**', 'p/q/x/z', { a: 'q' }],
    ['{a}x{b}', 'xxx', { a: 'x', b: 'x' }],
    ['{a}x{b}', 'xx', undefined],
  ])('captures with %s in %s what it should', (pattern, path, captured) => {
    expect(match(pattern, path)).toEqual(captured);
  });

  it('names what it captures', () => {
    expect(glob('{environment}/**/{layer}-*').names).toEqual(['environment', 'layer']);
  });

  it.each([
    ['{a}/{a}', /\{a\} stands in the pattern twice/],
    ['{a}{b}', /where one wildcard ends/],
    ['*{b}', /where one wildcard ends/],
    ['x*{b}', /where one wildcard ends/],
    ['{Env}', /\{Env\} is no placeholder/],
    ['{env', /\{env is no placeholder/],
    ['a/{}/b', /\{\} is no placeholder/],
  ])('fails on %s', (pattern, message) => {
    expect(parsePathGlob(pattern)).toEqual({ mistake: expect.stringMatching(message) });
  });

  it('agrees with a regular expression about stars', () => {
    const name = fc.stringMatching(/^[ab]{1,4}$/);
    const piece = fc.oneof(
      fc.constant('**'),
      fc.stringMatching(/^[ab*]{1,4}$/).filter((text) => !text.includes('**')),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 5 }),
        fc.array(name, { minLength: 1, maxLength: 6 }),
        (pieces, names) => {
          const regular = pieces
            .map((text) => (text === '**' ? '(?:[^/]+/)*' : `${text.replaceAll('*', '[^/]*')}/`))
            .join('');
          const expected = new RegExp(`^${regular}$`).test(`${names.join('/')}/`);

          expect(match(pieces.join('/'), names.join('/')) !== undefined).toBe(expected);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
