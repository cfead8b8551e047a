import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EngineTool } from '../adapters/engine-command.ts';
import { applyExamples, copyExamples, makeDemoEnvironment } from './demo-prepare.ts';
import { connectQueues, type Queues } from './demo-queues.ts';
import type { Emulator } from './emulator.ts';
import type { CatalogueLocation } from './local-cluster.ts';

export interface LocalDemoDeps {
  readonly engine: EngineTool;
  /** The user's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cacheDir: string;
  readonly emulator: Emulator;
  /** Where the stacks of the demo are kept, absolute. */
  readonly folder: string;
  readonly say: (line: string) => void;
  readonly stop: AbortSignal;
}

/** The example stacks, applied, and a catalogue of them. */
export interface LocalDemo {
  readonly catalogue: CatalogueLocation;
  /** For the runner: the account of the emulator, and nothing of the user's. */
  readonly env: Readonly<Record<string, string>>;
  readonly queues: Queues;
  readonly directoryOf: (id: string) => string;
  readonly mark: { get(): Promise<boolean>; set(disturbed: boolean): Promise<void> };
}

const catalogueFor = ({ name }: EngineTool) => `# The example stacks, every minute.
defaults:
  owner: demo
  routes: [demo]
  engine: { name: ${name} }
  schedule: { rate: 1m }
  timeout: 10m
discover:
  - paths: environments/{environment}/{layer}
    id: "{environment}/{layer}"
`;

/** Prepares the demo, or takes up the one of the last time. */
export async function openLocalDemo(deps: LocalDemoDeps): Promise<LocalDemo> {
  const { engine, emulator, folder, say, stop } = deps;
  const file = (name: string) => join(folder, name);
  const directoryOf = (id: string): string => join(folder, 'environments', id);
  const env = await makeDemoEnvironment(deps);
  const queues = await connectQueues(emulator);
  if (!(await isThere(file('prepared')))) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await copyExamples(folder);
    say(`five example stacks are applied to the emulator, in ${folder}`);
    await applyExamples({ engine, env, directoryOf, queues, say, stop });
    await writeFile(file('prepared'), '');
  }
  await writeFile(file('catalogue.yaml'), catalogueFor(engine));
  return {
    catalogue: { url: pathToFileURL(folder).href, ref: 'HEAD', path: 'catalogue.yaml' },
    env,
    queues,
    directoryOf,
    mark: {
      get: () => isThere(file('disturbed')),
      set: (disturbed) => (disturbed ? writeFile(file('disturbed'), '') : rm(file('disturbed'), { force: true })),
    },
  };
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
