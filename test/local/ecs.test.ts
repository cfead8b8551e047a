import {
  DescribeTasksCommand,
  ECSClient,
  ListTasksCommand,
  RunTaskCommand,
  StopTaskCommand,
} from '@aws-sdk/client-ecs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEcsTaskLauncher } from '../../lib/adapters/ecs-task-launcher.ts';
import { TaskStateEvent } from '../../lib/contract/task-state-event.ts';
import type { ProcessEnd } from '../../lib/domain/engine-failure.ts';
import { type EcsTask, stateChangeEvent } from '../../lib/local/ecs-protocol.ts';
import { startEcsServer } from '../../lib/local/ecs-server.ts';
import { createEcsTasks, type EcsTasksDeps } from '../../lib/local/ecs-tasks.ts';

const REQUEST = {
  runId: '01KJPX4ZZZ0000000000000001',
  stackId: 'prod/network',
  task: { cpu: 512, memoryMiB: 1024, arch: 'arm64' },
} as const;

interface Started {
  readonly environment: Readonly<Record<string, string>>;
  readonly signals: string[];
  end(end: ProcessEnd): void;
  fail(error: Error): void;
}

/** An ECS whose containers do what the test says, and the SDK's own client for it. */
async function anEcs(over: Partial<EcsTasksDeps> = {}) {
  const containers: Started[] = [];
  const stopped: EcsTask[] = [];
  const time = { now: Date.parse('2026-03-02T09:00:00.000Z') };
  const tasks = createEcsTasks({
    cluster: 'holdfast',
    definitions: [
      {
        family: 'check',
        containerName: 'runner',
        environment: { MODE: 'check', STACK: 'none' },
        cpu: '1024',
        memory: '2048',
      },
      { family: 'sync', containerName: 'runner', environment: { MODE: 'sync' }, cpu: '256', memory: '512' },
    ],
    clock: { now: () => new Date(time.now) },
    startContainer: (_, environment) => {
      const { promise: ended, resolve, reject } = Promise.withResolvers<ProcessEnd>();
      const signals: string[] = [];
      containers.push({ environment, signals, end: resolve, fail: reject });
      return { ended, signal: (signal) => void signals.push(signal) };
    },
    onStarted: () => {},
    onStopped: (task) => stopped.push(task),
    stopTimeoutMs: 60_000,
    ...over,
  });
  const server = await startEcsServer(tasks);
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const client = new ECSClient({ endpoint: server.endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
  onTestFinished(async () => {
    client.destroy();
    await server.close();
  });
  const launcher = createEcsTaskLauncher({
    clusterArn: 'arn:aws:ecs:us-east-1:000000000000:cluster/holdfast',
    taskDefinitions: { arm64: 'check' },
    subnetIds: ['subnet-1'],
    securityGroupIds: ['sg-1'],
    assignPublicIp: 'DISABLED',
    client,
  });
  const launch = async (): Promise<string> => {
    const outcome = await launcher.launch(REQUEST);
    if (outcome.kind !== 'started') throw new Error(outcome.reason);
    return outcome.taskArn;
  };
  const until = (state: number) => vi.waitFor(() => expect(stopped).toHaveLength(state));
  return { tasks, server, client, launcher, launch, containers, stopped, time, until };
}

const run = (over: object = {}) => new RunTaskCommand({ cluster: 'holdfast', taskDefinition: 'check', ...over });

describe('the ECS of the local mode', () => {
  it('starts a container with the environment of the definition and what overrides it', async () => {
    const { client, containers } = await anEcs();
    const environment = [{ name: 'STACK', value: 'prod/network' }];
    await client.send(run({ overrides: { containerOverrides: [{ name: 'runner', environment }] } }));

    expect(containers[0]?.environment).toEqual({ MODE: 'check', STACK: 'prod/network' });
  });

  it('starts a run once, however often it is launched', async () => {
    const { launch, containers } = await anEcs();

    expect(await launch()).toBe(await launch());
    expect(containers).toHaveLength(1);
  });

  it('takes the same token with other parameters for a conflict, and names the task', async () => {
    const { client, launch } = await anEcs();
    const taskArn = await launch();

    await expect(client.send(run({ clientToken: REQUEST.runId }))).rejects.toMatchObject({
      name: 'ConflictException',
      resourceIds: [taskArn],
    });
  });

  it('tells how a task is', async () => {
    const { client, launch } = await anEcs();
    const taskArn = await launch();
    const { tasks = [], failures } = await client.send(
      new DescribeTasksCommand({ cluster: 'holdfast', tasks: [taskArn] }),
    );

    expect(failures).toEqual([]);
    expect(tasks).toEqual([
      expect.objectContaining({
        taskArn,
        startedBy: REQUEST.runId,
        lastStatus: 'RUNNING',
        cpu: '512',
        memory: '1024',
        createdAt: new Date('2026-03-02T09:00:00.000Z'),
        containers: [expect.objectContaining({ name: 'runner', lastStatus: 'RUNNING' })],
      }),
    ]);
  });

  it.each<[ProcessEnd, number]>([
    [{ code: 0 }, 0],
    [{ code: 3 }, 3],
    [{ signal: 'SIGKILL' }, 137],
    [{ signal: 'SIGTERM' }, 143],
  ])('tells of a container that ended with %j by exit code %d', async (end, exitCode) => {
    const { launch, launcher, containers, until } = await anEcs();
    const taskArn = await launch();
    containers[0]?.end(end);
    await until(1);

    expect(await launcher.describe(taskArn)).toEqual({
      kind: 'stopped',
      end: {
        exitCode,
        containerReason: null,
        stoppedReason: 'Essential container in task exited',
        stopCode: 'EssentialContainerExited',
      },
    });
  });

  it('tells of a container that could not be started, without an exit code', async () => {
    const { launch, launcher, containers, until } = await anEcs();
    const taskArn = await launch();
    containers[0]?.fail(new Error('spawn ENOENT'));
    await until(1);

    expect(await launcher.describe(taskArn)).toMatchObject({
      end: { exitCode: null, stopCode: 'TaskFailedToStart', stoppedReason: 'CannotStartContainerError: spawn ENOENT' },
    });
  });

  it('publishes the end of a task in the form that the recorder reads', async () => {
    const { launch, containers, stopped, until } = await anEcs();
    const taskArn = await launch();
    containers[0]?.end({ code: 0 });
    await until(1);
    const event = stateChangeEvent(stopped[0] as EcsTask, 'event-1');

    expect(TaskStateEvent.parse(event).detail).toEqual({
      taskArn,
      lastStatus: 'STOPPED',
      startedBy: REQUEST.runId,
      stopCode: 'EssentialContainerExited',
      stoppedReason: 'Essential container in task exited',
      containers: [{ name: 'runner', exitCode: 0 }],
    });
    expect(event).toMatchObject({
      time: '2026-03-02T09:00:00.000Z',
      detail: { stoppedAt: '2026-03-02T09:00:00.000Z' },
    });
  });

  it('stops a task by a signal, says who did, and does it once', async () => {
    const { launch, launcher, containers, until } = await anEcs();
    const taskArn = await launch();
    await launcher.stop(taskArn, 'too late');
    await launcher.stop(taskArn, 'much too late');
    expect(containers[0]?.signals).toEqual(['SIGTERM']);
    expect(await launcher.describe(taskArn)).toEqual({ kind: 'running' });
    containers[0]?.end({ code: 0 });
    await until(1);

    expect(await launcher.describe(taskArn)).toMatchObject({
      kind: 'stopped',
      end: { exitCode: 0, stopCode: 'UserInitiated', stoppedReason: 'too late' },
    });
  });

  it('kills what does not end', async () => {
    const { launch, launcher, containers } = await anEcs({ stopTimeoutMs: 1 });
    await launcher.stop(await launch(), 'too late');

    await vi.waitFor(() => expect(containers[0]?.signals).toEqual(['SIGTERM', 'SIGKILL']));
    containers[0]?.end({ signal: 'SIGKILL' });
  });

  it('remembers a task for an hour after its end', async () => {
    const { launch, launcher, containers, time, until } = await anEcs();
    const taskArn = await launch();
    containers[0]?.end({ code: 0 });
    await until(1);
    time.now += 60 * 60_000;
    expect(await launcher.describe(taskArn)).toMatchObject({ kind: 'stopped' });
    time.now += 1;

    expect(await launcher.describe(taskArn)).toEqual({ kind: 'gone' });
    expect(await launch()).not.toBe(taskArn);
  });

  it('lists tasks by family, starter and status', async () => {
    const { client, launch, containers, until } = await anEcs();
    const check = await launch();
    const { tasks = [] } = await client.send(run({ taskDefinition: 'sync:1' }));
    const sync = tasks[0]?.taskArn;
    const list = async (filter: object) =>
      (await client.send(new ListTasksCommand({ cluster: 'holdfast', ...filter }))).taskArns;

    expect(await list({})).toEqual([check, sync]);
    expect(await list({ family: 'sync' })).toEqual([sync]);
    expect(await list({ startedBy: REQUEST.runId })).toEqual([check]);
    containers[1]?.end({ code: 0 });
    await until(1);
    expect(await list({})).toEqual([check]);
    expect(await list({ desiredStatus: 'STOPPED' })).toEqual([sync]);
  });

  it('refuses overrides that are too long, as ECS does', async () => {
    const { client, containers } = await anEcs();
    const environment = [{ name: 'STACK', value: 'x'.repeat(8192) }];

    await expect(
      client.send(run({ overrides: { containerOverrides: [{ name: 'runner', environment }] } })),
    ).rejects.toMatchObject({ name: 'InvalidParameterException' });
    expect(containers).toEqual([]);
  });

  it.each([
    [{ cluster: 'other' }, 'ClusterNotFoundException'],
    [{ taskDefinition: 'other' }, 'ClientException'],
    [{ count: 2 }, 'InvalidParameterException'],
  ])('refuses to run %j', async (over, name) => {
    const { client } = await anEcs();

    await expect(client.send(run(over))).rejects.toMatchObject({ name });
  });

  it('does not know a task that never was', async () => {
    const { launcher, client } = await anEcs();
    const taskArn = 'arn:aws:ecs:us-east-1:000000000000:task/holdfast/0';

    expect(await launcher.describe(taskArn)).toEqual({ kind: 'gone' });
    await expect(client.send(new StopTaskCommand({ cluster: 'holdfast', task: taskArn }))).rejects.toMatchObject({
      name: 'InvalidParameterException',
      message: 'The referenced task was not found.',
    });
  });

  it('refuses an operation that it does not know', async () => {
    const { server } = await anEcs();
    const headers = { 'x-amz-target': 'AmazonEC2ContainerServiceV20141113.DeleteCluster' };
    const response = await fetch(server.endpoint, { method: 'POST', headers, body: '{}' });

    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ __type: 'UnknownOperationException' });
  });

  it('answers a request that is no JSON', async () => {
    const { server } = await anEcs();

    expect((await fetch(server.endpoint, { method: 'POST', body: 'hello' })).status).toBe(400);
  });

  it('stops all tasks when it is closed, waits for them, and starts none any more', async () => {
    const { tasks, client, launch, containers, stopped } = await anEcs();
    await launch();
    const closed = tasks.close('the end');
    expect(containers[0]?.signals).toEqual(['SIGTERM']);
    containers[0]?.end({ code: 0 });
    await closed;

    expect(stopped).toEqual([expect.objectContaining({ stopCode: 'TerminationNotice', stoppedReason: 'the end' })]);
    await expect(client.send(run())).rejects.toMatchObject({ name: 'ClusterNotFoundException' });
  });
});
