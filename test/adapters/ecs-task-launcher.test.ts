import { ECSClient } from '@aws-sdk/client-ecs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEcsTaskLauncher, type EcsTaskLauncherOptions } from '../../lib/adapters/ecs-task-launcher.ts';
import type { LaunchRequest } from '../../lib/ports/task-launcher.ts';
import { type Answer, startAnsweringServer } from '../support/answering-server.ts';

let server: Awaited<ReturnType<typeof startAnsweringServer>>;
beforeAll(async () => {
  server = await startAnsweringServer();
});
beforeEach(() => server.answer());
afterAll(() => server.close());

const CLUSTER = 'arn:aws:ecs:eu-west-1:111122223333:cluster/holdfast';
const TASK = 'arn:aws:ecs:eu-west-1:111122223333:task/holdfast/0f1e';
const RUN = '01KJPX4ZZZ0000000000000001';

const launcher = ({ attempts = 1, endpoint = server.endpoint, ...over }: LauncherOverrides = {}) =>
  createEcsTaskLauncher({
    clusterArn: CLUSTER,
    taskDefinitions: { arm64: 'holdfast-arm64:7' },
    subnetIds: ['subnet-a', 'subnet-b'],
    securityGroupIds: ['sg-1'],
    assignPublicIp: 'ENABLED',
    client: new ECSClient({
      endpoint,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      maxAttempts: attempts,
    }),
    ...over,
  });

interface LauncherOverrides extends Partial<EcsTaskLauncherOptions> {
  readonly attempts?: number;
  readonly endpoint?: string;
}

const request: LaunchRequest = {
  runId: RUN,
  stackId: 'prod/network',
  task: { cpu: 1024, memoryMiB: 2048, arch: 'arm64' },
};

const json =
  (status: number, body: object): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
const started = json(200, { tasks: [{ taskArn: TASK, lastStatus: 'PROVISIONING' }], failures: [] });
const failing = (reason: string, more: object = {}): Answer =>
  json(200, { tasks: [], failures: [{ reason, ...more }] });
const error = (type: string, message: string, more: object = {}): Answer =>
  json(400, { __type: type, message, ...more });

const bodies = (): Record<string, unknown>[] => server.requests.map(({ body }) => JSON.parse(body));
const NO_SPOT = 'Capacity is unavailable at this time. Please try again later or in a different availability zone';

describe('launch', () => {
  it('asks for one task on Spot with the ids and the size of the run', async () => {
    server.answer(started);
    expect(await launcher().launch(request)).toEqual({ kind: 'started', taskArn: TASK });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers['x-amz-target']).toBe('AmazonEC2ContainerServiceV20141113.RunTask');
    expect(bodies()).toEqual([
      {
        cluster: CLUSTER,
        taskDefinition: 'holdfast-arm64:7',
        count: 1,
        clientToken: RUN,
        startedBy: RUN,
        capacityProviderStrategy: [{ capacityProvider: 'FARGATE_SPOT', weight: 1 }],
        networkConfiguration: {
          awsvpcConfiguration: {
            subnets: ['subnet-a', 'subnet-b'],
            securityGroups: ['sg-1'],
            assignPublicIp: 'ENABLED',
          },
        },
        overrides: {
          cpu: '1024',
          memory: '2048',
          containerOverrides: [
            {
              name: 'runner',
              environment: [
                { name: 'HOLDFAST_RUN_ID', value: RUN },
                { name: 'HOLDFAST_STACK_ID', value: 'prod/network' },
              ],
            },
          ],
        },
        propagateTags: 'TASK_DEFINITION',
        tags: [
          { key: 'holdfast:stack', value: 'prod/network' },
          { key: 'holdfast:run', value: RUN },
        ],
      },
    ]);
  });

  it('keeps overrides far below the limit of ECS, however long the id of the stack is', async () => {
    server.answer(started);
    await launcher().launch({ ...request, stackId: 's'.repeat(128) });
    expect(JSON.stringify(bodies()[0]?.overrides).length).toBeLessThan(512);
  });

  it('asks for nothing where there is no task definition for the architecture', async () => {
    const task = { ...request.task, arch: 'amd64' } as const;
    expect(await launcher().launch({ ...request, task })).toEqual({
      kind: 'refused',
      reason: 'there is no task definition for amd64',
    });
    expect(server.requests).toEqual([]);
  });

  it.each([
    { what: 'no CPU', answer: failing('RESOURCE:CPU') },
    { what: 'no memory', answer: failing('RESOURCE:MEMORY', { arn: 'arn:aws:ecs:…', detail: null }) },
    { what: 'no network interface', answer: failing('RESOURCE:ENI') },
    {
      what: 'too many tasks',
      answer: failing("You've reached the limit on the number of tasks you can run concurrently"),
    },
    {
      what: 'too many CPUs',
      answer: failing('You’ve reached the limit on the number of vCPUs you can run concurrently.'),
    },
    { what: 'a fault inside', answer: failing('Internal error.') },
    { what: 'a throttled EC2', answer: failing('Rate exceeded (Service: AmazonEC2; Status Code: 503)') },
    { what: 'neither task nor failure', answer: json(200, { tasks: [], failures: [] }) },
    { what: 'nothing at all', answer: json(200, {}) },
    { what: 'throttling', answer: error('ThrottlingException', 'Rate exceeded') },
    { what: 'throttling in a namespace', answer: error('com.amazonaws.ecs#ThrottlingException', 'Rate exceeded.') },
    {
      what: 'throttling of EC2 within a bad request',
      answer: error(
        'InvalidParameterException',
        'Error retrieving subnet information for [subnet-a]: Rate exceeded (ErrorCode: Throttling)',
      ),
    },
    {
      what: 'a limit of EC2 within a bad request',
      answer: error(
        'InvalidParameterException',
        'Error retrieving security group information for [sg-1]: Request limit exceeded. (ErrorCode: RequestLimitExceeded)',
      ),
    },
    {
      what: 'a limit as an error',
      answer: error('LimitExceededException', 'The limit for the resource was exceeded.'),
    },
    {
      what: 'a full cluster as an error',
      answer: error('ClientException', 'Tasks provisioning capacity limit exceeded.'),
    },
    { what: 'no capacity as an error', answer: error('ClientException', NO_SPOT) },
    {
      what: 'a role that is being made',
      answer: error(
        'InvalidParameterException',
        'Unable to assume the service linked role. Please verify that the ECS service linked role exists.',
      ),
    },
    { what: 'a faulty server', answer: json(500, { __type: 'ServerException', message: 'Service Unavailable' }) },
    { what: 'a gateway that answers no JSON', answer: (response) => response.writeHead(503).end('<html>busy</html>') },
    { what: 'half an answer', answer: (response) => response.end('{"tasks":[{"taskA') },
    { what: 'a connection that breaks', answer: (response) => response.destroy() },
  ] satisfies { what: string; answer: Answer }[])('puts off a launch that meets $what', async ({ answer }) => {
    server.answer(answer);
    expect(await launcher().launch(request)).toEqual({ kind: 'retry', reason: expect.stringMatching(/\w/) });
  });

  it.each([
    {
      what: 'a task that is too large for the account',
      answer: failing('The requested CPU configuration is above your limit.'),
    },
    { what: 'an inactive task definition', answer: failing('INACTIVE') },
    { what: 'a failure nobody knows', answer: failing('MISSING', { detail: 'task definition' }) },
    {
      what: 'one failure that passes and one that does not',
      answer: json(200, { tasks: [], failures: [{ reason: 'RESOURCE:CPU' }, { reason: 'ATTRIBUTE' }] }),
    },
    { what: 'a failure without a reason', answer: json(200, { tasks: [], failures: [{}] }) },
    { what: 'a missing task definition', answer: error('ClientException', 'TaskDefinition not found.') },
    {
      what: 'a bad request',
      answer: error('InvalidParameterException', 'No Fargate configuration exists for given values.'),
    },
    {
      what: 'no permission',
      answer: error('AccessDeniedException', 'User: … is not authorized to perform: ecs:RunTask'),
    },
    { what: 'a blocked account', answer: error('BlockedException', 'Your account is currently blocked.') },
    { what: 'no cluster', answer: error('ClusterNotFoundException', 'Cluster not found.') },
    { what: 'an unknown platform', answer: error('PlatformUnknownException', 'The platform version does not exist.') },
    { what: 'a token that made no task', answer: error('ConflictException', 'in use', { resourceIds: [] }) },
    { what: 'an unsupported feature', answer: error('UnsupportedFeatureException', 'not supported in this Region') },
  ] satisfies { what: string; answer: Answer }[])('gives up a launch that meets $what', async ({ answer }) => {
    server.answer(answer);
    expect(await launcher().launch(request)).toEqual({ kind: 'refused', reason: expect.any(String) });
    expect(server.requests).toHaveLength(1);
  });

  it('names the reasons of ECS', async () => {
    server.answer(json(200, { tasks: [], failures: [{ reason: 'ATTRIBUTE', detail: 'arm64' }, { reason: 'AGENT' }] }));
    expect(await launcher().launch(request)).toMatchObject({ reason: 'ATTRIBUTE: arm64; AGENT' });
    server.answer(error('BlockedException', 'Your account is currently blocked.'));
    expect(await launcher().launch(request)).toMatchObject({
      reason: 'BlockedException: Your account is currently blocked.',
    });
  });

  it('takes a task for started that comes with failures', async () => {
    server.answer(json(200, { tasks: [{ taskArn: TASK }], failures: [{ reason: 'RESOURCE:CPU' }] }));
    expect(await launcher().launch(request)).toEqual({ kind: 'started', taskArn: TASK });
  });

  it('puts off a launch while ECS can not be reached', async () => {
    const gone = await startAnsweringServer();
    await gone.close();
    expect(await launcher({ endpoint: gone.endpoint }).launch(request)).toEqual({
      kind: 'retry',
      reason: expect.stringContaining('ECS gave no answer'),
    });
  });

  it('puts off a launch that ECS does not answer in time', async () => {
    server.answer(() => undefined);
    const client = new ECSClient({
      endpoint: server.endpoint,
      region: 'eu-west-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
      maxAttempts: 1,
      requestHandler: { socketTimeout: 20 },
    });
    expect(await launcher({ client }).launch(request)).toMatchObject({ kind: 'retry' });
  });

  it('fails where it has no credentials, which says nothing about the run', async () => {
    const client = new ECSClient({
      endpoint: server.endpoint,
      region: 'eu-west-1',
      credentials: async () => {
        throw new TypeError('no credentials');
      },
    });
    await expect(launcher({ client }).launch(request)).rejects.toThrow('no credentials');
  });

  it('repeats a throttled request with the same token', async () => {
    server.answer(error('ThrottlingException', 'Rate exceeded'), started);
    expect(await launcher({ attempts: 2 }).launch(request)).toEqual({ kind: 'started', taskArn: TASK });
    expect(bodies().map(({ clientToken }) => clientToken)).toEqual([RUN, RUN]);
  });
});

describe('launch, where Spot has no capacity', () => {
  it.each([
    { shape: 'a failure', answer: failing(NO_SPOT) },
    { shape: 'an error', answer: error('ClientException', NO_SPOT) },
  ])('goes on-demand on $shape, with the same token', async ({ answer }) => {
    server.answer(answer, started);
    expect(await launcher().launch(request)).toEqual({ kind: 'started', taskArn: TASK });
    const [spot, onDemand] = bodies();
    expect(spot).toMatchObject({ capacityProviderStrategy: [{ capacityProvider: 'FARGATE_SPOT', weight: 1 }] });
    expect(onDemand).toEqual({ ...spot, capacityProviderStrategy: [{ capacityProvider: 'FARGATE', weight: 1 }] });
  });

  it('puts the launch off where on-demand has none either', async () => {
    server.answer(failing(NO_SPOT));
    expect(await launcher().launch(request)).toEqual({ kind: 'retry', reason: NO_SPOT });
    expect(server.requests).toHaveLength(2);
  });

  it('puts the launch off where on-demand is not to be had by the same token', async () => {
    server.answer(failing(NO_SPOT), error('ConflictException', 'clientToken is already in use', { resourceIds: [] }));
    expect(await launcher().launch(request)).toEqual({ kind: 'retry', reason: NO_SPOT });
  });

  it('finds the task that an earlier launch has started on-demand', async () => {
    server.answer(error('ConflictException', 'clientToken is already in use', { resourceIds: [TASK] }));
    expect(await launcher().launch(request)).toEqual({ kind: 'started', taskArn: TASK });
    expect(server.requests).toHaveLength(1);
  });

  it('does not go on-demand for want of quota or time', async () => {
    for (const answer of [
      failing("You've reached the limit on the number of vCPUs you can run concurrently"),
      error('ThrottlingException', 'Rate exceeded'),
    ]) {
      server.answer(answer);
      expect(await launcher().launch(request)).toMatchObject({ kind: 'retry' });
      expect(server.requests).toHaveLength(1);
    }
  });

  it('asks for on-demand at once where Spot is not wanted', async () => {
    server.answer(started);
    await launcher({ capacity: 'on-demand' }).launch(request);
    expect(bodies()).toMatchObject([{ capacityProviderStrategy: [{ capacityProvider: 'FARGATE', weight: 1 }] }]);
  });
});

describe('describe', () => {
  const status = (task: object): Answer => json(200, { tasks: [{ taskArn: TASK, ...task }], failures: [] });

  it.each(['PROVISIONING', 'PENDING', 'ACTIVATING', 'RUNNING', 'DEACTIVATING', 'STOPPING'])(
    'takes a task in %s for running',
    async (lastStatus) => {
      server.answer(status({ lastStatus, containers: [{ name: 'runner', lastStatus }] }));
      expect(await launcher().describe(TASK)).toEqual({ kind: 'running' });
      expect(bodies()).toEqual([{ cluster: CLUSTER, tasks: [TASK] }]);
    },
  );

  it.each(['DEPROVISIONING', 'STOPPED'])('tells the end of a task in %s by its own container', async (lastStatus) => {
    server.answer(
      status({
        lastStatus,
        stopCode: 'EssentialContainerExited',
        stoppedReason: 'Essential container in task exited',
        containers: [
          { name: 'log-router', exitCode: 0, reason: 'sidecar' },
          { name: 'runner', exitCode: 137, reason: 'OutOfMemoryError: Container killed due to memory usage' },
        ],
      }),
    );
    expect(await launcher().describe(TASK)).toEqual({
      kind: 'stopped',
      end: {
        exitCode: 137,
        containerReason: 'OutOfMemoryError: Container killed due to memory usage',
        stoppedReason: 'Essential container in task exited',
        stopCode: 'EssentialContainerExited',
      },
    });
  });

  it.each<{ what: string; containers: { name: string; exitCode?: number; reason?: string }[] | undefined }>([
    {
      what: 'whose container never ran',
      containers: [{ name: 'runner', reason: 'CannotPullContainerError: pull image manifest' }],
    },
    { what: 'of which only a sidecar exited', containers: [{ name: 'log-router', exitCode: 0 }] },
    { what: 'without containers', containers: undefined },
  ])('knows no exit code of a task $what', async ({ containers }) => {
    server.answer(status({ lastStatus: 'STOPPED', containers }));
    expect(await launcher().describe(TASK)).toEqual({
      kind: 'stopped',
      end: { exitCode: null, containerReason: containers?.[0]?.reason ?? null, stoppedReason: null, stopCode: null },
    });
  });

  it('knows when a task is gone', async () => {
    server.answer(json(200, { tasks: [], failures: [{ arn: TASK, reason: 'MISSING' }] }));
    expect(await launcher().describe(TASK)).toEqual({ kind: 'gone' });
  });

  it('fails where ECS does not say, and never takes that for gone', async () => {
    server.answer(json(200, { tasks: [], failures: [{ arn: TASK, reason: 'THROTTLED' }] }));
    await expect(launcher().describe(TASK)).rejects.toThrow(
      expect.objectContaining({ code: 'ServiceFailed', message: expect.stringContaining('THROTTLED') }),
    );
    server.answer(json(200, {}));
    await expect(launcher().describe(TASK)).rejects.toThrow(expect.objectContaining({ code: 'ServiceFailed' }));
    server.answer(error('ThrottlingException', 'Rate exceeded'));
    await expect(launcher().describe(TASK)).rejects.toThrow('Rate exceeded');
  });
});

describe('stop', () => {
  it('stops the task with a reason of at most 255 characters', async () => {
    server.answer(json(200, { task: { taskArn: TASK } }));
    await launcher().stop(TASK, 'r'.repeat(300));
    expect(bodies()).toEqual([{ cluster: CLUSTER, task: TASK, reason: 'r'.repeat(255) }]);
  });

  it('takes a task that ECS does not know for stopped', async () => {
    server.answer(error('InvalidParameterException', 'The referenced task was not found.'));
    await launcher().stop(TASK, 'late');
    expect(server.requests).toHaveLength(1);
  });

  it('fails where ECS refuses', async () => {
    server.answer(error('InvalidParameterException', 'Task Identifier is invalid'));
    await expect(launcher().stop(TASK, 'late')).rejects.toThrow('Task Identifier is invalid');
  });
});
