#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { availableParallelism, homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { CommanderError } from 'commander';
import { readBaselineFile } from '../lib/adapters/baseline-file.ts';
import { openCatalogueFolder } from '../lib/adapters/catalogue-folder.ts';
import { createChecker } from '../lib/adapters/checker.ts';
import { createStackFinder } from '../lib/adapters/folder-stack-finder.ts';
import { readRulesFile } from '../lib/adapters/rules-file.ts';
import { sha256 } from '../lib/adapters/sha256.ts';
import { createToolchain } from '../lib/adapters/toolchain.ts';
import { createOutput } from '../lib/cli/output.ts';
import { createProgram } from '../lib/cli/program.ts';
import type { Services } from '../lib/cli/services.ts';
import { HoldfastError } from '../lib/domain/errors.ts';
import packageJson from '../package.json' with { type: 'json' };

const { env } = process;
const cwd = process.cwd();
const output = createOutput({ stdout: process.stdout, stderr: process.stderr, env });
const interrupted = new AbortController();
let interruptedAt = 0;
// The engine has a process group of its own: unhandled, a signal would leave it running. npm may hand on a Ctrl-C that
// the terminal has sent as well, so only a later one is from somebody who does not want to wait.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt());

const cacheDir = cacheDirectory();
const toolchain = createToolchain({ env, cacheDir, say: output.say });

const services: Services = {
  version: packageJson.version,
  output,
  progressStream: process.stderr,
  env,
  clock: { now: () => new Date() },
  sha256,
  defaultConcurrency: availableParallelism(),
  signal: interrupted.signal,
  stacks: createStackFinder({ cwd }),
  readRules: readRulesFile,
  readBaseline: readBaselineFile,
  readText: (file) => (file === '-' ? text(process.stdin) : readFileOrFail(file)),
  checker: (options) => createChecker({ toolchain, env }, options),
  openCatalogue: (paths, checkouts) => openCatalogueFolder({ cwd, paths, checkouts }),
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
  // SDK clients take a while to load: checks of one's own do without.
  connect: async (choice) => (await import('../lib/adapters/service-connection.ts')).connectService({ cwd }, choice),
  local: async (options) => {
    const { runLocal } = await import('../lib/local/local-run.ts');
    return runLocal({ toolchain, services, cacheDir, cwd }, options);
  },
  demo: async () => {
    // Emulator and SDK are for the demo only: a check never loads them.
    const { runDemo } = await import('../lib/local/demo-run.ts');
    return runDemo({ toolchain, services, cacheDir });
  },
};

function interrupt(): void {
  if (interrupted.signal.aborted && performance.now() - interruptedAt > 1000) process.exit(130);
  if (!interrupted.signal.aborted) interruptedAt = performance.now();
  interrupted.abort();
}

function cacheDirectory(): string {
  return env.HOLDFAST_CACHE_DIR ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'holdfast');
}

async function readFileOrFail(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new HoldfastError('ArgumentInvalid', `can't read ${file}: ${cause.code}`, { cause });
  });
}

try {
  await createProgram(services, (exitCode) => {
    process.exitCode = exitCode;
  }).parseAsync();
} catch (error) {
  // Commander has printed its own message, or the help that was asked for.
  if (!(error instanceof CommanderError)) output.error(error);
  process.exitCode = error instanceof CommanderError ? error.exitCode : 1;
}
