import type { RunTaskRequest } from '@aws-sdk/client-ecs';
import { RUN_ID, RUNNER_CONTAINER, STACK_ID } from '../contract/env.ts';
import type { TaskSize } from '../domain/stack-spec.ts';
import type { LaunchRequest } from '../ports/task-launcher.ts';

/** Where tasks run, as the deployment has it. */
export interface EcsPlacement {
  /** With both Fargate capacity providers. */
  readonly clusterArn: string;
  /** By architecture; each with a container of the name `RUNNER_CONTAINER` without limits of its own. */
  readonly taskDefinitions: Readonly<Partial<Record<TaskSize['arch'], string>>>;
  readonly subnetIds: readonly string[];
  readonly securityGroupIds: readonly string[];
  readonly assignPublicIp: 'ENABLED' | 'DISABLED';
}

export type CapacityProvider = 'FARGATE_SPOT' | 'FARGATE';

/** The request that starts the task of a run. Overrides hold ids and sizes only: ECS limits them to 8 KiB. */
export function runTaskRequest(
  placement: EcsPlacement,
  taskDefinition: string,
  provider: CapacityProvider,
  { runId, stackId, task }: LaunchRequest,
): RunTaskRequest {
  const { clusterArn, subnetIds, securityGroupIds, assignPublicIp } = placement;
  return {
    cluster: clusterArn,
    taskDefinition,
    count: 1,
    clientToken: runId,
    startedBy: runId,
    capacityProviderStrategy: [{ capacityProvider: provider, weight: 1 }],
    networkConfiguration: {
      awsvpcConfiguration: { subnets: [...subnetIds], securityGroups: [...securityGroupIds], assignPublicIp },
    },
    overrides: {
      cpu: String(task.cpu),
      memory: String(task.memoryMiB),
      containerOverrides: [
        {
          name: RUNNER_CONTAINER,
          environment: [
            { name: RUN_ID, value: runId },
            { name: STACK_ID, value: stackId },
          ],
        },
      ],
    },
    propagateTags: 'TASK_DEFINITION',
    tags: [
      { key: 'holdfast:stack', value: stackId },
      { key: 'holdfast:run', value: runId },
    ],
  };
}
