import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStackFinder } from '../../lib/adapters/folder-stack-finder.ts';
import { aFolder } from '../support/temporary-folder.ts';

const TREE = {
  'prod/network/main.tf': '',
  'prod/queues/main.tofu': '',
  'prod/README.md': '',
  'dev/queues/main.tf.json': '{}',
  'dev/queues/.terraform/modules/vpc/examples/main.tf': '',
  'modules/queue/queue.tofu.json': '{}',
  'docs/main.tf.md': '',
};

const find = async (...patterns: readonly string[]) => {
  const cwd = await aFolder(TREE);
  const folders = await createStackFinder({ cwd }).find(patterns);
  for (const { stack, directory } of folders) expect(directory).toBe(join(cwd, stack));
  return folders.map(({ stack }) => stack);
};

const refusal = async (...patterns: readonly string[]) => {
  const cwd = await aFolder(TREE);
  return createStackFinder({ cwd })
    .find(patterns)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
};

describe('createStackFinder', () => {
  it('names a root module by its path from here', async () => {
    expect(await find('prod/network')).toEqual(['prod/network']);
  });

  it('names this directory by its own name', async () => {
    const cwd = await aFolder({ 'main.tf': '' });

    expect(await createStackFinder({ cwd }).find(['.'])).toEqual([{ stack: basename(cwd), directory: cwd }]);
  });

  it('gives no two root modules one name', async () => {
    const cwd = await aFolder({ 'prod/main.tf': '', 'prod/prod/main.tf': '' });

    const stacks = await createStackFinder({ cwd: join(cwd, 'prod') }).find(['.', 'prod']);

    expect(stacks.map(({ stack }) => stack)).toEqual(['.', 'prod']);
  });

  it('names a root module elsewhere by the way to it', async () => {
    const cwd = await aFolder({ 'here/x.txt': '', 'there/main.tf': '' });

    expect(await createStackFinder({ cwd: join(cwd, 'here') }).find([join(cwd, 'there')])).toEqual([
      { stack: '../there', directory: join(cwd, 'there') },
    ]);
  });

  it.each<[readonly string[], readonly string[]]>([
    [['prod/*'], ['prod/network', 'prod/queues']],
    [['*/queues'], ['dev/queues', 'prod/queues']],
    [['{dev,prod}/queues'], ['dev/queues', 'prod/queues']],
    // What init downloads holds examples of other people.
    [['**'], ['dev/queues', 'modules/queue', 'prod/network', 'prod/queues']],
    [['dev/**'], ['dev/queues']],
  ])('finds below %j those directories that hold Terraform files', async (patterns, expected) => {
    expect(await find(...patterns)).toEqual(expected);
  });

  it('keeps the order of the patterns, and names each root module once', async () => {
    expect(await find('prod/queues', 'prod/*', './prod/queues/', 'dev/queues')).toEqual([
      'prod/queues',
      'prod/network',
      'dev/queues',
    ]);
  });

  it('fails on a directory without Terraform files, with what to name instead', async () => {
    expect(await refusal('prod/network', 'prod/')).toMatchObject({
      code: 'StackNotFound',
      message: 'prod/ holds no Terraform files',
      hint: expect.stringContaining('"prod/**"'),
    });
  });

  it.each(['staging', 'staging/*', 'docs/*', 'prod/README.md', 'dev/queues/.terraform/**'])(
    'fails on %s, which names none',
    async (pattern) => {
      expect(await refusal(pattern)).toMatchObject({
        code: 'StackNotFound',
        message: `${pattern} names no directory with Terraform files`,
        hint: expect.stringContaining('looked in '),
      });
    },
  );
});
