import * as z from 'zod';

/** One task, from its start to an hour after its end; what ECS would say of it. */
export interface EcsTask {
  readonly taskArn: string;
  readonly clusterArn: string;
  readonly taskDefinitionArn: string;
  readonly startedBy: string;
  readonly cpu: string;
  readonly memory: string;
  readonly overrides: TaskOverrides;
  readonly containerName: string;
  readonly lastStatus: 'RUNNING' | 'STOPPED';
  readonly desiredStatus: 'RUNNING' | 'STOPPED';
  readonly createdAt: Date;
  readonly stoppedAt: Date | null;
  /** `null` where the container never ran, or nobody knows how it ended. */
  readonly exitCode: number | null;
  readonly stopCode: string | null;
  readonly stoppedReason: string | null;
  /** Counts changes, as consumers of events go by it. */
  readonly version: number;
}

const Setting = z.object({ name: z.string(), value: z.string() });

const Overrides = z.object({
  containerOverrides: z
    .array(
      z.object({
        name: z.string(),
        environment: z.array(Setting).default([]),
      }),
    )
    .default([]),
  cpu: z.string().exactOptional(),
  memory: z.string().exactOptional(),
});
export type TaskOverrides = z.output<typeof Overrides>;

const Cluster = z.string().default('default');

/** What is read of the requests. The rest (networks, tags) means nothing on a laptop. */
export const RunTask = z.object({
  cluster: Cluster,
  taskDefinition: z.string(),
  count: z.literal(1).default(1),
  startedBy: z.string().max(128).default(''),
  clientToken: z.string().max(64).exactOptional(),
  capacityProviderStrategy: z.array(z.object({ capacityProvider: z.string() })).default([]),
  overrides: Overrides.default({ containerOverrides: [] }),
});
export type RunTask = z.output<typeof RunTask>;

export const DescribeTasks = z.object({ cluster: Cluster, tasks: z.array(z.string()).min(1).max(100) });

export const StopTask = z.object({
  cluster: Cluster,
  task: z.string(),
  reason: z.string().max(1024).default('Task stopped by user'),
});

export const ListTasks = z.object({
  cluster: Cluster,
  family: z.string().exactOptional(),
  startedBy: z.string().exactOptional(),
  desiredStatus: z.enum(['RUNNING', 'STOPPED']).default('RUNNING'),
});

/** An error as ECS answers it. */
export class EcsError extends Error {
  readonly type: string;
  /** Further members of the answer. */
  readonly members: object;

  constructor(type: string, message: string, members: object = {}) {
    super(message);
    this.type = type;
    this.members = members;
  }
}

/** A task as the API shows it: times are seconds since 1970. */
export function taskAnswer(task: EcsTask): object {
  return describe(task, (time) => time.getTime() / 1000);
}

const ACCOUNT = '000000000000';
const REGION = 'us-east-1';

export const clusterArn = (name: string) => `arn:aws:ecs:${REGION}:${ACCOUNT}:cluster/${name}`;
export const taskDefinitionArn = (family: string) => `arn:aws:ecs:${REGION}:${ACCOUNT}:task-definition/${family}:1`;
export const taskArn = (cluster: string, id: string) => `arn:aws:ecs:${REGION}:${ACCOUNT}:task/${cluster}/${id}`;

/** What EventBridge delivers when a task changes: the task with ISO times under `detail`. */
export function stateChangeEvent(task: EcsTask, id: string): object {
  return {
    version: '0',
    id,
    'detail-type': 'ECS Task State Change',
    source: 'aws.ecs',
    account: ACCOUNT,
    time: (task.stoppedAt ?? task.createdAt).toISOString(),
    region: REGION,
    resources: [task.taskArn],
    detail: describe(task, (time) => time.toISOString()),
  };
}

function describe(task: EcsTask, formatTime: (time: Date) => string | number): object {
  const { exitCode, stopCode, stoppedReason, stoppedAt, createdAt, containerName, ...shared } = task;
  return {
    ...shared,
    createdAt: formatTime(createdAt),
    launchType: 'FARGATE',
    containers: [
      {
        containerArn: task.taskArn.replace(':task/', ':container/'),
        taskArn: task.taskArn,
        name: containerName,
        lastStatus: task.lastStatus,
        ...(exitCode !== null && { exitCode }),
      },
    ],
    ...(stopCode !== null && { stopCode }),
    ...(stoppedReason !== null && { stoppedReason }),
    ...(stoppedAt !== null && { stoppedAt: formatTime(stoppedAt), updatedAt: formatTime(stoppedAt) }),
  };
}
