import * as z from 'zod';
import type { EcsPlacement } from '../../lib/adapters/ecs-run-task.ts';
import {
  ASSIGN_PUBLIC_IP,
  CLUSTER_ARN,
  SECURITY_GROUP_IDS,
  SUBNET_IDS,
  TASK_DEFINITIONS,
} from '../../lib/contract/env.ts';
import { type Env, requireEnv, requireOneOf } from './env.ts';

const TaskDefinitions = z.object({ arm64: z.string().exactOptional(), amd64: z.string().exactOptional() });

/** Where infrastructure wants the tasks. */
export function readPlacement(env: Env = process.env): EcsPlacement {
  return {
    clusterArn: requireEnv(CLUSTER_ARN, env),
    taskDefinitions: TaskDefinitions.parse(JSON.parse(requireEnv(TASK_DEFINITIONS, env))),
    subnetIds: requireEnv(SUBNET_IDS, env).split(','),
    securityGroupIds: requireEnv(SECURITY_GROUP_IDS, env).split(','),
    assignPublicIp: requireOneOf(ASSIGN_PUBLIC_IP, ['ENABLED', 'DISABLED'], env),
  };
}
