import { describe, expect, it } from 'vitest';
import { HoldfastError } from '../../lib/domain/errors.ts';
import { lostTask } from '../../lib/local/ecs-journal.ts';
import { createLiveLog } from '../../lib/local/live-log.ts';
import { aResult } from '../support/builders.ts';
import { anEvent } from '../support/event-builder.ts';
import { aDriftedSummary, aSummary, lost, result, START } from '../support/stack-builder.ts';

function aLog() {
  const lines: string[] = [];
  const log = createLiveLog({
    output: { print: (text) => lines.push(text), color: false },
    clock: { now: () => START },
  });
  return { log, lines };
}

const TASK = lostTask(
  { taskArn: 'arn:task/1', clusterArn: 'c', taskDefinitionArn: 'd', startedBy: 'run-1', containerName: 'runner' },
  START,
);
const RUN = { kind: 'recorded', stackId: 'prod/network', runId: 'run-1', first: true } as const;

describe('the live log', () => {
  it('tells of checks that start, and of no other tasks', () => {
    const { log, lines } = aLog();
    const environment = [
      { name: 'HOLDFAST_STACK_ID', value: 'prod/network' },
      { name: 'HOLDFAST_RUN_ID', value: 'run-1' },
    ];
    log.onTask({ ...TASK, overrides: { containerOverrides: [{ name: 'runner', environment }] } });
    log.onTask(TASK);

    expect(lines).toEqual(['09:00:00  check started      prod/network  run run-1\n']);
  });

  it('tells how runs end', () => {
    const { log, lines } = aLog();
    const counts = aResult({ counts: { drift: 2 } }).counts;
    const failure = { code: 'InitFailed', message: 'no such module' };
    const outcomes = [
      result(aSummary({ durationMs: 9800 })),
      result(aDriftedSummary('f', { counts, durationMs: 12_000 })),
      result(aSummary({ verdict: 'failed', failure, durationMs: 500 })),
      lost(),
    ];
    for (const outcome of outcomes) log.onRun({ ...RUN, outcome });

    expect(lines).toEqual([
      '09:00:00  ✓ in sync          prod/network  in 9.8s\n',
      '09:00:00  ≠ drifted          prod/network  2 drifted, in 12.0s\n',
      '09:00:00  ✗ failed           prod/network  InitFailed: no such module, in 0.5s\n',
      '09:00:00  ✗ lost             prod/network  TaskLost: the task was killed\n',
    ]);
  });

  it('tells of each run once, and of none that is not ours', () => {
    const { log, lines } = aLog();
    log.onRun({ ...RUN, outcome: lost(), first: false });
    log.onRun({ kind: 'unknown' });

    expect(lines).toEqual([]);
  });

  it('tells of catalogues that are taken over, or can not be', () => {
    const { log, lines } = aLog();
    log.onCatalogue({ kind: 'applied', created: 5, updated: 1, removed: 0 });
    log.onCatalogue({ kind: 'unchanged' });
    const failure = { code: 'CatalogueInvalid', message: 'timeout: expected a duration' };
    log.onCatalogue({ kind: 'invalid', failure, announced: true });

    expect(lines).toEqual([
      '09:00:00  catalogue          stacks: 5 new, 1 changed, 0 removed\n',
      '09:00:00  catalogue          CatalogueInvalid: timeout: expected a duration\n',
    ]);
  });

  it('tells of events as the command for them does', () => {
    const { log, lines } = aLog();
    log.onEvent(anEvent({ type: 'check.overdue' }));

    expect(lines).toEqual(['09:02:00  check.overdue      prod/network\n']);
  });

  it('tells what went wrong, each by itself', () => {
    const { log, lines } = aLog();
    const errors = [new HoldfastError('ItemTooLarge', 'too large', { hint: 'cut it' }), new Error('no answer')];
    log.onError('dispatch-checks', new AggregateError(errors, 'two steps failed'));
    log.onError('events', 'gone');

    expect(lines).toEqual([
      '09:00:00  error              dispatch-checks: ItemTooLarge: too large; hint: cut it\n',
      '09:00:00  error              dispatch-checks: no answer\n',
      '09:00:00  error              events: gone\n',
    ]);
  });
});
