import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { LocalOptions, Services } from '../cli/services.ts';
import { LOCAL_FOLDER } from '../contract/local-mode.ts';
import type { Toolchain } from '../ports/toolchain.ts';
import { tellStory } from './demo-story.ts';
import { createLiveLog } from './live-log.ts';
import type { CatalogueLocation } from './local-cluster.ts';
import { type LocalDemo, openLocalDemo } from './local-demo.ts';
import { type LocalEmulators, startEmulators } from './local-emulators.ts';
import { type LocalFolder, openLocalFolder } from './local-folder.ts';
import { type LocalService, startLocalService } from './local-service.ts';
import { locateCatalogue } from './own-catalogue.ts';

export interface RunLocalDeps {
  readonly toolchain: Toolchain;
  readonly services: Services;
  /** Absolute, as the next. */
  readonly cacheDir: string;
  readonly cwd: string;
}

interface Session extends RunLocalDeps {
  readonly options: LocalOptions;
  readonly folder: LocalFolder;
  readonly emulators: LocalEmulators;
}

/**
 * The whole service on this machine, until it is interrupted, or with `once` until the story of the demo is told.
 * Everything that was started is stopped in the end. Resolves with the exit code.
 */
export async function runLocal(deps: RunLocalDeps, options: LocalOptions): Promise<number> {
  const { output, signal } = deps.services;
  const folder = await openLocalFolder(resolve(deps.cwd, options.state), options);
  const emulators = await startEmulators(folder);
  try {
    await serve({ ...deps, options, folder, emulators });
  } catch (error) {
    // Being interrupted is how it ends.
    if (!signal.aborted) throw error;
  } finally {
    await folder.withdraw();
    await emulators.close();
  }
  output.say(`ended; ${options.state} has everything for the next time`);
  return 0;
}

async function serve(session: Session): Promise<void> {
  const { output } = session.services;
  const subject = await openSubject(session);
  const service = await startService(session, subject);
  try {
    await announce(session, service);
    await stay(session, subject, service);
  } finally {
    output.say('\nending: what runs is stopped, and that is recorded');
    await service.close();
    subject.demo?.queues.close();
  }
}

/** What is checked, and what the runner finds in its environment. */
interface Subject {
  readonly catalogue: CatalogueLocation;
  readonly env: Readonly<Record<string, string>>;
  readonly demo?: LocalDemo;
}

async function openSubject(session: Session): Promise<Subject> {
  const { services, options, toolchain, cwd, cacheDir, folder, emulators } = session;
  const { env, output, signal } = services;
  const { catalogue } = options;
  if (catalogue !== undefined) return { catalogue: await locateCatalogue(cwd, catalogue), env: withoutOurs(env) };
  const engine = await toolchain.engine({ name: 'auto' });
  const mirrors = await toolchain.cliConfig({ engine: engine.name, directory: cwd });
  const demo = await openLocalDemo({
    engine,
    env: mirrors === undefined ? env : { ...env, TF_CLI_CONFIG_FILE: mirrors },
    cacheDir,
    emulator: emulators.aws,
    folder: folder.demo,
    say: output.say,
    stop: signal,
  });
  return { catalogue: demo.catalogue, env: demo.env, demo };
}

/** The user's environment, in which a runner would take our own variables for its own. */
function withoutOurs(env: Services['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || name.startsWith('HOLDFAST_') ? [] : [[name, value]],
    ),
  );
}

const SYNC_EVERY_MS = 60_000;

function startService({ services, options, cacheDir, folder, emulators }: Session, subject: Subject) {
  const { output, clock } = services;
  return startLocalService({
    ...createLiveLog({ output, clock }),
    ...{ folder, emulators, cacheDir, catalogue: subject.catalogue, env: subject.env },
    concurrency: availableParallelism(),
    everyMs: options.everyMs,
    syncEveryMs: SYNC_EVERY_MS,
    // The story of the demo asks for its checks itself.
    firstChecks: subject.demo === undefined ? 'at-once' : 'scheduled',
  });
}

async function announce({ services, options, folder, emulators }: Session, service: LocalService): Promise<void> {
  const { connection, ecsEndpoint } = service;
  await folder.announce({
    schemaVersion: 1,
    pid: process.pid,
    tableEndpoint: emulators.tables.endpoint,
    awsEndpoint: emulators.aws.endpoint,
    deployment: connection.deployment,
  });
  const local = options.state === LOCAL_FOLDER ? '' : ` --local ${options.state}`;
  services.output.say(`the service runs, its state is in ${options.state}
  DynamoDB      ${emulators.tables.endpoint}
  S3, SNS, SQS  ${emulators.aws.endpoint}
  ECS           ${ecsEndpoint}
in another terminal, in the same directory:
  npm run holdfast -- status --watch${local}
  npm run holdfast -- events --follow${local}
  npm run holdfast -- check --stack STACK${local}
Ctrl-C ends it
`);
}

/** Until it is interrupted, or the story is told. */
async function stay({ services, options }: Session, { demo }: Subject, { connection }: LocalService): Promise<void> {
  const { clock, output, wait, signal } = services;
  if (demo !== undefined) {
    const pace = options.once ? 'fast' : 'natural';
    await tellStory({ ...demo, stacks: connection.stacks, clock, say: output.say, wait, pace }, signal);
    if (options.once) return;
    output.say('Checks go on, until Ctrl-C.\n');
  }
  if (!signal.aborted) await once(signal, 'abort');
}
