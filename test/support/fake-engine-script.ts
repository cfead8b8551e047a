import { once } from 'node:events';
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FakeAct } from './fake-engine.ts';

// Stands in for terraform or tofu. What it does for each command is in fake-engine.json of its working directory; what
// it was asked, and what happened to it, goes to fake-engine.log there.

const FLOOD = Buffer.alloc(64 * 1024, 'x');

const args = process.argv.slice(2);
const command = args[0] ?? '';
const acts = JSON.parse(readFileSync('fake-engine.json', 'utf8')) as Record<string, FakeAct>;
const act = acts[command] ?? {};

function writePlanFile(): void {
  const file = args.find((arg) => arg.startsWith('-out='))?.slice('-out='.length);
  if (file === undefined) return;
  writeFileSync(file, 'a secret');
  log({ mode: (statSync(path.dirname(file)).mode & 0o777).toString(8) });
}

function log(entry: Record<string, unknown>): void {
  appendFileSync('fake-engine.log', `${JSON.stringify({ command, pid: process.pid, ...entry })}\n`);
}

async function write(stream: NodeJS.WriteStream, chunk: Buffer): Promise<void> {
  if (!stream.write(chunk)) await once(stream, 'drain');
}

async function writeStdout({ stdout = '', writeSize = Number.POSITIVE_INFINITY }: FakeAct): Promise<void> {
  const bytes = Buffer.from(stdout);
  for (let at = 0; at < bytes.length; at += writeSize) {
    await write(process.stdout, bytes.subarray(at, at + writeSize));
    // Small writes have to arrive one by one.
    if (writeSize < bytes.length) await delay(1);
  }
}

async function flood(stream: NodeJS.WriteStream, bytes = 0): Promise<void> {
  for (let left = bytes; left > 0; left -= FLOOD.length) await write(stream, FLOOD.subarray(0, left));
}

/** Resolves when it is time to exit. */
async function awaitInterrupt(reaction: FakeAct['onInterrupt']): Promise<void> {
  if (reaction === undefined) return;
  let interrupts = 0;
  const first = new Promise<void>((resolve) => {
    process.on('SIGINT', () => {
      interrupts += 1;
      log({ interrupts });
      resolve();
    });
  });
  const alive = setInterval(() => {}, 1000);
  // Says that it is ready to be interrupted.
  process.stdout.write('{"type":"refresh_complete"}\n');
  await first;
  if (reaction === 'ignore') return new Promise(() => {});
  // Time for a second interrupt, which must not come.
  await delay(200);
  clearInterval(alive);
}

async function main(): Promise<void> {
  log({ args, env: process.env });
  writePlanFile();
  await flood(process.stdout, act.floodStdout);
  await flood(process.stderr, act.floodStderr);
  await writeStdout(act);
  if (act.stderr !== undefined) await write(process.stderr, Buffer.from(act.stderr));
  await awaitInterrupt(act.onInterrupt);
  await delay(act.takesMs ?? 0);
  log({ done: true });
  if (act.raise !== undefined) process.kill(process.pid, act.raise);
  process.exit(act.exit ?? 0);
}

await main();
