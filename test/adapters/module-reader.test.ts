import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createModuleReader } from '../../lib/adapters/module-reader.ts';
import type { PlanRequest } from '../../lib/ports/engine-runner.ts';
import { aRequest, type Call, manifestOf, type Tree, withTree } from '../support/module-tree.ts';

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly salt?: string;
  readonly request?: Partial<PlanRequest>;
}

const readTree = (tree: Tree, { env = {}, salt = 'salt', request }: Surroundings = {}) =>
  withTree(tree, (directory) => createModuleReader({ env, salt }).read(aRequest(directory, request)));

const digestsOf = async (tree: Tree, surroundings?: Surroundings) => (await readTree(tree, surroundings)).digests;

const MANIFEST = '.terraform/modules/modules.json';
const main = { 'main.tf': 'locals {\n  a = 1\n}\n' };

describe('the config digest', () => {
  it('is the same in every checkout', async () => {
    expect((await digestsOf(main)).config).toBe((await digestsOf(main)).config);
  });

  it.each<{ what: string; tree: Tree }>([
    { what: 'a comment', tree: { 'main.tf': `${main['main.tf']}# x` } },
    { what: 'the name of a file', tree: { 'other.tf': main['main.tf'] } },
    { what: 'another file', tree: { ...main, 'b.tf': '' } },
    { what: 'a file in JSON', tree: { ...main, 'b.tf.json': '{}' } },
    { what: 'a file of OpenTofu', tree: { ...main, 'b.tofu': '' } },
    { what: 'line endings', tree: { 'main.tf': main['main.tf'].replaceAll('\n', '\r\n') } },
  ])('changes with $what', async ({ tree }) => {
    expect((await digestsOf(tree)).config).not.toBe((await digestsOf(main)).config);
  });

  it('tells apart what stands in which file', async () => {
    const one = await digestsOf({ 'a.tf': 'locals {}\n', 'b.tf': '' });
    const other = await digestsOf({ 'a.tf': '', 'b.tf': 'locals {}\n' });
    expect(one.config).not.toBe(other.config);
  });

  it('does not change with files that are not configuration', async () => {
    const others = {
      ...{ 'README.md': 'x', 'main.tftest.hcl': 'x', 'docs/a.md': 'x', '.hidden.tf': 'x', 'main.tf.bak': 'x' },
      ...{ 'terraform.tfstate': 'x', 'terraform.tfvars': 'a = 1', '.terraform.lock.hcl': '', 'unused/main.tf': 'x' },
    };
    expect((await digestsOf({ ...main, ...others })).config).toBe((await digestsOf(main)).config);
  });
});

describe('the config digest over modules', () => {
  const call: Call = { key: 'queue', source: './modules/queue', directory: 'modules/queue' };
  const tree = { ...main, [MANIFEST]: manifestOf([call]), 'modules/queue/main.tf': 'locals {}' };

  it.each<{ what: string; change: Tree }>([
    { what: 'a file of a called module', change: { 'modules/queue/main.tf': '' } },
    { what: 'a call more', change: { [MANIFEST]: manifestOf([call, { ...call, key: 'other' }]) } },
    { what: 'the version of a call', change: { [MANIFEST]: manifestOf([{ ...call, version: '1.0.1' }]) } },
    { what: 'the source of a call', change: { [MANIFEST]: manifestOf([{ ...call, source: 'x/queue/aws' }]) } },
  ])('changes with $what', async ({ change }) => {
    expect((await digestsOf({ ...tree, ...change })).config).not.toBe((await digestsOf(tree)).config);
  });

  it('does not change with the README of a called module, nor with a module nobody calls', async () => {
    const others = { 'modules/queue/README.md': 'x', 'modules/queue/tests/a.tf': 'x', 'modules/other/main.tf': 'x' };
    expect((await digestsOf({ ...tree, ...others })).config).toBe((await digestsOf(tree)).config);
  });

  it('does not depend on where init put the modules', async () => {
    const remote = (data: string) => ({
      ...main,
      [`${data}/modules/modules.json`]: manifestOf([{ key: 'q', source: 'x/q/aws', directory: `${data}/modules/q` }]),
      [`${data}/modules/q/main.tf`]: `locals {\n  a = file("\${path.module}/a.json")\n}`,
      [`${data}/modules/q/a.json`]: '{}',
    });
    const elsewhere = await digestsOf(remote('data'), { env: { TF_DATA_DIR: 'data' } });
    expect(elsewhere.config).toBe((await digestsOf(remote('.terraform'))).config);
    const changed = { ...remote('.terraform'), '.terraform/modules/q/a.json': '[]' };
    expect((await digestsOf(changed)).config).not.toBe(elsewhere.config);
  });

  it.each([
    { what: 'no JSON', text: '{' },
    { what: 'something else', text: '{"Modules": [{"Key": 1}]}' },
  ])('fails where the list of modules is $what', async ({ text }) => {
    await expect(readTree({ ...main, [MANIFEST]: text })).rejects.toMatchObject({
      code: 'SourceUnreadable',
      message: expect.stringContaining('modules.json'),
    });
  });

  it('takes an empty list of modules for a root module alone', async () => {
    const empty = await digestsOf({ ...main, [MANIFEST]: '{"Modules":null}' });
    expect(empty.config).toBe((await digestsOf(main)).config);
  });

  it('fails where a module is gone', async () => {
    await expect(readTree({ ...main, [MANIFEST]: manifestOf([call]) })).rejects.toMatchObject({
      code: 'SourceUnreadable',
    });
  });
});

describe('the inputs digest', () => {
  const inputsOf = async (tree: Tree, surroundings?: Surroundings) => (await digestsOf(tree, surroundings)).inputs;

  it('is the same for the same inputs, under the same salt only', async () => {
    expect(await inputsOf(main)).toBe(await inputsOf(main));
    expect(await inputsOf(main, { salt: 'other' })).not.toBe(await inputsOf(main));
  });

  it.each<{ what: string; tree?: Tree; given?: Surroundings }>([
    { what: 'terraform.tfvars', tree: { 'terraform.tfvars': 'a = 1' } },
    { what: 'terraform.tfvars.json', tree: { 'terraform.tfvars.json': '{}' } },
    { what: 'an automatic variable file', tree: { 'x.auto.tfvars': '' } },
    { what: 'an automatic variable file in JSON', tree: { 'x.auto.tfvars.json': '{}' } },
    { what: 'a variable', given: { request: { vars: ['a=1'] } } },
    { what: 'a variable from the environment', given: { env: { TF_VAR_a: '1' } } },
    { what: 'the workspace', given: { request: { workspace: 'prod' } } },
    { what: 'the selected workspace', tree: { '.terraform/environment': 'prod' } },
    { what: 'a backend setting', given: { request: { backendConfig: ['key=prod'] } } },
  ])('changes with $what', async ({ tree = {}, given }) => {
    expect(await inputsOf({ ...main, ...tree }, given)).not.toBe(await inputsOf(main));
  });

  it('changes with the content of a variable file, not with its name', async () => {
    const withFile = (name: string, content: string) =>
      inputsOf({ ...main, [name]: content }, { request: { varFiles: [name] } });
    expect(await withFile('b.tfvars', 'a = 1')).toBe(await withFile('a.tfvars', 'a = 1'));
    expect(await withFile('a.tfvars', 'a = 2')).not.toBe(await withFile('a.tfvars', 'a = 1'));
  });

  it('changes with the content of a backend file, and with the order of variables', async () => {
    const backend = (content: string) =>
      inputsOf({ ...main, 'prod.tfbackend': content }, { request: { backendConfig: ['prod.tfbackend'] } });
    expect(await backend('key = "a"')).not.toBe(await backend('key = "b"'));
    const vars = (...given: string[]) => inputsOf(main, { request: { vars: given } });
    expect(await vars('a=1', 'a=2')).not.toBe(await vars('a=2', 'a=1'));
    expect(await vars('a=1', 'b=2')).not.toBe(await vars('a=1b=2'));
  });

  it('takes the selected workspace for what a request without one means', async () => {
    const selected = await inputsOf({ ...main, '.terraform/environment': 'prod\n' });
    expect(selected).toBe(await inputsOf(main, { request: { workspace: 'prod' } }));
    expect(await inputsOf(main)).toBe(await inputsOf(main, { request: { workspace: 'default' } }));
  });

  it('does not change with the order of the environment', async () => {
    const one = await inputsOf(main, { env: { TF_VAR_a: '1', TF_VAR_b: '2' } });
    expect(await inputsOf(main, { env: { TF_VAR_b: '2', TF_VAR_a: '1' } })).toBe(one);
    expect(await inputsOf(main, { env: { TF_VAR_a: '2', TF_VAR_b: '1' } })).not.toBe(one);
  });

  it('does not change with the rest of the environment, nor with credentials of the backend', async () => {
    expect(await inputsOf(main, { env: { TF_LOG: 'trace', HOME: '/x' } })).toBe(await inputsOf(main));
    const rotated = (token: string) =>
      inputsOf(main, { request: { backendConfig: ['address=x', `password=${token}`] } });
    expect(await rotated('a')).toBe(await rotated('b'));
  });

  it.each([
    { request: { varFiles: ['missing.tfvars'] }, message: 'variable file "missing.tfvars"' },
    { request: { backendConfig: ['missing.tfbackend'] }, message: 'backend file "missing.tfbackend"' },
  ])('fails on a missing file and names it: $message', async ({ request, message }) => {
    await expect(readTree(main, { request })).rejects.toMatchObject({
      code: 'ArgumentInvalid',
      message: expect.stringContaining(message),
    });
  });
});

describe('the providers digest', () => {
  const lock = (version: string, hashes: string) =>
    `provider "registry.terraform.io/hashicorp/aws" {\n  version = "${version}"\n  hashes = [${hashes}]\n}\n`;
  const providersOf = async (text: string) => (await digestsOf({ ...main, '.terraform.lock.hcl': text })).providers;

  it('is null without a lock file', async () => {
    expect((await digestsOf(main)).providers).toBeNull();
  });

  it('changes with a version, not with one more checksum', async () => {
    expect(await providersOf(lock('6.2.0', '"h1:a"'))).toBe(await providersOf(lock('6.2.0', '"h1:a", "h1:b"')));
    expect(await providersOf(lock('6.2.0', ''))).not.toBe(await providersOf(lock('6.2.1', '')));
  });
});

describe('ignore_changes', () => {
  it('is read from every module, under each of its calls', async () => {
    const resource = 'resource "terraform_data" "x" {\n  lifecycle {\n    ignore_changes = [input]\n  }\n}\n';
    const calls = ['a', 'b', 'a.c'].map((key) => ({ key, source: '../m', directory: '../m' }));
    const { ignoreChanges } = await withTree(
      { 'root/main.tf': resource, [`root/${MANIFEST}`]: manifestOf(calls), 'm/m.tf': resource },
      (parent) => createModuleReader({ env: {}, salt: '' }).read(aRequest(join(parent, 'root'))),
    );
    expect(Object.fromEntries(ignoreChanges)).toEqual({
      'terraform_data.x': ['input'],
      'module.a.terraform_data.x': ['input'],
      'module.b.terraform_data.x': ['input'],
      'module.a.module.c.terraform_data.x': ['input'],
    });
  });
});

const run = promisify(execFile);
const hasTerraform = await run('terraform', ['version']).then(
  () => true,
  () => false,
);

describe.skipIf(!hasTerraform)('after a real init', () => {
  const resource = 'resource "terraform_data" "x" {\n  lifecycle {\n    ignore_changes = [input]\n  }\n}\n';
  const tree = {
    'main.tf': `${resource}module "outer" {\n  source = "./modules/outer"\n  count = 2\n}\nmodule "again" {\n  source = "./modules/inner"\n}\n`,
    'modules/outer/main.tf': `${resource}module "inner" {\n  source = "../inner"\n}\n`,
    'modules/inner/main.tf': `${resource}locals {\n  policy = file("\${path.module}/policy.json")\n}\n`,
    'modules/inner/policy.json': '{}',
  };

  it.each([{ dataDirectory: '.terraform' }, { dataDirectory: 'elsewhere/data' }])(
    'reads nested modules by the manifest in $dataDirectory',
    async ({ dataDirectory }) => {
      await withTree(tree, async (directory) => {
        const env = { TF_DATA_DIR: dataDirectory };
        await run('terraform', ['init', '-input=false'], {
          cwd: directory,
          env: { PATH: process.env.PATH, CHECKPOINT_DISABLE: '1', ...env },
        });
        const reader = createModuleReader({ env, salt: 'salt' });
        const before = await reader.read(aRequest(directory));
        expect(Object.fromEntries(before.ignoreChanges)).toEqual({
          'terraform_data.x': ['input'],
          'module.again.terraform_data.x': ['input'],
          'module.outer.terraform_data.x': ['input'],
          'module.outer.module.inner.terraform_data.x': ['input'],
        });
        await writeFile(join(directory, 'modules/inner/policy.json'), '[]');
        const after = await reader.read(aRequest(directory));
        expect(after.digests).toEqual({ ...before.digests, config: after.digests.config });
        expect(after.digests.config).not.toBe(before.digests.config);
        expect(await readFile(join(directory, dataDirectory, 'modules/modules.json'), 'utf8')).toContain('outer.inner');
      });
    },
  );
});
