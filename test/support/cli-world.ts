import { CommanderError } from 'commander';
import type { CheckStackDeps } from '../../lib/app/check-stack.ts';
import { createOutput } from '../../lib/cli/output.ts';
import { createProgram } from '../../lib/cli/program.ts';
import type { CheckerOptions, Services } from '../../lib/cli/services.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import type { PlanRequest } from '../../lib/ports/engine-runner.ts';
import { type CheckWorld, checkDeps } from './check-world.ts';

export interface CliWorld extends CheckWorld {
  /** Columns of the terminal; none where output goes to a pipe. */
  readonly terminal?: number;
  /** Content by path; `-` is standard input. */
  readonly texts?: Readonly<Record<string, string>>;
  readonly services?: Partial<Services>;
}

export interface CliRun {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** What was thrown beside the ends that Commander makes. */
  readonly error: unknown;
  /** What the engine was asked to plan. */
  readonly requests: readonly PlanRequest[];
  readonly checkers: readonly CheckerOptions[];
  /** Patterns that stacks were looked for with. */
  readonly patterns: readonly (readonly string[])[];
}

/** Runs the command line in memory. Every pattern names one stack, in a directory of the same name. */
export async function runCli(args: readonly string[], world: CliWorld = {}): Promise<CliRun> {
  const printed = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof printed) => ({
    isTTY: world.terminal !== undefined,
    columns: world.terminal,
    write: (text: string) => {
      printed[name] += text;
    },
    on: () => {},
  });
  const { deps, requests } = checkDeps(world);
  const checkers: CheckerOptions[] = [];
  const patterns: (readonly string[])[] = [];
  const stderr = stream('stderr');
  const services: Services = {
    version: '9.8.7',
    output: createOutput({ stdout: stream('stdout'), stderr, env: { NO_COLOR: '1', CI: '1' } }),
    progressStream: stderr,
    env: {},
    clock: deps.clock,
    sha256: deps.sha256,
    defaultConcurrency: 2,
    signal: new AbortController().signal,
    stacks: {
      async find(wanted) {
        patterns.push(wanted);
        return wanted.map((pattern) => ({ stack: pattern, directory: `/${pattern}` }));
      },
    },
    readRules: unexpected,
    readBaseline: unexpected,
    readText: async (file) => world.texts?.[file] ?? unexpected(file),
    checker: async (options): Promise<CheckStackDeps> => {
      checkers.push(options);
      return deps;
    },
    openCatalogue: () => unexpected('a catalogue'),
    wait: () => unexpected('waiting'),
    connect: () => unexpected('a service'),
    local: () => unexpected('local mode'),
    demo: () => unexpected('demo'),
    ...world.services,
  };
  let exitCode: number | undefined;
  let error: unknown;
  try {
    await createProgram(services, (code) => {
      exitCode = code;
    }).parseAsync(args, { from: 'user' });
  } catch (thrown) {
    if (thrown instanceof CommanderError) exitCode = thrown.exitCode;
    else error = thrown;
  }
  return { ...printed, exitCode, error, requests, checkers, patterns };
}

async function unexpected(what: string): Promise<never> {
  throw new HoldfastError('ArgumentInvalid', `nobody told this test about ${what}`);
}
