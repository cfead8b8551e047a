import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createHandler } from '../../lambdas/record-run/handler.ts';
import type { CheckResult } from '../../lib/domain/finding.ts';
import { clean, createPipelineWorld, drifted, STACK } from '../support/pipeline-world.ts';
import { createTestTelemetry, lambdaContext } from '../support/telemetry.ts';

const STOPPED = JSON.parse(
  readFileSync(new URL('../fixtures/events/ecs-task-stopped.json', import.meta.url), 'utf8'),
) as { readonly detail: { readonly containers: readonly object[] } & Record<string, unknown> };

const [sidecar = {}, runner = {}] = STOPPED.detail.containers;

const eventOf = (detail: Record<string, unknown>) => ({ ...STOPPED, detail: { ...STOPPED.detail, ...detail } });

/** A task that runs, and a handler that hears of its end; `null`: it left no result. */
async function setup(result: CheckResult | null = clean()) {
  const world = await createPipelineWorld();
  await world.tick();
  const [task] = world.ecs.running();
  if (task === undefined) throw new TypeError('no task was started');
  if (result !== null) await world.report(task, result);
  const telemetry = createTestTelemetry();
  const handler = createHandler({ ...world.deps, telemetry });
  const invoke = (event: unknown) => handler(event, lambdaContext('record-run'));
  const failure = async () => {
    const [run] = await world.runsOf();
    return run?.outcome?.kind === 'lost' ? run.outcome.failure : undefined;
  };
  return { world, telemetry, invoke, failure };
}

describe('record-run', () => {
  it('records the run of a task that has stopped', async () => {
    const { world, telemetry, invoke } = await setup(drifted());
    expect(await invoke(STOPPED)).toMatchObject({ kind: 'recorded', runId: 'run-000001', stackId: STACK, first: true });
    expect(world.eventTypes()).toEqual(['drift.detected']);
    expect(telemetry.lines()).toMatchObject([
      { message: 'task stopped', runId: 'run-000001', recorded: 'recorded', exitCode: 0 },
    ]);
  });

  it('emits the metrics of a run once, by its verdict', async () => {
    const { telemetry, invoke } = await setup(drifted());
    await invoke(STOPPED);
    await invoke(STOPPED);
    expect(telemetry.emitted()).toEqual({ 'ChecksFinished drifted': [1], 'CheckDuration drifted': [12_400] });
  });

  it('emits a run without a result as lost', async () => {
    const { telemetry, invoke } = await setup(null);
    await invoke(STOPPED);
    expect(telemetry.emitted()).toEqual({ RunsLost: [1], 'ChecksFinished lost': [1] });
  });

  it('looks at the container of the runner only', async () => {
    const { invoke, failure } = await setup(null);
    await invoke(eventOf({ containers: [sidecar, { ...runner, exitCode: 1, reason: 'it fell over' }] }));
    expect(await failure()).toMatchObject({ code: 'UnexpectedExit', message: expect.stringContaining('it fell over') });
  });

  it('never takes a missing exit code for 0', async () => {
    const { invoke, failure } = await setup(null);
    const { exitCode: _exitCode, ...unstarted } = { exitCode: 0, ...runner };
    await invoke(
      eventOf({
        containers: [{ ...unstarted, reason: 'CannotPullContainerError: not found' }],
        stopCode: undefined,
        stoppedReason: undefined,
      }),
    );
    expect(await failure()).toMatchObject({
      code: 'TaskNotStarted',
      message: 'the runner never ran: CannotPullContainerError: not found',
    });
  });

  it('knows a Spot interruption', async () => {
    const { invoke, failure } = await setup(null);
    await invoke(eventOf({ stopCode: 'SpotInterruption', stoppedReason: 'Your Spot Task was interrupted.' }));
    expect(await failure()).toMatchObject({ code: 'Interrupted' });
  });

  it.each<[string, Record<string, unknown>]>([
    ['that has not stopped yet', { lastStatus: 'RUNNING', stopCode: 'SpotInterruption' }],
    ['that nobody started', { startedBy: undefined }],
    ['of a service', { startedBy: 'ecs-svc/2770844949256052681' }],
    ['without a runner', { containers: [sidecar] }],
  ])('leaves a task alone %s', async (_which, detail) => {
    const { world, telemetry, invoke } = await setup();
    expect(await invoke(eventOf(detail))).toEqual({ kind: 'unknown' });
    expect(await world.runsOf()).toMatchObject([{ outcome: null }]);
    expect(telemetry.emitted()).toEqual({});
  });

  it('fails on what is no such event', async () => {
    const { invoke } = await setup();
    await expect(invoke({ source: 'aws.s3', detail: {} })).rejects.toThrow('aws.ecs');
  });

  it('leaves no key of one event to the lines of the next', async () => {
    const { telemetry, invoke } = await setup();
    await invoke(STOPPED);
    await invoke(eventOf({ startedBy: 'ecs-svc/1' }));
    expect(telemetry.lines().map(({ runId }) => runId)).toEqual(['run-000001', 'ecs-svc/1']);
  });
});
