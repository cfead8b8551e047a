import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import * as z from 'zod';

/** What the fake engine does when it is called with one command, in this order. */
export interface FakeAct {
  /** Bytes of rubbish without a line feed. */
  readonly floodStdout?: number;
  readonly floodStderr?: number;
  readonly stdout?: string;
  /** Bytes handed over at a time. */
  readonly writeSize?: number;
  readonly stderr?: string;
  /** Waits for an interrupt, then finishes or goes on as if nothing had happened. */
  readonly onInterrupt?: 'finish' | 'ignore';
  readonly takesMs?: number;
  readonly raise?: NodeJS.Signals;
  readonly exit?: number;
}

const LogEntry = z.object({
  command: z.string(),
  pid: z.number(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
  interrupts: z.number().optional(),
  done: z.boolean().optional(),
  /** Permissions of the folder that the plan file is in. */
  mode: z.string().optional(),
});
type LogEntry = z.infer<typeof LogEntry>;

export interface FakeEngine {
  /** The program. */
  readonly path: string;
  /** The working directory to run it in. */
  readonly directory: string;
  log(): readonly LogEntry[];
  /** Arguments of each call, in order. */
  calls(): readonly (readonly string[])[];
}

const SCRIPT = path.join(import.meta.dirname, 'fake-engine-script.ts');

/** An executable that stands in for terraform or tofu, in a directory of its own. Keys of `acts` are commands. */
export async function aFakeEngine(acts: Readonly<Record<string, FakeAct>> = {}): Promise<FakeEngine> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'fake-engine-')));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const program = path.join(directory, 'engine.mjs');
  await writeFile(path.join(directory, 'fake-engine.json'), JSON.stringify(acts));
  await writeFile(program, `#!${process.execPath}\nawait import(${JSON.stringify(SCRIPT)});\n`);
  await chmod(program, 0o755);
  const log = () =>
    readFileSync(path.join(directory, 'fake-engine.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => LogEntry.parse(JSON.parse(line)));
  return {
    path: program,
    directory,
    log,
    calls: () => log().flatMap(({ args }) => (args === undefined ? [] : [args])),
  };
}

/** The stream of a plan without changes. */
export const CLEAN_STREAM = [
  '{"type":"version","terraform":"1.11.4","ui":"1.2"}',
  '{"type":"change_summary","changes":{"add":0,"change":0,"import":0,"remove":0,"operation":"plan"}}',
  '',
].join('\n');
