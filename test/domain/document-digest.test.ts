import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestDocument } from '../../lib/domain/document-digest.ts';
import type { Json, JsonObject } from '../../lib/domain/json.ts';
import { readPlanDocument } from '../../lib/domain/plan-document.ts';
import { anyJson, reorderMembers } from '../support/json-values.ts';

/** Digests that show what they were made from. */
function digestsOf(parts: JsonObject) {
  const document = readPlanDocument(JSON.stringify({ format_version: '1.2', resource_changes: [], ...parts }));
  return digestDocument(document, (text) => `<${text}>`);
}

const withVariable = (name: string, value: Json, declared: JsonObject = {}) =>
  digestsOf({
    variables: { [name]: { value }, size: { value: 3 } },
    configuration: { root_module: { variables: { [name]: declared } } },
  });

describe('digestDocument', () => {
  it('says that it knows the document only, and no provider lock', () => {
    expect(digestsOf({})).toEqual({ basis: 'document', config: '<null>', inputs: '<{}>', providers: null });
  });

  it('changes with the configuration', () => {
    const config = (count: number) => digestsOf({ configuration: { root_module: { resources: [{ count }] } } }).config;
    expect(config(1)).not.toBe(config(2));
    expect(config(1)).toBe(config(1));
  });

  it('changes with the value of a variable, not with the order of its members', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const { inputs } = withVariable('settings', value);
        expect(withVariable('settings', reorderMembers(value)).inputs).toBe(inputs);
        expect(withVariable('settings', [value]).inputs).not.toBe(inputs);
      }),
    );
  });

  it('takes a variable without a value for one that is null', () => {
    expect(digestsOf({ variables: { a: {} } }).inputs).toBe(digestsOf({ variables: { a: { value: null } } }).inputs);
  });

  it.each<[string, string, JsonObject]>([
    ['that is declared as sensitive', 'pin', { sensitive: true }],
    ['that is named as a secret', 'db_password', {}],
  ])('leaves out a variable %s, so that nobody can guess it from the digest', (_, name, declared) => {
    expect(withVariable(name, '0000', declared)).toEqual(withVariable(name, '9999', declared));
    expect(withVariable(name, '0000', declared).inputs).toContain('size');
  });

  it('keeps a variable that is declared as not sensitive', () => {
    expect(withVariable('pin', '0000', { sensitive: false }).inputs).toContain('0000');
  });
});
