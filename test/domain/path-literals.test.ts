// biome-ignore-all lint/suspicious/noTemplateCurlyInString: templates of the configuration look like that
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseModuleFile } from '../../lib/domain/module-file.ts';
import { findPathLiterals } from '../../lib/domain/path-literals.ts';

const inHcl = (text: string) => findPathLiterals(parseModuleFile('main.tf', text));
const inJson = (value: unknown) => findPathLiterals(parseModuleFile('main.tf.json', JSON.stringify(value)));
const readBy = (expression: string) => inHcl(`locals {\n  x = ${expression}\n}`).read;

const module = { base: 'module', complete: true, mayBeDirectory: true };
const root = { base: 'root', complete: true, mayBeDirectory: true };

describe('findPathLiterals on strings', () => {
  it.each([
    ['"${path.module}/files/a.json"', { ...module, path: 'files/a.json' }],
    ['"${path.root}//a.json"', { ...root, path: 'a.json' }],
    ['"${path.cwd}/a.json"', { ...root, path: 'a.json' }],
    ['"files/a.json"', { ...root, path: 'files/a.json' }],
    ['"./a.json"', { ...root, path: './a.json' }],
    ['"../a.json"', { ...root, path: '../a.json' }],
  ])('knows what %s is relative to', (expression, expected) => {
    expect(readBy(expression)).toEqual([expected]);
  });

  it.each([
    ['"${path.module}/policies/${var.x}.json"', 'policies/'],
    ['"${path.module}/policies/%{ if a }x%{ endif }.json"', 'policies/'],
    ['"${path.module}/policies/*.json"', 'policies/'],
    ['"${path.module}/policies/${a}/${path.module}/b"', 'policies/'],
    ['format("${path.module}/policies/%s.json", a)', 'policies/'],
  ])('stops at what is not literal in %s', (expression, path) => {
    expect(readBy(expression)).toEqual([{ ...module, path, complete: false }]);
  });

  it.each([
    '"/etc/hosts"',
    '"${path.module}"',
    '"${path.module}-x"',
    '"${path.module}/"',
    '"${path.module}/*"',
    '"${var.x}/a.json"',
    '"x\\ny"',
    '"x\\u0000y"',
    '""',
    `"${'a/'.repeat(600)}"`,
    '<<EOT\na/b\nEOT',
  ])('sees no path in %s', (expression) => {
    expect(readBy(expression)).toEqual([]);
  });

  it('takes the base only from the start of a string', () => {
    expect(readBy('"a/${path.module}/b"')).toEqual([{ ...root, path: 'a/', complete: false }]);
    expect(readBy('"${path.other.x}/b"')).toEqual([]);
  });

  it('finds strings inside templates', () => {
    expect(readBy('"${file("a/b.json")}${templatefile("c/d.tpl", {})}"').map(({ path }) => path)).toEqual([
      'a/b.json',
      'c/d.tpl',
    ]);
  });

  it('ends on any text', () => {
    const fragment = fc.constantFrom('a', '=', '"', '${', '}', '{', '\n', '/', 'path.module', '<<E\n', 'E\n', '*');
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        expect(inHcl(text).read.length).toBeLessThanOrEqual(text.length);
        expect(inJson([text]).read.length).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it('takes any number of strings in one expression', () => {
    expect(readBy(`[${'"a/b",'.repeat(200_000)}]`)).toHaveLength(200_000);
  });

  it('passes over what a broken string leaves behind', () => {
    expect(inHcl('"${a = 1} x" "y/z"').read.map(({ path }) => path)).toEqual(['y/z']);
  });
});

describe('findPathLiterals on mere words', () => {
  it('takes a word for a directory only where something speaks of paths', () => {
    const mayBeDirectory = (text: string) => inHcl(text).read.map((literal) => literal.mayBeDirectory);
    expect(mayBeDirectory('locals {\n  environment = "test"\n}')).toEqual([false]);
    expect(mayBeDirectory('data "archive_file" "a" {\n  source_dir = "test"\n}')).toEqual([true]);
    expect(mayBeDirectory('locals {\n  all = fileset("test", "*")\n}')).toEqual([true]);
  });

  it('looks at the innermost key in JSON', () => {
    expect(inJson({ locals: { a: { b: { c: { d: { source_dir: ['test'], env: 'test' } } } } } }).read).toEqual([
      { ...root, path: 'test', mayBeDirectory: false },
      { ...root, path: 'test' },
    ]);
  });
});

describe('findPathLiterals on what a string is for', () => {
  const paths = (text: string) => {
    const { read, written } = inHcl(text);
    return { read: read.map(({ path }) => path), written: written.map(({ path }) => path) };
  };

  it.each([
    'module "a" {\n  source = "./modules/a"\n}',
    'terraform {\n  backend "local" {\n    path = "x/y"\n  }\n}',
    'data "terraform_remote_state" "a" {\n  config = { path = "x/y" }\n}',
  ])('leaves out module sources and states: %j', (text) => {
    expect(paths(text)).toEqual({ read: [], written: [] });
  });

  it.each([
    'data "archive_file" "a" {\n  source_dir = "src"\n  output_path = "out/a"\n}',
    'resource "local_file" "a" {\n  filename = "out/a"\n  source = "src"\n}',
    'resource "local_sensitive_file" "a" {\n  filename = "out/a"\n  content = file("src")\n}',
  ])('lists apart what Terraform writes: %j', (text) => {
    expect(paths(text)).toEqual({ read: ['src'], written: ['out/a'] });
  });

  it.each([
    'module "a" {\n  path = "x/y"\n}',
    'resource "aws_s3_object" "a" {\n  source = "x/y"\n}',
    'data "local_file" "a" {\n  filename = "x/y"\n}',
    'resource "a" "b" {\n  c {\n    d {\n      e = "x/y"\n    }\n  }\n}',
  ])('reads the others: %j', (text) => {
    expect(paths(text)).toEqual({ read: ['x/y'], written: [] });
  });

  it('does the same in JSON, where each string is a template', () => {
    const { read, written } = inJson({
      '//': 1,
      module: { a: { source: './modules/a', policy: '${file("${path.module}/a.json")}' } },
      data: { archive_file: { z: [{ source_dir: 'src', output_path: '${path.module}/out/a' }] } },
    });
    expect(read.map(({ path }) => path).sort()).toEqual(['a.json', 'src']);
    expect(written).toEqual([{ ...module, path: 'out/a' }]);
  });
});
