import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PlanRequest } from '../../lib/ports/engine-runner.ts';

/** File contents by relative path. */
export type Tree = Readonly<Record<string, string>>;

export async function writeTree(directory: string, tree: Tree): Promise<void> {
  const folders = new Set(Object.keys(tree).map((name) => dirname(join(directory, name))));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  await Promise.all(Object.entries(tree).map(([name, content]) => writeFile(join(directory, name), content)));
}

/** Makes a directory with these files for as long as the work takes. */
export async function withTree<T>(tree: Tree, work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-module-'));
  try {
    await writeTree(directory, tree);
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

export interface Call {
  readonly key: string;
  readonly source: string;
  readonly version?: string;
  /** Relative to the root module. */
  readonly directory: string;
}

/** What `init` writes to `modules/modules.json`. */
export function manifestOf(calls: readonly Call[]): string {
  const records = calls.map(({ key, source, version, directory }) => ({
    Key: key,
    Source: source,
    ...(version === undefined ? {} : { Version: version }),
    Dir: directory,
  }));
  return JSON.stringify({ Modules: [{ Key: '', Source: '', Dir: '.' }, ...records] });
}

export function aRequest(directory: string, overrides: Partial<PlanRequest> = {}): PlanRequest {
  return { directory, backendConfig: [], varFiles: [], vars: [], mode: 'plan', timeoutMs: 60_000, ...overrides };
}
