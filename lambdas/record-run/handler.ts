import { type RecordedRun, type RecordRunDeps, recordRun } from '../../lib/app/record-run.ts';
import { RUNNER_CONTAINER } from '../../lib/contract/env.ts';
import { TaskStateEvent } from '../../lib/contract/task-state-event.ts';
import type { TaskEnd } from '../../lib/domain/task-end.ts';
import { emitRun } from '../shared/run-metrics.ts';
import { type Telemetry, withTelemetry } from '../shared/telemetry.ts';

export interface RecordRunHandlerDeps extends RecordRunDeps {
  readonly telemetry: Telemetry;
}

/** Target of `ECS Task State Change`: records the run of a task that has stopped. Other tasks are none of its business. */
export const createHandler = (deps: RecordRunHandlerDeps) =>
  withTelemetry(deps.telemetry).handler(async (event): Promise<RecordedRun> => {
    const { logger, metrics } = deps.telemetry;
    const { detail } = TaskStateEvent.parse(event);
    const end = endOf(detail);
    if (detail.startedBy === undefined || end === undefined) return { kind: 'unknown' };
    logger.appendKeys({ runId: detail.startedBy });
    const recorded = await recordRun(deps, { runId: detail.startedBy, ending: { kind: 'stopped', end } });
    logger.info('task stopped', { taskArn: detail.taskArn, ...end, recorded: recorded.kind });
    emitRun(metrics, recorded);
    return recorded;
  });

/** `undefined`: the task has not stopped, or is none of the runner's. */
function endOf({ lastStatus, stopCode, stoppedReason, containers }: TaskStateEvent['detail']): TaskEnd | undefined {
  const runner = containers.find(({ name }) => name === RUNNER_CONTAINER);
  if (lastStatus !== 'STOPPED' || runner === undefined) return undefined;
  return {
    exitCode: runner.exitCode ?? null,
    containerReason: runner.reason ?? null,
    stoppedReason: stoppedReason ?? null,
    stopCode: stopCode ?? null,
  };
}
