import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { aFolder } from './temporary-folder.ts';

const Call = z.object({ command: z.string(), pid: z.number(), env: z.record(z.string(), z.string()) });
type Call = z.infer<typeof Call>;

export interface FakeTerraform {
  /** Folder for PATH, in which it is `terraform`. */
  readonly bin: string;
  /** What it was called for so far, but for its version. */
  calls(): readonly Call[];
}

export interface FakeTerraformOptions {
  /** `finish`: a clean plan. `wait`: one that goes on until it is interrupted, and has a process of its own. */
  readonly plan: 'finish' | 'wait';
}

/** A program that answers as Terraform does, and notes in what environment it was called. */
export async function aFakeTerraform({ plan }: FakeTerraformOptions): Promise<FakeTerraform> {
  const bin = await aFolder();
  const log = join(bin, 'calls.log');
  await writeFile(log, '');
  const source = `#!${process.execPath}
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
const [command, ...args] = process.argv.slice(2);
const note = (pid) => appendFileSync(${JSON.stringify(log)}, JSON.stringify({ command, pid, env: process.env }) + '\\n');
const print = (line) => process.stdout.write(JSON.stringify(line) + '\\n');
if (command === 'version') print({ terraform_version: '1.11.4' });
else note(process.pid);
if (command === 'plan') {
  print({ type: 'version', terraform: '1.11.4', ui: '1.2' });
  if (${JSON.stringify(plan)} !== 'finish') {
    process.on('SIGINT', () => process.exit(1));
    note(spawn('sleep', ['600'], { stdio: 'ignore' }).pid);
    setInterval(() => {}, 1000);
  } else print({ type: 'change_summary', changes: { add: 0, change: 0, import: 0, remove: 0, operation: 'plan' } });
}
`;
  // An extension would not be found as a command, and without one Node has to be told that it is a module.
  await writeFile(join(bin, 'package.json'), '{"type":"module"}');
  await writeFile(join(bin, 'terraform'), source, { mode: 0o755 });
  return {
    bin,
    calls: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => Call.parse(JSON.parse(line))),
  };
}
