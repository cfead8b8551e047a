import type { TaskSize } from '../domain/stack-spec.ts';
import type { TaskEnd } from '../domain/task-end.ts';

export type { TaskEnd };

export interface LaunchRequest {
  /** Also the idempotency token: launching the same run again finds the task of the first time. */
  readonly runId: string;
  readonly stackId: string;
  readonly task: TaskSize;
}

/**
 * `retry`: ECS has no room or no time right now (capacity, throttling, provisioning limits, in whatever shape it says
 * so). `refused`: it never will.
 */
export type LaunchOutcome =
  | { readonly kind: 'started'; readonly taskArn: string }
  | { readonly kind: 'retry'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string };

/** What is known of a task. `gone`: ECS has forgotten it, which it does an hour after the end. */
export type TaskStatus =
  | { readonly kind: 'running' }
  | { readonly kind: 'stopped'; readonly end: TaskEnd }
  | { readonly kind: 'gone' };

export interface TaskLauncher {
  launch(request: LaunchRequest): Promise<LaunchOutcome>;
  describe(taskArn: string): Promise<TaskStatus>;
  /** Idempotent. */
  stop(taskArn: string, reason: string): Promise<void>;
}
