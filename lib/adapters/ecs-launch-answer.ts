import { ConflictException, ECSServiceException, type RunTaskResponse } from '@aws-sdk/client-ecs';
import type { LaunchOutcome } from '../ports/task-launcher.ts';

/** Messages of what passes by itself. ECS wraps what EC2 says into other errors and into failures of good answers. */
const PASSING = [
  /^RESOURCE:/,
  /capacity is unavailable/i,
  /capacity limit exceeded/i,
  /limit on the number of \w+ you can run concurrently/i,
  /throttl/i,
  /rate exceeded/i,
  /request ?limit ?exceeded/i,
  /internal (server )?error/i,
  // The first task of an account makes ECS create the role, and comes too early for it.
  /service.linked role/i,
];

const PASSING_ERRORS: readonly string[] = [
  'ThrottlingException',
  'Throttling',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'LimitExceededException',
  'UpdateInProgressException',
  'ExpiredTokenException',
  'RequestExpired',
];

const NETWORK_ERRORS: readonly unknown[] = [
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
];

/** What an answer of `RunTask` means. A good one may hold failures instead of a task. */
export function judgeAnswer({ tasks, failures }: Pick<RunTaskResponse, 'tasks' | 'failures'>): LaunchOutcome {
  const taskArn = tasks?.[0]?.taskArn;
  if (taskArn !== undefined) return { kind: 'started', taskArn };
  if (failures === undefined || failures.length === 0) return retry('ECS answered with neither a task nor a failure');
  const reason = failures.map((failure) => [failure.reason, failure.detail].filter(Boolean).join(': ')).join('; ');
  return failures.every((failure) => passes(failure.reason ?? '')) ? retry(reason) : refused(reason);
}

/** What an error of `RunTask` means. Throws it again where it says nothing about the task. */
export function judgeError(error: unknown): LaunchOutcome {
  if (error instanceof ConflictException) return judgeConflict(error);
  if (error instanceof ECSServiceException) {
    const reason = `${error.name}: ${error.message}`;
    return isPassing(error) ? retry(reason) : refused(reason);
  }
  if (hasNoAnswer(error)) return retry(`ECS gave no answer: ${error.message}`);
  throw error;
}

/**
 * The token was used with another task definition, size or kind of capacity. Where that made a task, it is the run's; where
 * not, no request for this run will ever do.
 */
function judgeConflict({ resourceIds, message }: ConflictException): LaunchOutcome {
  const taskArn = resourceIds?.[0];
  return taskArn === undefined ? refused(`ConflictException: ${message}`) : { kind: 'started', taskArn };
}

function isPassing(error: ECSServiceException): boolean {
  if (error.$fault === 'server' || (error.$metadata.httpStatusCode ?? 0) >= 500) return true;
  return PASSING_ERRORS.includes(error.name) || passes(error.message);
}

/** The request or its answer got lost, or a gateway answered. The task may have started: asking again tells. */
function hasNoAnswer(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const isUnreadable = '$metadata' in error && error instanceof SyntaxError;
  return isUnreadable || error.name === 'TimeoutError' || ('code' in error && NETWORK_ERRORS.includes(error.code));
}

function passes(message: string): boolean {
  return PASSING.some((pattern) => pattern.test(message));
}

function retry(reason: string): LaunchOutcome {
  return { kind: 'retry', reason };
}

function refused(reason: string): LaunchOutcome {
  return { kind: 'refused', reason };
}
