import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { RunTaskCommand } from '@aws-sdk/client-ecs';
import { connectLocal, type ServiceConnection } from '../adapters/service-connection.ts';
import { listStacks } from '../app/list-stacks.ts';
import type { RecordedRun } from '../app/record-run.ts';
import { triggerCheck } from '../app/trigger-check.ts';
import { suspensionOf } from '../domain/suspension.ts';
import type { PublishedEvent } from '../ports/event-feed.ts';
import { type EcsJournal, lostTask, openEcsJournal } from './ecs-journal.ts';
import { type EcsTask, stateChangeEvent, taskDefinitionArn } from './ecs-protocol.ts';
import {
  CLUSTER,
  type LocalCluster,
  type LocalClusterDeps,
  logFileOf,
  SYNC_FAMILY,
  startLocalCluster,
} from './local-cluster.ts';
import type { LocalEmulators } from './local-emulators.ts';
import { createLocalFunctions, type LocalFunctions } from './local-functions.ts';
import {
  ARTIFACTS_BUCKET,
  catalogueTag,
  createLocalClients,
  createResources,
  type LocalClients,
} from './local-resources.ts';
import { repeat } from './repeat.ts';

export type TakenCatalogue = Awaited<ReturnType<LocalFunctions['applyCatalogue']>>;

/** Told what happens. */
export interface LocalObserver {
  onTask(task: EcsTask): void;
  onRun(run: RecordedRun): void;
  onCatalogue(applied: TakenCatalogue): void;
  onEvent(event: PublishedEvent): void;
  /** Of a part of the service, by its name. The service goes on. */
  onError(part: string, error: unknown): void;
}

export interface LocalServiceDeps
  extends Pick<LocalClusterDeps, 'folder' | 'env' | 'catalogue' | 'cacheDir'>,
    LocalObserver {
  readonly emulators: LocalEmulators;
  /** Checks at the same time. */
  readonly concurrency: number;
  /** How often due stacks are looked for. */
  readonly everyMs: number;
  /** How often the catalogue is read. */
  readonly syncEveryMs: number;
  /** When stacks are checked that never were: at once, or when their schedules say so, as on AWS. */
  readonly firstChecks: 'at-once' | 'scheduled';
}

export interface LocalService {
  readonly ecsEndpoint: string;
  readonly connection: ServiceConnection;
  /** Reads the catalogue now. */
  syncCatalogue(): Promise<void>;
  /** Stops what runs, records that, and ends. What was there stays in the folder. */
  close(): Promise<void>;
}

/** The whole service, with emulators in the place of AWS and schedules of its own. */
export async function startLocalService(deps: LocalServiceDeps): Promise<LocalService> {
  const cleanups: Cleanup[] = [];
  const close = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    const machine = await assemble(deps, (cleanup) => cleanups.push(cleanup));
    return {
      ecsEndpoint: machine.cluster.server.endpoint,
      connection: machine.connection,
      syncCatalogue: () => syncCatalogue(machine),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Cleanup = () => Promise<void> | void;

async function assemble(deps: LocalServiceDeps, onClose: (cleanup: Cleanup) => void): Promise<Machine> {
  const { folder, emulators, concurrency } = deps;
  const journal = openEcsJournal(folder.journal);
  const work = createBackground(deps);
  const ready = Promise.withResolvers<Machine>();
  const cluster = await startLocalCluster({
    ...deps,
    awsEndpoint: emulators.aws.endpoint,
    bucket: ARTIFACTS_BUCKET,
    onStarted(task) {
      journal.add(task);
      deps.onTask(task);
    },
    onStopped: (task) =>
      work.add(
        'tasks',
        ready.promise.then((machine) => takeIn(machine, task)),
      ),
  });
  onClose(() => cluster.server.close());
  const endpoints = { table: emulators.tables.endpoint, aws: emulators.aws.endpoint };
  const clients = createLocalClients({ ...endpoints, ecs: cluster.server.endpoint });
  onClose(() => clients.close());
  const deployment = await createResources(clients);
  const functions = createLocalFunctions({ clients, deployment, concurrency });
  const connection = connectLocal(
    { tableEndpoint: endpoints.table, awsEndpoint: endpoints.aws, deployment },
    folder.root,
  );
  onClose(() => connection.close());
  const machine: Machine = { ...deps, journal, cluster, clients, connection, functions, seen: { tag: undefined } };
  ready.resolve(machine);
  onClose(await followEvents(machine));
  onClose(() => work.end());
  onClose(() => cluster.tasks.close('holdfast: the local mode was ended'));
  for (const entry of journal.left) await takeIn(machine, lostTask(entry, new Date()));
  onClose(runSchedules(machine));
  return machine;
}

interface Machine extends LocalServiceDeps {
  readonly journal: EcsJournal;
  readonly cluster: LocalCluster;
  readonly clients: LocalClients;
  readonly connection: ServiceConnection;
  readonly functions: LocalFunctions;
  /** The catalogue that the functions were told of last. */
  readonly seen: { tag: string | undefined };
}

interface Background {
  add(part: string, work: Promise<void>): void;
  end(): Promise<void>;
}

/** What goes on by itself and has to be waited for in the end. */
function createBackground({ onError }: Pick<LocalObserver, 'onError'>): Background {
  const running = new Set<Promise<void>>();
  return {
    add(part, work) {
      const done = work.catch((error: unknown) => onError(part, error)).finally(() => running.delete(done));
      running.add(done);
    },
    async end() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** What EventBridge does with a task that has stopped. */
async function takeIn(machine: Machine, task: EcsTask): Promise<void> {
  const { functions, journal, folder, onRun } = machine;
  if (task.taskDefinitionArn === taskDefinitionArn(SYNC_FAMILY)) await takeCatalogue(machine, task);
  else onRun(await functions.recordRun(stateChangeEvent(task, randomUUID())));
  journal.remove(task.taskArn);
  // The log of the run has it all, where there is one.
  if (task.exitCode === 0) await rm(logFileOf(folder, task), { force: true });
}

/** What the bucket's notification does when there is a new catalogue. */
async function takeCatalogue(machine: Machine, task: EcsTask): Promise<void> {
  const { clients, connection, functions, folder, seen, onCatalogue, onError } = machine;
  if (task.exitCode !== 0 && task.stopCode === 'EssentialContainerExited') {
    onError('sync-catalogue', new Error(`the catalogue could not be read, see ${logFileOf(folder, task)}`));
  }
  const tag = await catalogueTag(clients.s3, connection.deployment.artifactsBucket);
  if (tag === undefined || tag === seen.tag) return;
  const applied = await functions.applyCatalogue({});
  onCatalogue(applied);
  seen.tag = tag;
  if (machine.firstChecks === 'at-once' && applied.kind === 'applied' && applied.created > 0) await checkNew(machine);
}

/** A schedule may come hours later, and somebody sits there to see what comes of a catalogue. */
async function checkNew({ connection: { stacks } }: Machine): Promise<void> {
  for (const { spec, state } of await listStacks({ stacks })) {
    const isNew = state.verdict === null && state.inFlight === null && suspensionOf({ spec, state }) === null;
    if (isNew) await triggerCheck({ stacks, clock: { now: () => new Date() } }, { stackId: spec.id });
  }
}

async function syncCatalogue({ cluster, clients }: Machine): Promise<void> {
  const family = taskDefinitionArn(SYNC_FAMILY);
  const running = cluster.tasks.list().some((task) => task.taskDefinitionArn === family && task.stoppedAt === null);
  if (running) return;
  await clients.ecs.send(new RunTaskCommand({ cluster: CLUSTER, taskDefinition: SYNC_FAMILY }));
}

const FORGET_EVERY_MS = 60 * 60_000;

/** What EventBridge Scheduler does. */
function runSchedules(machine: Machine): Cleanup {
  const { everyMs, syncEveryMs, functions, onError } = machine;
  const stop = new AbortController();
  const schedule = (part: string, ms: number, work: () => Promise<unknown>) =>
    repeat(work, { everyMs: ms, signal: stop.signal, onError: (error) => onError(part, error) });
  const loops = [
    schedule('dispatch-checks', everyMs, () => functions.dispatchChecks()),
    schedule('sync-catalogue', syncEveryMs, () => syncCatalogue(machine)),
    schedule('retention', FORGET_EVERY_MS, () => functions.forgetRuns()),
  ];
  return async () => {
    stop.abort();
    await Promise.all(loops);
  };
}

async function followEvents({ connection, onEvent, onError }: Machine): Promise<Cleanup> {
  const stop = new AbortController();
  const feed = await connection.events.follow(stop.signal);
  const following = (async () => {
    for await (const event of feed) onEvent(event);
  })().catch((error: unknown) => onError('events', error));
  return async () => {
    stop.abort();
    await following;
  };
}
