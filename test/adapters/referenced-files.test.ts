// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of the configuration look like that
import { rm, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createModuleReader } from '../../lib/adapters/module-reader.ts';
import { findReferencedFiles, type ReferencedFile } from '../../lib/adapters/referenced-files.ts';
import { parseModuleFile } from '../../lib/domain/module-file.ts';
import { aRequest, type Tree, withTree, writeTree } from '../support/module-tree.ts';

const find = (directory: string, source: string) =>
  findReferencedFiles(directory, [{ key: '', directory, files: [parseModuleFile('main.tf', source)] }]);
const locals = (expression: string) => `locals {\n  x = ${expression}\n}\n`;
const namesOf = (files: readonly ReferencedFile[]) => files.map(({ name }) => name);

const tree: Tree = {
  'policies/a.json': '{}',
  'policies/b.json': '{}',
  'policies/deep/c.json': '{}',
  'policies/README.md': 'x',
  'test/fixture.txt': 'x',
  'notes.txt': 'x',
};

describe('findReferencedFiles', () => {
  it.each([
    ['file("${path.module}/policies/a.json")', [':policies/a.json']],
    ['file("${path.root}/policies/./a.json")', [':policies/a.json']],
    ['file("notes.txt")', [':notes.txt']],
    ['"./notes.txt"', [':notes.txt']],
    ['file("${path.module}/policies/deep/${var.x}.json")', [':policies/deep/c.json']],
    ['fileset("${path.module}/policies/deep", "*.json")', [':policies/deep/c.json']],
    ['fileset(path.module, "policies/deep/**")', [':policies/deep/c.json']],
    ['fileset("test", "*")', [':test/fixture.txt']],
  ])('finds what %s reads', async (expression, expected) => {
    expect(namesOf(await withTree(tree, (directory) => find(directory, locals(expression))))).toEqual(expected);
  });

  it('finds each file once, under a directory that is named twice or inside another one', async () => {
    const source = locals('["./policies", "policies/${a}", "policies/deep/${a}", "policies/a.json"]');
    expect(namesOf(await withTree(tree, (directory) => find(directory, source)))).toEqual([
      ':policies/README.md',
      ':policies/a.json',
      ':policies/b.json',
      ':policies/deep/c.json',
    ]);
  });

  it.each([
    '"test"',
    '"${path.module}/${var.x}"',
    '"./"',
    '"policies/missing.json"',
    '"notes.txt/x"',
    `"${'x'.repeat(1_000)}"`,
  ])('finds nothing for %s', async (expression) => {
    expect(await withTree(tree, (directory) => find(directory, locals(expression)))).toEqual([]);
  });

  it('reads a file outside the module, but no directory there', async () => {
    const outside = { 'shared/a.json': '{}', 'shared/b.json': '{}', 'root/main.tf': '' };
    const source = locals('[file("../shared/a.json"), "${path.module}/../shared/${x}.json", "../shared"]');
    const files = await withTree(outside, (parent) => find(join(parent, 'root'), source));
    expect(namesOf(files)).toEqual([':../shared/a.json']);
  });
});

describe('findReferencedFiles on what is there', () => {
  it('leaves out state, plans, variable files and what init makes', async () => {
    const noConfiguration = {
      ...{ 'x/terraform.tfstate': '', 'x/terraform.tfstate.backup': '', 'x/a.tfvars': '', 'x/a.auto.tfvars.json': '' },
      ...{ 'x/a.tfplan': '', 'x/.terraform/b': '', 'x/.terraform.lock.hcl': '', 'x/.git/config': '', 'x/kept': '' },
    };
    const source = locals('["x/${a}", "x/a.tfvars", "x/terraform.tfstate", "x/.terraform/b"]');
    expect(namesOf(await withTree(noConfiguration, (directory) => find(directory, source)))).toEqual([':x/kept']);
  });

  it('leaves out files that a plan or an apply writes', async () => {
    const built = { 'out/a.zip': 'x', 'out/notes.txt': 'x', 'src/index.js': 'x' };
    const source = [
      'data "archive_file" "a" {\n  source_dir = "src"\n  output_path = "${path.module}/out/a.zip"\n}',
      'resource "local_file" "b" {\n  filename = "out/notes.txt"\n}',
      'resource "aws_lambda_function" "c" {\n  filename = "${path.root}/out/a.zip"\n}',
      locals('fileset("out", "*")'),
    ].join('\n');
    expect(namesOf(await withTree(built, (directory) => find(directory, source)))).toEqual([':src/index.js']);
  });

  it('names files of a called module by its key, whatever their paths are relative to', async () => {
    const source = locals('["${path.module}/a.json", "${path.root}/b.json", "c.json"]');
    const files = { 'm/a.json': '', 'm/c.json': '', 'b.json': '' };
    const found = await withTree(files, (root) =>
      findReferencedFiles(root, [
        { key: 'm', directory: join(root, 'm'), files: [parseModuleFile('main.tf', source)] },
      ]),
    );
    expect(namesOf(found)).toEqual([':b.json', 'm:a.json']);
  });

  it('follows a link to a file, but none to a directory', async () => {
    const found = await withTree(tree, async (directory) => {
      await writeTree(directory, { 'x/file': '' });
      await symlink('../notes.txt', join(directory, 'x/link'));
      await symlink('.', join(directory, 'x/circle'));
      await symlink('loop', join(directory, 'x/loop'));
      return find(directory, locals('["x/${a}", file("x/loop")]'));
    });
    expect(namesOf(found)).toEqual([':x/file', ':x/link']);
  });
});

const digestOf = async (directory: string) =>
  (await createModuleReader({ env: {}, salt: '' }).read(aRequest(directory))).digests.config;

describe('a directory that is too large to read', () => {
  const tooMany = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`x/${index}`, 'ab']));
  const source = locals('["x/${a}", file("x/7")]');

  it('is told by names and sizes beyond 2,000 files, but for those named in full', async () => {
    await withTree(tooMany, async (directory) => {
      const found = await find(directory, source);
      expect(found.filter(({ sizeOnly }) => sizeOnly === 2)).toHaveLength(2_000);
      expect(found.find(({ name }) => name === ':x/7')?.sizeOnly).toBeUndefined();
      await rm(join(directory, 'x/0'));
      expect((await find(directory, source)).filter(({ sizeOnly }) => sizeOnly !== undefined)).toEqual([]);
    });
  });

  it('changes the config digest with a size', async () => {
    await withTree({ ...tooMany, 'main.tf': source }, async (directory) => {
      const before = await digestOf(directory);
      await writeTree(directory, { 'x/8': 'ba' });
      expect(await digestOf(directory)).toBe(before);
      await writeTree(directory, { 'x/8': 'b' });
      expect(await digestOf(directory)).not.toBe(before);
    });
  });

  it('is told by names and sizes beyond 64 MiB', async () => {
    await withTree({ 'x/large': '', 'x/small': 'ab' }, async (directory) => {
      const sizes = async () => (await find(directory, locals('"x/${a}"'))).map(({ sizeOnly }) => sizeOnly);
      await truncate(join(directory, 'x/large'), 64 * 1024 * 1024);
      expect(await sizes()).toEqual([64 * 1024 * 1024, 2]);
      await truncate(join(directory, 'x/large'), 64 * 1024 * 1024 - 2);
      expect(await sizes()).toEqual([undefined, undefined]);
    });
  });
});

describe('the config digest over referenced files', () => {
  it('changes with the content, the name and the number of the files, not with others', async () => {
    const digest = (files: Tree) => withTree({ 'main.tf': locals('"policies/${a}"'), ...files }, digestOf);
    const before = await digest(tree);
    expect(await digest(tree)).toBe(before);
    expect(await digest({ ...tree, 'policies/a.json': '[]' })).not.toBe(before);
    expect(await digest({ ...tree, 'policies/new.json': '' })).not.toBe(before);
    expect(await digest({ ...tree, 'notes.txt': 'y', 'test/fixture.txt': 'y' })).toBe(before);
  });
});
