import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { DescribeTasks, EcsError, ListTasks, RunTask, StopTask, taskAnswer } from './ecs-protocol.ts';
import type { EcsTasks } from './ecs-tasks.ts';

export interface EcsServer {
  /** Base URL, on the loopback interface. */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Answers the ECS API, as far as Holdfast calls it, in the protocol that the AWS SDK speaks (JSON 1.1). */
export async function startEcsServer(tasks: EcsTasks): Promise<EcsServer> {
  const server = createServer((request, response) => void answer(tasks, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(tasks: EcsTasks, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const operation = String(request.headers['x-amz-target']).replace(/^AmazonEC2ContainerServiceV20141113\./, '');
    const body = JSON.stringify(perform(tasks, operation, JSON.parse(await text(request))));
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
  } catch (error) {
    const { type, message, members } = asEcsError(error);
    const body = JSON.stringify({ __type: type, message, ...members });
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
  }
}

function asEcsError(error: unknown): EcsError {
  if (error instanceof EcsError) return error;
  if (error instanceof z.ZodError) return new EcsError('InvalidParameterException', z.prettifyError(error));
  return new EcsError('ServerException', String(error));
}

function perform(tasks: EcsTasks, operation: string, input: unknown): object {
  switch (operation) {
    case 'RunTask':
      return { tasks: [taskAnswer(tasks.run(RunTask.parse(input)))], failures: [] };
    case 'DescribeTasks':
      return describeTasks(tasks, DescribeTasks.parse(input).tasks);
    case 'StopTask': {
      const { task, reason } = StopTask.parse(input);
      return { task: taskAnswer(tasks.stop(task, reason)) };
    }
    case 'ListTasks':
      return listTasks(tasks, ListTasks.parse(input));
    default:
      throw new EcsError('UnknownOperationException', `${operation} is not emulated`);
  }
}

function describeTasks(tasks: EcsTasks, arns: readonly string[]): object {
  const found = arns.flatMap((arn) => tasks.find(arn) ?? []);
  const missing = arns.filter((arn) => tasks.find(arn) === undefined);
  return { tasks: found.map(taskAnswer), failures: missing.map((arn) => ({ arn, reason: 'MISSING' })) };
}

function listTasks(tasks: EcsTasks, filter: z.output<typeof ListTasks>): object {
  const { family, startedBy, desiredStatus } = filter;
  const fitting = tasks
    .list()
    .filter((task) => task.desiredStatus === desiredStatus)
    .filter((task) => startedBy === undefined || task.startedBy === startedBy)
    .filter((task) => family === undefined || task.taskDefinitionArn.includes(`:task-definition/${family}:`));
  return { taskArns: fitting.map(({ taskArn }) => taskArn) };
}
