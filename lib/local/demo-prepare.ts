import { rmSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import type { EngineSession, EngineTool } from '../adapters/engine-command.ts';
import { atExit } from '../adapters/exit-tasks.ts';
import { adopt, initialise } from './demo-adopt.ts';
import { demoEnvironment } from './demo-environment.ts';
import { connectQueues, type Queues } from './demo-queues.ts';
import { DEMO_STACKS, type DemoStack } from './demo-stacks.ts';
import { type Emulator, startEmulator } from './emulator.ts';

export interface PrepareDeps {
  readonly engine: EngineTool;
  /** The user's environment. `TF_CLI_CONFIG_FILE` and `TF_PLUGIN_CACHE_DIR` in it are respected. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Providers are kept in here for the next time. Absolute. */
  readonly cacheDir: string;
  /** Told what has been done, one line at a time. */
  readonly say: (line: string) => void;
  readonly stop: AbortSignal;
  /** Takes what has to be done at the end, last one first. */
  readonly onClose: (cleanup: Cleanup) => void;
}

export type Cleanup = () => Promise<void> | void;

/** Stacks that are applied and in sync, in an account that is there for the demo only. */
export interface DemoWorld {
  /** Holds everything of the demo; removed at its end. */
  readonly folder: string;
  readonly stacks: readonly { readonly id: string; readonly directory: string }[];
  /** For checking these stacks: the whole environment. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Prepared {
  readonly world: DemoWorld;
  readonly queues: Queues;
  /** Directory of a stack's root module, absolute. */
  readonly directoryOf: (id: string) => string;
}

/** The example stacks of the repository. */
export const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url));
const LOCK_FILE = '.terraform.lock.hcl';

/** Terraform gets this long to write its state after an interrupt, in milliseconds. */
const GRACE_MS = 5000;

export async function prepare({ engine, env, cacheDir, say, stop, onClose }: PrepareDeps): Promise<Prepared> {
  stop.throwIfAborted();
  const folder = await makeFolder(onClose);
  const emulator = await startEmulator();
  onClose(() => emulator.close());
  const queues = await connectQueues(emulator);
  onClose(() => queues.close());
  const directoryOf = (id: string): string => join(folder, 'environments', id);
  const world: DemoWorld = {
    folder,
    stacks: DEMO_STACKS.map(({ id }) => ({ id, directory: directoryOf(id) })),
    env: await makeDemoEnvironment({ env, emulator, cacheDir }),
  };
  say(`an AWS emulator answers at ${emulator.endpoint}, the stacks are in ${join(folder, 'environments')}`);
  await applyExamples({ engine, env: world.env, directoryOf, queues, say, stop });
  return { world, queues, directoryOf };
}

/** {@link demoEnvironment} with a folder for providers that is there. */
export async function makeDemoEnvironment({
  env,
  emulator,
  cacheDir,
}: Pick<PrepareDeps, 'env' | 'cacheDir'> & { readonly emulator: Emulator }): Promise<Record<string, string>> {
  const pluginCache = join(cacheDir, 'providers');
  await mkdir(pluginCache, { recursive: true });
  return demoEnvironment({ env, emulator, pluginCache });
}

export interface ApplyExamplesDeps extends Pick<PrepareDeps, 'engine' | 'say' | 'stop'> {
  /** The whole environment of the engine. */
  readonly env: Readonly<Record<string, string>>;
  readonly directoryOf: (id: string) => string;
  readonly queues: Queues;
}

/** Brings copies of the example stacks in sync with an emulator. */
export async function applyExamples({ engine, env, directoryOf, queues, say, stop }: ApplyExamplesDeps): Promise<void> {
  say(`${engine.name} ${engine.version} initialises them; the first time, it downloads the AWS provider`);
  const sessionOf = ({ id }: DemoStack): EngineSession => ({
    tool: engine,
    directory: directoryOf(id),
    env,
    stop,
    graceMs: GRACE_MS,
  });
  await applyAll({ sessionOf, queues, say });
}

async function makeFolder(onClose: PrepareDeps['onClose']): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-demo-'));
  const release = atExit(() => rmSync(folder, { recursive: true, force: true }));
  onClose(async () => {
    await rm(folder, { recursive: true, force: true });
    release();
  });
  await copyExamples(folder);
  return folder;
}

/** Without what Terraform may have left in them. */
export async function copyExamples(folder: string): Promise<void> {
  await cp(EXAMPLES, folder, { recursive: true, filter: (path) => !/^\.terraform|\.tfstate/.test(basename(path)) });
}

interface ApplyDeps {
  readonly sessionOf: (stack: DemoStack) => EngineSession;
  readonly queues: Queues;
  readonly say: (line: string) => void;
}

async function applyAll({ sessionOf, queues, say }: ApplyDeps): Promise<void> {
  const [first, ...others] = DEMO_STACKS;
  // Alone: Terraform does not lock the plugin cache. The others find the provider there, with the help of the lock file.
  await initialise(sessionOf(first));
  const lock = join(sessionOf(first).directory, LOCK_FILE);
  await forEach(others, async (stack) => {
    await copyFile(lock, join(sessionOf(stack).directory, LOCK_FILE));
    await initialise(sessionOf(stack));
  });
  await forEach(DEMO_STACKS, async (stack) => {
    say(`${stack.id}: ${await adopt({ session: sessionOf(stack), queues }, stack)}`);
  });
}

/** Waits for all, also after a failure, so that nothing goes on behind the caller's back. Throws the first failure. */
async function forEach(stacks: readonly DemoStack[], act: (stack: DemoStack) => Promise<void>): Promise<void> {
  const limit = pLimit(availableParallelism());
  const results = await Promise.allSettled(stacks.map((stack) => limit(() => act(stack))));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
