import {
  DescribeTasksCommand,
  ECSClient,
  InvalidParameterException,
  RunTaskCommand,
  StopTaskCommand,
  type Task,
} from '@aws-sdk/client-ecs';
import { RUNNER_CONTAINER } from '../contract/env.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { TaskEnd } from '../domain/task-end.ts';
import type { LaunchOutcome, LaunchRequest, TaskLauncher, TaskStatus } from '../ports/task-launcher.ts';
import { judgeAnswer, judgeError } from './ecs-launch-answer.ts';
import { type CapacityProvider, type EcsPlacement, runTaskRequest } from './ecs-run-task.ts';

export interface EcsTaskLauncherOptions extends EcsPlacement {
  /**
   * `spot-first`: on Fargate Spot, and on-demand while Spot has no capacity.
   *
   * @default spot-first
   */
  readonly capacity?: 'spot-first' | 'on-demand';
  readonly client?: ECSClient;
}

/** Starts each run as one Fargate task; finds it again for a day, or for an hour after its end. */
export function createEcsTaskLauncher({
  capacity = 'spot-first',
  client = new ECSClient({}),
  ...placement
}: EcsTaskLauncherOptions): TaskLauncher {
  const { clusterArn: cluster } = placement;
  const launchOn = async (provider: CapacityProvider, request: LaunchRequest): Promise<LaunchOutcome> => {
    const taskDefinition = placement.taskDefinitions[request.task.arch];
    if (taskDefinition === undefined) {
      return { kind: 'refused', reason: `there is no task definition for ${request.task.arch}` };
    }
    try {
      return judgeAnswer(
        await client.send(new RunTaskCommand(runTaskRequest(placement, taskDefinition, provider, request))),
      );
    } catch (error) {
      return judgeError(error);
    }
  };
  return {
    launch: async (request) => {
      if (capacity === 'on-demand') return launchOn('FARGATE', request);
      const onSpot = await launchOn('FARGATE_SPOT', request);
      if (!lacksCapacity(onSpot)) return onSpot;
      // The weights of a strategy only divide tasks, they never make up for a provider that has no room. The token is the
      // same, so that a task that was started this way conflicts with the next request for Spot and is found by that.
      const onDemand = await launchOn('FARGATE', request);
      return onDemand.kind === 'started' ? onDemand : onSpot;
    },
    describe: async (taskArn) => {
      const { tasks, failures } = await client.send(new DescribeTasksCommand({ cluster, tasks: [taskArn] }));
      return toStatus(tasks?.[0], failures?.[0]?.reason, taskArn);
    },
    stop: async (taskArn, reason) => {
      try {
        await client.send(new StopTaskCommand({ cluster, task: taskArn, reason: reason.slice(0, MOST_REASON) }));
      } catch (error) {
        if (!isUnknownTask(error)) throw error;
      }
    },
  };
}

const MOST_REASON = 255;

function lacksCapacity(outcome: LaunchOutcome): boolean {
  return outcome.kind === 'retry' && /capacity is unavailable/i.test(outcome.reason);
}

function toStatus(task: Task | undefined, failure: string | undefined, taskArn: string): TaskStatus {
  if (task === undefined) {
    if (failure === 'MISSING') return { kind: 'gone' };
    throw new HoldfastError('ServiceFailed', `ECS does not say how ${taskArn} is: ${failure ?? 'empty answer'}`);
  }
  // From DEPROVISIONING on the containers are at their end and their exit codes known.
  const isOver = task.lastStatus === 'DEPROVISIONING' || task.lastStatus === 'STOPPED';
  return isOver ? { kind: 'stopped', end: toEnd(task) } : { kind: 'running' };
}

function toEnd({ containers, stoppedReason, stopCode }: Task): TaskEnd {
  const runner = containers?.find(({ name }) => name === RUNNER_CONTAINER);
  return {
    exitCode: runner?.exitCode ?? null,
    containerReason: runner?.reason ?? null,
    stoppedReason: stoppedReason ?? null,
    stopCode: stopCode ?? null,
  };
}

function isUnknownTask(error: unknown): boolean {
  return error instanceof InvalidParameterException && /task was not found/i.test(error.message);
}
