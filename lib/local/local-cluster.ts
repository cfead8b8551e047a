import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as names from '../contract/env.ts';
import type { EcsTask } from './ecs-protocol.ts';
import { type EcsServer, startEcsServer } from './ecs-server.ts';
import { createEcsTasks, type EcsTasks, type TaskDefinition } from './ecs-tasks.ts';
import type { LocalFolder } from './local-folder.ts';
import { startTaskProcess } from './task-process.ts';

export const CLUSTER = 'holdfast';
export const CHECK_FAMILY = 'holdfast-check';
export const SYNC_FAMILY = 'holdfast-sync-catalogue';

const RUNNER = fileURLToPath(new URL('../../runner-image/src/main.ts', import.meta.url));

/** On Fargate, two minutes; a plan that is interrupted ends within seconds, and somebody waits at the keyboard. */
const STOP_TIMEOUT_MS = 30_000;

export interface CatalogueLocation {
  readonly url: string;
  readonly ref: string;
  readonly path: string;
}

export interface LocalClusterDeps {
  readonly folder: LocalFolder;
  /** Environment of the runner beside what its task definition says. */
  readonly env: Readonly<Record<string, string>>;
  /** Address of the artefact bucket's S3. */
  readonly awsEndpoint: string;
  readonly bucket: string;
  readonly catalogue: CatalogueLocation;
  /** Tools are kept here. */
  readonly cacheDir: string;
  onStarted(task: EcsTask): void;
  onStopped(task: EcsTask): void;
}

export interface LocalCluster {
  readonly tasks: EcsTasks;
  readonly server: EcsServer;
}

/** A cluster whose tasks are processes on this machine. */
export async function startLocalCluster(deps: LocalClusterDeps): Promise<LocalCluster> {
  const { folder, onStarted, onStopped } = deps;
  const tasks = createEcsTasks({
    cluster: CLUSTER,
    definitions: definitionsFor(deps),
    clock: { now: () => new Date() },
    startContainer: (task, environment) =>
      startTaskProcess({
        script: RUNNER,
        env: { ...deps.env, ...workFolderFor(folder, environment), ...environment },
        logFile: logFileOf(folder, task),
      }),
    onStarted,
    onStopped,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  return { tasks, server: await startEcsServer(tasks) };
}

/** What the container of a task has printed. */
export function logFileOf({ logs }: Pick<LocalFolder, 'logs'>, { taskArn }: Pick<EcsTask, 'taskArn'>): string {
  return join(logs, `${taskArn.split('/').at(-1)}.log`);
}

/** Value of a variable that the task was started with. */
export function settingOf({ overrides }: EcsTask, name: string): string | undefined {
  const settings = overrides.containerOverrides.flatMap(({ environment }) => environment);
  return settings.find((setting) => setting.name === name)?.value;
}

/** Paths end up in plans, so a stack has the same one each time. */
function workFolderFor({ work }: LocalFolder, environment: Readonly<Record<string, string>>): Record<string, string> {
  const stackId = environment[names.STACK_ID] ?? 'catalogue';
  const folder = join(work, stackId.replaceAll('/', '.'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return { [names.WORK_FOLDER]: folder };
}

function definitionsFor({
  folder,
  bucket,
  awsEndpoint,
  catalogue,
  cacheDir,
}: LocalClusterDeps): readonly TaskDefinition[] {
  const common = {
    [names.ARTIFACTS_BUCKET]: bucket,
    [names.LOCAL_ENDPOINT]: awsEndpoint,
    [names.GIT_PROTOCOLS]: 'https:ssh:file',
    [names.CACHE_FOLDER]: cacheDir,
  };
  const sized = { containerName: names.RUNNER_CONTAINER, cpu: '1024', memory: '2048' };
  return [
    {
      ...sized,
      family: CHECK_FAMILY,
      environment: { ...common, [names.MODE]: 'check', [names.DIGEST_SALT]: folder.settings.salt },
    },
    {
      ...sized,
      family: SYNC_FAMILY,
      environment: {
        ...common,
        [names.MODE]: 'sync-catalogue',
        [names.CATALOGUE_URL]: catalogue.url,
        [names.CATALOGUE_REF]: catalogue.ref,
        [names.CATALOGUE_PATH]: catalogue.path,
      },
    },
  ];
}
