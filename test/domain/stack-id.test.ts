import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toStackId } from '../../lib/domain/stack-id.ts';
import { STACK_ID } from '../../lib/domain/stack-spec.ts';

describe('toStackId', () => {
  it.each([
    ['live/prod/app_DB', 'live/prod/app-db'],
    ['Prod Network!', 'prod-network'],
    ['a--b', 'a--b'],
    ['./x/', 'x'],
    ['eu.west.1', 'eu-west-1'],
  ])('makes %s %s', (text, id) => {
    expect(toStackId(text)).toBe(id);
  });

  it.each(['.', '', '___', 'x'.repeat(129)])('fails to make an id of %j', (text) => {
    expect(toStackId(text)).toBeUndefined();
  });

  it('leaves ids that end well as they are, and makes nothing else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const id = toStackId(text);
        if (id !== undefined) expect(id).toMatch(STACK_ID);
        if (/^[a-z0-9]([a-z0-9\-/]{0,126}[a-z0-9])?$/.test(text)) expect(id).toBe(text);
      }),
    );
  });
});
