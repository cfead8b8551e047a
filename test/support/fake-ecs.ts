import type { TaskEnd } from '../../lib/domain/task-end.ts';
import type { LaunchOutcome, LaunchRequest, TaskLauncher } from '../../lib/ports/task-launcher.ts';

export interface FakeTask {
  readonly taskArn: string;
  readonly request: LaunchRequest;
  readonly startedAt: Date;
  /** Runs on when it is told to stop. */
  deaf: boolean;
  end: TaskEnd | null;
  endedAt: Date | null;
}

export interface FakeEcs extends TaskLauncher {
  readonly tasks: FakeTask[];
  /** Requests that ECS answered, in order. */
  readonly requests: LaunchRequest[];
  /** Answers instead of starting a task, until it is empty. */
  readonly refusals: Exclude<LaunchOutcome, { kind: 'started' }>[];
  /** Stacks that had two tasks at the same time. */
  readonly overlaps: string[];
  running(): FakeTask[];
  taskOf(runId: string): FakeTask;
  /** Ends a running task. */
  finish(task: FakeTask, end?: Partial<TaskEnd>): void;
}

export const EXITED: TaskEnd = {
  exitCode: 0,
  containerReason: null,
  stoppedReason: 'Essential container in task exited',
  stopCode: 'EssentialContainerExited',
};

const HOUR = 3_600_000;

/** ECS as its documentation has it: launches are idempotent by token, and ended tasks are forgotten after an hour. */
export function createFakeEcs(now: () => Date): FakeEcs {
  const tasks: FakeTask[] = [];
  const overlaps: string[] = [];
  const requests: LaunchRequest[] = [];
  const refusals: FakeEcs['refusals'] = [];
  const forgotten = ({ endedAt }: FakeTask) => endedAt !== null && now().getTime() - endedAt.getTime() > HOUR;
  const running = () => tasks.filter(({ end }) => end === null);
  const start = (request: LaunchRequest): FakeTask => {
    if (running().some((task) => task.request.stackId === request.stackId)) overlaps.push(request.stackId);
    const taskArn = `arn:aws:ecs:eu-west-1:111122223333:task/holdfast/${tasks.length + 1}`;
    const task: FakeTask = { taskArn, request, startedAt: now(), deaf: false, end: null, endedAt: null };
    tasks.push(task);
    return task;
  };
  const finish = (task: FakeTask, end: Partial<TaskEnd> = {}) => {
    task.end = { ...EXITED, ...end };
    task.endedAt = now();
  };
  return {
    tasks,
    requests,
    refusals,
    overlaps,
    running,
    finish,
    taskOf(runId) {
      const task = tasks.find(({ request }) => request.runId === runId);
      if (task === undefined) throw new TypeError(`no task of run ${runId}`);
      return task;
    },
    async launch(request) {
      requests.push(request);
      const refusal = refusals.shift();
      if (refusal !== undefined) return refusal;
      const known = tasks.find((task) => task.request.runId === request.runId && !forgotten(task));
      return { kind: 'started', taskArn: (known ?? start(request)).taskArn };
    },
    async describe(taskArn) {
      const task = tasks.find((candidate) => candidate.taskArn === taskArn);
      if (task === undefined || forgotten(task)) return { kind: 'gone' };
      return task.end === null ? { kind: 'running' } : { kind: 'stopped', end: task.end };
    },
    async stop(taskArn, reason) {
      const task = running().find((candidate) => candidate.taskArn === taskArn);
      if (task === undefined || task.deaf) return;
      finish(task, { exitCode: 137, stopCode: 'UserInitiated', stoppedReason: reason });
    },
  };
}
