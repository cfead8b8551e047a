import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readYamlFile } from '../../lib/adapters/yaml-file.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import { aFolder } from '../support/temporary-folder.ts';

const Shape = z.strictObject({
  names: z.array(z.string()).default([]),
  ports: z.array(z.strictObject({ port: z.int(), open: z.boolean().exactOptional() })).default([]),
});

const read = async (text: string) => {
  const folder = await aFolder({ 'shape.yaml': text });
  return readYamlFile(join(folder, 'shape.yaml'), { schema: Shape, code: 'RulesInvalid', hint: 'See the README.' });
};

/** The place and the message, without the folder. */
const refusal = async (text: string) => {
  const error = await read(text).catch((thrown: unknown) => thrown);
  if (!(error instanceof HoldfastError)) throw error;
  const { code, hint, location, message } = error;
  expect({ code, hint }).toEqual({ code: 'RulesInvalid', hint: 'See the README.' });
  expect(message.startsWith(`${location?.file}`)).toBe(true);
  return `${location?.line}:${location?.column} ${message.slice(location?.file.length)}`;
};

describe('readYamlFile', () => {
  it('reads what the schema describes', async () => {
    expect(await read('names: [a, "b"]\nports:\n  - port: 80\n    open: true\n')).toEqual({
      names: ['a', 'b'],
      ports: [{ port: 80, open: true }],
    });
  });

  it.each(['', '# nothing yet\n', '---\n', '~\n', '{}'])('takes %j for an empty file', async (text) => {
    expect(await read(text)).toEqual({ names: [], ports: [] });
  });

  it('reads JSON, which is YAML too, and a file that starts with a byte order mark', async () => {
    expect((await read('{"names": ["a"]}')).names).toEqual(['a']);
    expect((await read('\ufeffnames: [a]')).names).toEqual(['a']);
  });

  it('follows aliases', async () => {
    expect((await read('names: [&first a, *first]')).names).toEqual(['a', 'a']);
  });
});

describe('readYamlFile on a file of another shape', () => {
  it.each([
    ['an unknown key', 'names: []\nport: 80\n', '2:7 : the file: unrecognized key: "port"'],
    [
      'an unknown key further in',
      'ports:\n  - port: 1\n    closed: true\n',
      '3:13 : ports.0: unrecognized key: "closed"',
    ],
    [
      'a missing member',
      'ports:\n  - port: 1\n  - open: true\n',
      '3:5 : ports.1.port: invalid input: expected number, received undefined',
    ],
    [
      'a wrong type',
      'ports:\n  - port: "80"\n',
      '2:11 : ports.0.port: invalid input: expected number, received string',
    ],
    ['a list for a map', '- a\n- b\n', '1:1 : the file: invalid input: expected object, received array'],
    ['a section without content', 'names:\n', '1:7 : names: invalid input: expected array, received null'],
    [
      'several mistakes',
      'names: 1\nports: 2\n',
      '1:8 : names: invalid input: expected array, received number (+1 more)',
    ],
    ['a merge key', 'ports:\n  - &a {port: 1}\n  - <<: *a\n    port: 2\n', '3:9 : ports.1: unrecognized key: "<<"'],
    ['a member of every object', '__proto__: {names: [a]}\n', '1:12 : the file: unrecognized key: "__proto__"'],
    ['a list for a key', '? [a, b]\n: c\n', '1:1 : the file: unrecognized key: "[ a, b ]"'],
    [
      'a tag that asks for code',
      'names: !!js/function "x"\n',
      '1:22 : names: invalid input: expected array, received string',
    ],
  ])('fails on %s with the place and what was expected', async (_, text, expected) => {
    expect(await refusal(text)).toBe(expected);
  });
});

describe('readYamlFile on a file that is not YAML', () => {
  it.each([
    ['an open bracket', 'names: [a\n', /^2:1 {2}is not valid YAML: flow sequence/],
    ['a tab', 'ports:\n\t- port: 1\n', /^2:1 {2}is not valid YAML: tabs are not allowed/],
    ['a key twice', 'names: []\nnames: []\n', /^2:1 {2}is not valid YAML: map keys must be unique$/],
    ['two documents', 'names: []\n---\nnames: []\n', /^2:1 {2}is not valid YAML: source contains multiple documents/],
    ['an alias of nothing', 'names:\n  - *nobody\n', /^2:5 {2}is not valid YAML: unresolved alias .*nobody$/],
    ['an alias before its anchor', 'names: [*later, &later a]\n', /^1:9 {2}is not valid YAML: unresolved alias/],
  ])('fails on %s with the place', async (_, text, expected) => {
    expect(await refusal(text)).toMatch(expected);
  });
});

describe('readYamlFile on a file that means harm', () => {
  it('fails on aliases that multiply, without following them', async () => {
    const layers = Array.from({ length: 30 }, (_, n) => `  - &l${n + 1} [${`*l${n},`.repeat(9)}]`);

    expect(await refusal(`names:\n  - &l0 [lol]\n${layers.join('\n')}\n`)).toMatch(/^1:1 .*excessive alias count/);
  });

  it('fails on an alias that contains itself', async () => {
    expect(await refusal('names: &all [*all]\n')).toBe(
      '1:14 : names.0: invalid input: expected string, received array',
    );
  });

  it('fails on merge keys that multiply, without following them', async () => {
    const layers = Array.from({ length: 20 }, (_, n) => `l${n + 1}: &l${n + 1} {<<: [*l${n}, *l${n}]}`);

    expect(await refusal(`l0: &l0 {a: b}\n${layers.join('\n')}\n`)).toMatch(/^1:1 .*excessive alias count/);
  });

  it('fails on a file no person wrote, before reading it as YAML', async () => {
    const folder = await aFolder({ 'big.yaml': `names: [${'a,'.repeat(600_000)}]` });
    const file = join(folder, 'big.yaml');

    await expect(readYamlFile(file, { schema: Shape, code: 'RulesInvalid', hint: '' })).rejects.toMatchObject({
      code: 'RulesInvalid',
      message: `${file} is larger than 1048576 bytes`,
      location: { file },
    });
  });
});

describe('readYamlFile on a file that is not there', () => {
  it.each([
    ['no file', 'missing.yaml', 'ENOENT'],
    ['a folder', '.', 'EISDIR'],
  ])('fails on %s', async (_, name, reason) => {
    const file = join(await aFolder(), name);

    await expect(readYamlFile(file, { schema: Shape, code: 'RulesInvalid', hint: '' })).rejects.toMatchObject({
      code: 'RulesInvalid',
      message: `can't read ${file}: ${reason}`,
      location: { file },
    });
  });
});
