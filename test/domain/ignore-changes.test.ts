import { describe, expect, it } from 'vitest';
import { indexIgnoreChanges, isIgnored } from '../../lib/domain/ignore-changes.ts';
import { parseModuleFile } from '../../lib/domain/module-file.ts';

function indexFiles(files: Readonly<Record<string, string>>, keys: readonly string[] = ['']) {
  return indexIgnoreChanges([
    { keys, files: Object.entries(files).map(([name, text]) => parseModuleFile(name, text)) },
  ]);
}

const resource = (ignoreChanges: string) =>
  `resource "aws_sqs_queue" "q" {\n  name = "q"\n  lifecycle {\n    ignore_changes = ${ignoreChanges}\n  }\n}\n`;

const ignoredIn = (ignoreChanges: string) => indexFiles({ 'main.tf': resource(ignoreChanges) }).get('aws_sqs_queue.q');

describe('indexIgnoreChanges on native syntax', () => {
  it.each([
    ['[tags]', ['tags']],
    ['[tags["team"], tags["k8s.io/role"], tags["a\\"b"]]', ['tags.team', 'tags["k8s.io/role"]', 'tags["a\\"b"]']],
    ['[launch_template[0].version]', ['launch_template[0].version']],
    ['[\n  # one\n  ingress, // two\n  egress,\n]', ['ingress', 'egress']],
    ['[\n  tags\n  [\n  "a"\n  ]\n]', ['tags.a']],
  ])('reads %s', (written, expected) => {
    expect(ignoredIn(written)).toEqual(expected);
  });

  it.each([
    ['["tags", "tags[\\"team\\"]"]', ['tags', 'tags.team']],
    ['[launch_template.0.version, a.0.1]', ['launch_template[0].version', 'a[0][1]']],
  ])('reads the older form %s', (written, expected) => {
    expect(ignoredIn(written)).toEqual(expected);
  });

  it.each(['all', '["*"]'])('reads %s as everything', (written) => {
    expect(ignoredIn(written)).toBe('all');
  });

  it.each(['[]', 'null', '[tags[var.x]]', '[""]', '[', ''])('finds nothing to ignore in %j', (written) => {
    expect(ignoredIn(written)).toBeUndefined();
  });

  it('looks at resources only, and there at lifecycle blocks only', () => {
    const files = {
      'main.tf': [
        'data "a" "b" {\n  lifecycle {\n    ignore_changes = all\n  }\n}',
        'resource "a" "b" {\n  other {\n    ignore_changes = all\n  }\n}',
        'resource "a" "c" {\n  lifecycle {\n    prevent_destroy = true\n  }\n}',
        'resource "a" "d" {\n  user_data = <<EOT\n  lifecycle {\n    ignore_changes = all\n  }\nEOT\n}',
      ].join('\n'),
    };
    expect([...indexFiles(files)]).toEqual([]);
  });
});

describe('indexIgnoreChanges on JSON syntax', () => {
  const ignored = (resources: unknown) =>
    Object.fromEntries(indexFiles({ 'main.tf.json': JSON.stringify({ resource: resources }) }));

  it('reads a list of strings, and all', () => {
    expect(
      ignored({
        aws_sqs_queue: {
          a: { lifecycle: { ignore_changes: ['tags["team"]', 'launch_template[0].version', 7] } },
          b: { lifecycle: { ignore_changes: 'all' } },
          c: { lifecycle: { ignore_changes: ['*'] } },
          d: { lifecycle: { ignore_changes: 'tags' } },
          e: { lifecycle: {} },
          f: {},
        },
      }),
    ).toEqual({
      'aws_sqs_queue.a': ['tags.team', 'launch_template[0].version'],
      'aws_sqs_queue.b': 'all',
      'aws_sqs_queue.c': 'all',
    });
  });

  it('reads lists of objects at every level', () => {
    expect(ignored([{ a: [{ b: [{ lifecycle: [{ ignore_changes: ['tags'] }] }] }] }])).toEqual({ 'a.b': ['tags'] });
  });

  it.each(['null', '[]', '{"resource": "x"}', '{"locals": {}}', '{'])('finds nothing in %s', (text) => {
    expect([...indexFiles({ 'main.tf.json': text })]).toEqual([]);
  });
});

describe('indexIgnoreChanges over files and modules', () => {
  it('lets an override file replace the list, whatever the order of the files', () => {
    const files = { 'override.tf': resource('[b]'), 'main.tf': resource('[a]') };
    expect(indexFiles(files).get('aws_sqs_queue.q')).toEqual(['b']);
  });

  it('does not let an override file take anything away', () => {
    const keep = (first: string, second: string) =>
      indexFiles({ 'main.tf': resource(first), 'override.tf': resource(second) }).get('aws_sqs_queue.q');
    expect(keep('[a]', '[]')).toEqual(['a']);
    expect(keep('all', '[a]')).toBe('all');
    expect(keep('[a]', 'all')).toBe('all');
  });

  it('lists a module under each of its calls', () => {
    const index = indexFiles({ 'main.tf': resource('[tags]') }, ['', 'a', 'a.b-2']);
    expect([...index.keys()]).toEqual([
      'aws_sqs_queue.q',
      'module.a.aws_sqs_queue.q',
      'module.a.module.b-2.aws_sqs_queue.q',
    ]);
  });
});

describe('isIgnored', () => {
  const index = new Map<string, 'all' | readonly string[]>([
    ['aws_x.some', ['tags["team"]', 'ingress', 'launch_template[0].version', 'not a path']],
    ['aws_x.all', 'all'],
  ]);

  it.each([
    { path: ['tags', 'team'] },
    { path: ['ingress'] },
    { path: ['ingress', 0, 'cidr_blocks'] },
    { path: ['launch_template', 0, 'version'] },
  ])('is true for $path: the entry itself, or below it', ({ path }) => {
    expect(isIgnored(index, 'aws_x.some', path)).toBe(true);
  });

  it.each([
    { path: ['tags'] },
    { path: ['tags', 'team-2'] },
    { path: ['ingress_rules'] },
    { path: ['launch_template', 1, 'version'] },
    { path: ['not a path'] },
    { path: [] },
  ])('is false for $path', ({ path }) => {
    expect(isIgnored(index, 'aws_x.some', path)).toBe(false);
  });

  it('is true for any path where all are ignored, and false for a resource that says nothing', () => {
    expect(isIgnored(index, 'aws_x.all', ['tags'])).toBe(true);
    expect(isIgnored(index, 'aws_x.other', ['tags'])).toBe(false);
  });
});
