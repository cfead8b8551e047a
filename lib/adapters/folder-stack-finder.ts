import { glob, readdir, stat } from 'node:fs/promises';
import { basename, relative, resolve, sep } from 'node:path';
import { HoldfastError } from '../domain/errors.ts';
import type { StackFinder, StackFolder } from '../ports/stack-finder.ts';

const TERRAFORM_FILE = /\.(tf|tofu)(\.json)?$/;

/** Finds root modules below `cwd`. A glob only counts directories that hold Terraform files. */
export function createStackFinder({ cwd }: { readonly cwd: string }): StackFinder {
  return {
    async find(patterns) {
      const directories = new Set<string>();
      for (const pattern of patterns) {
        for (const directory of await expand(cwd, pattern)) directories.add(directory);
      }
      return nameAll(cwd, [...directories]);
    },
  };
}

async function expand(cwd: string, pattern: string): Promise<readonly string[]> {
  const literal = resolve(cwd, pattern);
  if (await isDirectory(literal)) {
    if (await holdsTerraform(literal)) return [literal];
    throw new HoldfastError('StackNotFound', `${pattern} holds no Terraform files`, {
      hint: `name root modules, or all below it: ${JSON.stringify(`${pattern.replace(/\/+$/, '')}/**`)}`,
    });
  }
  const matches = await matchDirectories(cwd, pattern);
  if (matches.length > 0) return matches;
  throw new HoldfastError('StackNotFound', `${pattern} names no directory with Terraform files`, {
    hint: `looked in ${cwd}`,
  });
}

async function matchDirectories(cwd: string, pattern: string): Promise<string[]> {
  const matches: string[] = [];
  // What init downloads holds root modules of other people's examples.
  for await (const match of glob(pattern, { cwd, exclude: (name) => basename(name) === '.terraform' })) {
    const directory = resolve(cwd, match);
    if ((await isDirectory(directory)) && (await holdsTerraform(directory))) matches.push(directory);
  }
  return matches.sort();
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

async function holdsTerraform(directory: string): Promise<boolean> {
  return (await readdir(directory)).some((name) => TERRAFORM_FILE.test(name));
}

/**
 * Names each by the path from where the command was run, as it reads the same on every machine; that place itself by its
 * own name, unless another stack has it.
 */
function nameAll(cwd: string, directories: readonly string[]): StackFolder[] {
  const paths = directories.map((directory) => relative(cwd, directory).split(sep).join('/'));
  const here = paths.includes(basename(cwd)) ? '.' : basename(cwd);
  return directories.map((directory, index) => ({ stack: paths[index] || here, directory }));
}
