import { ECSClient } from '@aws-sdk/client-ecs';
import { afterAll, describe, expect, it } from 'vitest';
import { createEcsTaskLauncher } from '../../lib/adapters/ecs-task-launcher.ts';
import { RUNNER_CONTAINER } from '../../lib/contract/env.ts';
import type { ProcessEnd } from '../../lib/domain/engine-failure.ts';
import { clusterArn, taskDefinitionArn } from '../../lib/local/ecs-protocol.ts';
import { startEcsServer } from '../../lib/local/ecs-server.ts';
import { createEcsTasks } from '../../lib/local/ecs-tasks.ts';
import type { LaunchRequest, TaskLauncher } from '../../lib/ports/task-launcher.ts';
import { createFakeEcs } from '../support/fake-ecs.ts';
import { HOUR, START } from '../support/stack-builder.ts';

interface Made {
  readonly launcher: TaskLauncher;
  /** Lets the container of a run exit with 0. */
  exit(runId: string): Promise<void>;
  pass(ms: number): void;
}

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const makers: readonly { readonly name: string; create(): Promise<Made> }[] = [
  { name: 'fake', create: async () => createFake() },
  { name: 'ECS', create: () => createOverServer() },
];

function createFake(): Made {
  let time = START.getTime();
  const ecs = createFakeEcs(() => new Date(time));
  return {
    launcher: ecs,
    exit: async (runId) => ecs.finish(ecs.taskOf(runId)),
    pass: (ms) => {
      time += ms;
    },
  };
}

/** The adapter, over HTTP, against the server that local mode has for ECS. */
async function createOverServer(): Promise<Made> {
  let time = START.getTime();
  const containers = new Map<string, (end: ProcessEnd) => void>();
  const stopped = new Set<string>();
  const tasks = createEcsTasks({
    cluster: 'holdfast',
    definitions: [{ family: 'check', containerName: RUNNER_CONTAINER, environment: {}, cpu: '256', memory: '512' }],
    clock: { now: () => new Date(time) },
    startContainer: ({ startedBy }) => {
      const { promise, resolve } = Promise.withResolvers<ProcessEnd>();
      containers.set(startedBy, resolve);
      return { ended: promise, signal: (signal) => resolve({ signal }) };
    },
    onStarted: () => undefined,
    onStopped: ({ startedBy }) => stopped.add(startedBy),
    stopTimeoutMs: HOUR,
  });
  const server = await startEcsServer(tasks);
  const client = new ECSClient({
    endpoint: server.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  closing.push(async () => {
    await tasks.close('over');
    client.destroy();
    await server.close();
  });
  return {
    launcher: createEcsTaskLauncher({
      client,
      clusterArn: clusterArn('holdfast'),
      taskDefinitions: { arm64: taskDefinitionArn('check') },
      subnetIds: ['subnet-1'],
      securityGroupIds: ['sg-1'],
      assignPublicIp: 'DISABLED',
    }),
    exit: async (runId) => {
      containers.get(runId)?.({ code: 0 });
      await expect.poll(() => stopped.has(runId)).toBe(true);
    },
    pass: (ms) => {
      time += ms;
    },
  };
}

const aRequest = (over: Partial<LaunchRequest> = {}): LaunchRequest => ({
  runId: 'run-1',
  stackId: 'prod/network',
  task: { cpu: 1024, memoryMiB: 2048, arch: 'arm64' },
  ...over,
});

describe.each(makers)('the $name task launcher', ({ create }) => {
  const launch = async ({ launcher }: Made, over: Partial<LaunchRequest> = {}): Promise<string> => {
    const outcome = await launcher.launch(aRequest(over));
    return outcome.kind === 'started' ? outcome.taskArn : expect.fail(outcome.reason);
  };

  it('starts a task that runs', async () => {
    const made = await create();
    expect(await made.launcher.describe(await launch(made))).toEqual({ kind: 'running' });
  });

  it('finds the task of a run that is launched again, and starts another for another run', async () => {
    const made = await create();
    const first = await launch(made);
    expect(await launch(made)).toBe(first);
    expect(await launch(made, { runId: 'run-2' })).not.toBe(first);
  });

  it('finds the task of a run that has ended meanwhile', async () => {
    const made = await create();
    const first = await launch(made);
    await made.exit('run-1');
    expect(await launch(made)).toBe(first);
  });

  it('tells how a task has ended', async () => {
    const made = await create();
    const taskArn = await launch(made);
    await made.exit('run-1');
    expect(await made.launcher.describe(taskArn)).toEqual({
      kind: 'stopped',
      end: {
        exitCode: 0,
        containerReason: null,
        stoppedReason: 'Essential container in task exited',
        stopCode: 'EssentialContainerExited',
      },
    });
  });

  it('stops a task, once, with the reason it was given', async () => {
    const made = await create();
    const taskArn = await launch(made);
    await made.launcher.stop(taskArn, 'holdfast: too late');
    await made.launcher.stop(taskArn, 'holdfast: again');
    await expect
      .poll(() => made.launcher.describe(taskArn))
      .toMatchObject({
        kind: 'stopped',
        end: { stopCode: 'UserInitiated', stoppedReason: 'holdfast: too late' },
      });
    await made.launcher.stop(taskArn, 'holdfast: once more');
  });

  it('knows no task that never was, and takes its stop for done', async () => {
    const { launcher } = await create();
    const taskArn = 'arn:aws:ecs:us-east-1:000000000000:task/holdfast/none';
    expect(await launcher.describe(taskArn)).toEqual({ kind: 'gone' });
    await launcher.stop(taskArn, 'holdfast: too late');
  });

  it('knows nothing of a task that ended over an hour ago', async () => {
    const made = await create();
    const taskArn = await launch(made);
    await made.exit('run-1');
    made.pass(HOUR + 1);
    expect(await made.launcher.describe(taskArn)).toEqual({ kind: 'gone' });
    await made.launcher.stop(taskArn, 'holdfast: too late');
  });
});
