import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolchain } from '../lib/adapters/toolchain.ts';
import { createDemo } from '../lib/local/demo.ts';
import type { DemoWorld } from '../lib/local/demo-prepare.ts';
import { median, printTable } from './table.ts';

/**
 * `npm run bench:check`: `holdfast check` against the shell script it replaces, on the stacks of the demo. Rounds are
 * interleaved (five, or as many as the argument says) and the ratio is taken pair by pair, so that a machine that gets slower does not favour either.
 */
const HOLDFAST = join(import.meta.dirname, '../bin/holdfast.ts');
const ROUNDS = Number(process.argv[2] ?? 5);
const STACKS = 8;

interface Setting {
  readonly terraform: string;
  readonly env: Readonly<Record<string, string>>;
}

// Asynchronous: the emulator that both sides talk to runs in this process.
async function time(setting: Setting, command: readonly string[], expected: number): Promise<number> {
  const [program = '', ...args] = command;
  const start = performance.now();
  const status = await new Promise((resolve) => {
    execFile(program, args, { env: { ...setting.env } }, (error) => resolve(error === null ? 0 : error.code));
  });
  if (status !== expected) throw new Error(`${command.join(' ')} ended with ${status}, expected ${expected}`);
  return performance.now() - start;
}

const check = (directories: readonly string[], ...options: readonly string[]) => [
  process.execPath,
  HOLDFAST,
  'check',
  ...directories,
  '--quiet',
  ...options,
];

/** What people have in cron: per directory init, plan, and show where the plan found something. */
function script({ terraform }: Setting, directories: readonly string[], expected: number): string[] {
  const plan = join(tmpdir(), 'holdfast-bench.tfplan');
  const lines = directories.map(
    (directory) =>
      `cd '${directory}' && '${terraform}' init -input=false >/dev/null && ` +
      `{ '${terraform}' plan -detailed-exitcode -lock=false -input=false -out='${plan}' >/dev/null; code=$?; ` +
      `[ $code -ne 2 ] || '${terraform}' show -json '${plan}' >/dev/null; }`,
  );
  return ['sh', '-c', `${lines.join(' && ')}; rm -f '${plan}'; [ $code -eq ${expected} ] && exit ${expected}`];
}

async function compare(
  setting: Setting,
  name: string,
  directories: readonly string[],
  expected: number,
  goal: string,
): Promise<string[]> {
  const pairs: { bare: number; ours: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await time(setting, script(setting, directories, expected), expected);
    pairs.push({ bare, ours: await time(setting, check(directories), expected) });
  }
  const seconds = (values: readonly number[]) => (median(values) / 1000).toFixed(2);
  const ratio = median(pairs.map(({ bare, ours }) => ours / bare)).toFixed(3);
  return [name, seconds(pairs.map(({ bare }) => bare)), seconds(pairs.map(({ ours }) => ours)), ratio, goal];
}

/** The same stack many times over: each in a directory of its own. */
function copies(folder: string, directory: string): string[] {
  return Array.from({ length: STACKS }, (_, index) => {
    const copy = join(folder, `copy-${index}`, 'a', 'b');
    cpSync(directory, copy, { recursive: true, verbatimSymlinks: true });
    cpSync(join(directory, '../../../modules'), join(folder, 'modules'), { recursive: true });
    return copy;
  });
}

function directoryOf(world: DemoWorld, id: string): string {
  const stack = world.stacks.find((candidate) => candidate.id === id);
  if (stack === undefined) throw new Error(`the demo has no stack ${id}`);
  return stack.directory;
}

const say = (line: string): void => console.error(line);
const cacheDir = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'holdfast');
const toolchain = createToolchain({ env: process.env, cacheDir, say });
const engine = await toolchain.engine({ name: 'auto' });
const cliConfig = await toolchain.cliConfig({ engine: engine.name, directory: import.meta.dirname });
const env = { ...process.env, ...(cliConfig === undefined ? {} : { TF_CLI_CONFIG_FILE: cliConfig }) };
const demo = createDemo({ engine, env, cacheDir, say });
const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
try {
  const world = await demo.prepare();
  const setting: Setting = { terraform: engine.path, env: world.env };
  const clean = directoryOf(world, 'dev/workers');
  const rows = [await compare(setting, 'clean stack, init && plan', [clean], 0, '<= 1.03')];
  rows.push(await compare(setting, `${STACKS} clean stacks`, copies(folder, clean), 0, '< 1'));
  await demo.disturb();
  rows.push(
    await compare(setting, 'drifted stack, init && plan && show', [directoryOf(world, 'dev/messaging')], 2, '<= 1.05'),
  );
  console.log(`\n${engine.name} ${engine.version}, median of ${ROUNDS} interleaved rounds`);
  printTable(['seconds', 'script', 'holdfast', 'ratio', 'goal'], rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await demo.close();
}
