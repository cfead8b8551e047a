import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type { ProcessEnd } from '../domain/engine-failure.ts';
import type { Clock } from '../ports/clock.ts';
import { clusterArn, EcsError, type EcsTask, type RunTask, taskArn, taskDefinitionArn } from './ecs-protocol.ts';

/** What tasks of a family run, by the name of the family. */
export interface TaskDefinition {
  readonly family: string;
  /** Of the one container that counts. */
  readonly containerName: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly cpu: string;
  readonly memory: string;
}

/** The container of a task while it runs. */
export interface Container {
  /** Resolves when it has ended. Rejects where it could not be started. */
  readonly ended: Promise<ProcessEnd>;
  signal(signal: 'SIGTERM' | 'SIGKILL'): void;
}

export interface EcsTasksDeps {
  readonly cluster: string;
  readonly definitions: readonly TaskDefinition[];
  readonly clock: Clock;
  startContainer(task: EcsTask, environment: Readonly<Record<string, string>>): Container;
  /** Told of every task that has stopped, once. */
  onStopped(task: EcsTask): void;
  /** Told of every task that was started. */
  onStarted(task: EcsTask): void;
  /** Time between the two signals of a stop, in milliseconds. */
  readonly stopTimeoutMs: number;
}

/** Tasks as ECS keeps them: started once per client token, stopped by a signal and then a kill, remembered for an hour. */
export interface EcsTasks {
  run(request: RunTask): EcsTask;
  /** `undefined`: there is none, or it was forgotten. */
  find(arn: string): EcsTask | undefined;
  list(): readonly EcsTask[];
  stop(arn: string, reason: string): EcsTask;
  /** Stops what runs, as a cluster that goes away does, and resolves when nothing is left. */
  close(reason: string): Promise<void>;
}

interface Entry {
  task: EcsTask;
  readonly container: Container;
  readonly finished: Promise<void>;
  /** Why it is being stopped, where somebody asked for that. */
  stopping?: Pick<EcsTask, 'stopCode' | 'stoppedReason'>;
  kill?: NodeJS.Timeout;
}

/** ECS limits all overrides of a task to this. */
const MOST_OVERRIDE_BYTES = 8192;
const REMEMBERED_MS = 60 * 60_000;

export function createEcsTasks(deps: EcsTasksDeps): EcsTasks {
  const entries = new Map<string, Entry>();
  const tokens = new Map<string, { readonly request: string; readonly arn: string }>();
  let closed = false;

  const forget = (): void => {
    const oldest = deps.clock.now().getTime() - REMEMBERED_MS;
    for (const [arn, { task }] of entries) {
      if (task.stoppedAt !== null && task.stoppedAt.getTime() < oldest) entries.delete(arn);
    }
    for (const [token, { arn }] of tokens) if (!entries.has(arn)) tokens.delete(token);
  };

  return {
    run(request) {
      requireRunnable(deps, request, closed);
      forget();
      const known = findByToken(tokens, entries, request);
      if (known !== undefined) return known.task;
      const entry = start(deps, request);
      entries.set(entry.task.taskArn, entry);
      const { clientToken } = request;
      if (clientToken !== undefined) {
        tokens.set(clientToken, { request: JSON.stringify(request), arn: entry.task.taskArn });
      }
      return entry.task;
    },
    find: (arn) => {
      forget();
      return entries.get(arn)?.task;
    },
    list: () => [...entries.values()].map(({ task }) => task),
    stop(arn, reason) {
      const entry = entries.get(arn);
      if (entry === undefined) throw new EcsError('InvalidParameterException', 'The referenced task was not found.');
      askToStop(deps, entry, { stopCode: 'UserInitiated', stoppedReason: reason });
      return entry.task;
    },
    async close(reason) {
      closed = true;
      for (const entry of entries.values()) {
        askToStop(deps, entry, { stopCode: 'TerminationNotice', stoppedReason: reason });
      }
      await Promise.all([...entries.values()].map(({ finished }) => finished));
    },
  };
}

function requireRunnable({ cluster, definitions }: EcsTasksDeps, request: RunTask, closed: boolean): void {
  if (closed || ![cluster, clusterArn(cluster)].includes(request.cluster)) {
    throw new EcsError('ClusterNotFoundException', 'Cluster not found.');
  }
  if (findDefinition(definitions, request.taskDefinition) === undefined) {
    throw new EcsError('ClientException', 'TaskDefinition not found.');
  }
  if (Buffer.byteLength(JSON.stringify(request.overrides)) > MOST_OVERRIDE_BYTES) {
    throw new EcsError('InvalidParameterException', `Task overrides length must be at most ${MOST_OVERRIDE_BYTES}.`);
  }
}

/** By family, family and revision, or ARN. */
function findDefinition(definitions: readonly TaskDefinition[], name: string): TaskDefinition | undefined {
  return definitions.find(({ family }) => [family, `${family}:1`, taskDefinitionArn(family)].includes(name));
}

function findByToken(
  tokens: ReadonlyMap<string, { readonly request: string; readonly arn: string }>,
  entries: ReadonlyMap<string, Entry>,
  request: RunTask,
): Entry | undefined {
  const known = request.clientToken === undefined ? undefined : tokens.get(request.clientToken);
  if (known !== undefined && known.request !== JSON.stringify(request)) {
    throw new EcsError('ConflictException', 'The client token was used with other parameters.', {
      resourceIds: [known.arn],
    });
  }
  return known && entries.get(known.arn);
}

function start(deps: EcsTasksDeps, request: RunTask): Entry {
  const definition = findDefinition(deps.definitions, request.taskDefinition) as TaskDefinition;
  const { containerName, environment } = definition;
  const task: EcsTask = {
    taskArn: taskArn(deps.cluster, randomUUID().replaceAll('-', '')),
    clusterArn: clusterArn(deps.cluster),
    taskDefinitionArn: taskDefinitionArn(definition.family),
    startedBy: request.startedBy,
    cpu: request.overrides.cpu ?? definition.cpu,
    memory: request.overrides.memory ?? definition.memory,
    overrides: request.overrides,
    containerName,
    lastStatus: 'RUNNING',
    desiredStatus: 'RUNNING',
    createdAt: deps.clock.now(),
    stoppedAt: null,
    exitCode: null,
    stopCode: null,
    stoppedReason: null,
    version: 1,
  };
  const own = request.overrides.containerOverrides.find(({ name }) => name === containerName)?.environment ?? [];
  const overridden = Object.fromEntries(own.map(({ name, value }) => [name, value]));
  const container = deps.startContainer(task, { ...environment, ...overridden });
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  const entry: Entry = { task, container, finished };
  deps.onStarted(task);
  void container.ended.then(exitOf, failedToStart).then((end) => {
    clearTimeout(entry.kill);
    finish(deps, entry, end);
    resolve();
  });
  return entry;
}

type End = Pick<EcsTask, 'exitCode' | 'stopCode' | 'stoppedReason'>;

function exitOf(end: ProcessEnd): End {
  const exitCode = 'code' in end ? end.code : 128 + signalNumber(end.signal);
  return { exitCode, stopCode: 'EssentialContainerExited', stoppedReason: 'Essential container in task exited' };
}

function signalNumber(signal: string): number {
  return Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 0;
}

function failedToStart(error: unknown): End {
  const reason = error instanceof Error ? error.message : String(error);
  return { exitCode: null, stopCode: 'TaskFailedToStart', stoppedReason: `CannotStartContainerError: ${reason}` };
}

function finish({ clock, onStopped }: EcsTasksDeps, entry: Entry, end: End): void {
  const { task, stopping } = entry;
  entry.task = {
    ...task,
    ...end,
    ...stopping,
    lastStatus: 'STOPPED',
    desiredStatus: 'STOPPED',
    stoppedAt: clock.now(),
    version: task.version + 1,
  };
  onStopped(entry.task);
}

function askToStop({ stopTimeoutMs }: EcsTasksDeps, entry: Entry, why: NonNullable<Entry['stopping']>): void {
  if (entry.task.desiredStatus === 'STOPPED') return;
  entry.stopping = why;
  entry.task = { ...entry.task, desiredStatus: 'STOPPED', version: entry.task.version + 1 };
  entry.container.signal('SIGTERM');
  entry.kill = setTimeout(() => entry.container.signal('SIGKILL'), stopTimeoutMs);
}
