import { describe, expect, it } from 'vitest';
import { inLoadOrder, isModuleFileName, jsonBodies, parseModuleFile } from '../../lib/domain/module-file.ts';

describe('isModuleFileName', () => {
  it.each(['main.tf', 'main.tf.json', 'main.tofu', 'main.tofu.json', 'a.b.tf'])('is true for %s', (name) => {
    expect(isModuleFileName(name)).toBe(true);
  });

  it.each(['.main.tf', '.tf', 'main.tf~', 'main.tf.bak', 'main.tftest.hcl', 'tf', 'main.json', 'x.tfvars'])(
    'is false for %s',
    (name) => {
      expect(isModuleFileName(name)).toBe(false);
    },
  );
});

describe('parseModuleFile', () => {
  it('reads both syntaxes, by name', () => {
    expect(parseModuleFile('a.tf.json', '{"locals": {"a": 1}}')).toEqual({
      name: 'a.tf.json',
      syntax: 'json',
      value: { locals: { a: 1 } },
    });
    expect(parseModuleFile('a.tofu', 'locals {}')).toMatchObject({
      syntax: 'hcl',
      body: { blocks: [{ type: 'locals' }] },
    });
  });

  it('takes broken JSON for an empty file', () => {
    expect(parseModuleFile('a.tf.json', '{')).toEqual({ name: 'a.tf.json', syntax: 'json', value: null });
  });
});

describe('inLoadOrder', () => {
  it('puts override files last, and what OpenTofu prefers after its namesake', () => {
    const names = [
      'b.tofu',
      'override.tf',
      'a_override.tf.json',
      'x_override.tofu',
      'b.tf',
      'a.tf',
      'a.tf',
      'overrides.tf',
    ];
    const files = names.map((name) => parseModuleFile(name, ''));
    expect(inLoadOrder(files).map(({ name }) => name)).toEqual([
      ...['a.tf', 'a.tf', 'b.tf', 'overrides.tf', 'b.tofu'],
      ...['a_override.tf.json', 'override.tf', 'x_override.tofu'],
    ]);
  });
});

describe('jsonBodies', () => {
  it('takes one object or a list of them, and nothing else', () => {
    expect(jsonBodies({ a: 1 })).toEqual([{ a: 1 }]);
    expect(jsonBodies([{ a: 1 }, 'x', { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
    expect(jsonBodies('x')).toEqual([]);
  });
});
