import { describe, expect, it } from 'vitest';
import { explainsFailure, judgeEnding, PAST_DEADLINE, type TaskEnd } from '../../lib/domain/task-end.ts';

const TASK = { cpu: 256, memoryMiB: 512, arch: 'arm64' } as const;

const ended = (over: Partial<TaskEnd>) =>
  ({
    kind: 'stopped',
    end: { exitCode: null, containerReason: null, stoppedReason: null, stopCode: null, ...over },
  }) as const;

const judge = (over: Partial<TaskEnd>) => judgeEnding(ended(over), TASK);

const OUT_OF_MEMORY = 'OutOfMemoryError: container killed due to memory usage';

describe('judgeEnding', () => {
  it.each<[string, Partial<TaskEnd>, string]>([
    ['an exit with an error', { exitCode: 1, stopCode: 'EssentialContainerExited' }, 'UnexpectedExit'],
    ['an exit with 0, because there is no result', { exitCode: 0 }, 'UnexpectedExit'],
    ['a container that never ran', { stopCode: 'TaskFailedToStart' }, 'TaskNotStarted'],
    ['a task of which ECS says nothing', {}, 'TaskNotStarted'],
    ['a kill for memory', { exitCode: 137, containerReason: OUT_OF_MEMORY }, 'OutOfMemory'],
    ['a kill for memory that exits otherwise', { exitCode: 0, containerReason: OUT_OF_MEMORY }, 'OutOfMemory'],
    ['a kill for memory of the whole task', { exitCode: 137, stoppedReason: 'OutOfMemory' }, 'OutOfMemory'],
    ['a kill that nobody ordered', { exitCode: 137, stopCode: 'EssentialContainerExited' }, 'OutOfMemory'],
    ['a stop by us', { exitCode: 137, stopCode: 'UserInitiated', stoppedReason: PAST_DEADLINE }, 'TimedOut'],
    ['a stop by somebody', { exitCode: 137, stopCode: 'UserInitiated', stoppedReason: 'by hand' }, 'UnexpectedExit'],
    ['a Spot interruption', { exitCode: 137, stopCode: 'SpotInterruption' }, 'Interrupted'],
    ['a Spot interruption before the start', { stopCode: 'TerminationNotice' }, 'Interrupted'],
    ['a host that is retired', { exitCode: 143, stopCode: 'InfrastructureHealth' }, 'Interrupted'],
  ])('takes %s for what it is', (_what, end, code) => {
    expect(judge(end)).toMatchObject({ kind: 'lost', failure: { code }, outOfMemory: code === 'OutOfMemory' });
  });

  it('names the reason of the container first, then that of the task, then the stop code', () => {
    const reasons = { containerReason: 'CannotPullContainerError: no such image', stoppedReason: 'b', stopCode: 'c' };
    expect(judge(reasons).failure.message).toContain('CannotPullContainerError: no such image');
    expect(judge({ ...reasons, containerReason: null }).failure.message).toContain(': b');
    expect(judge({ stopCode: 'c' }).failure.message).toContain(': c');
    expect(judge({}).failure.message).toContain('ECS gives no reason');
  });

  it('says how much memory was not enough, and what to do', () => {
    expect(judge({ exitCode: 137 }).failure).toEqual({
      code: 'OutOfMemory',
      message: 'the task ran out of memory: 512 MiB is not enough',
      hint: 'raise task.memory',
    });
  });

  it.each([
    [{ kind: 'gone' } as const, 'TaskLost', 'the task is gone'],
    [{ kind: 'hung' } as const, 'TimedOut', 'did not stop'],
    [{ kind: 'not-launched', reason: 'RESOURCE:CPU' } as const, 'LaunchFailed', 'RESOURCE:CPU'],
    [{ kind: 'stack-removed' } as const, 'StackRemoved', 'left the catalogue'],
  ])('has a failure for %o', (ending, code, message) => {
    const { failure, outOfMemory } = judgeEnding(ending, TASK);
    expect(failure).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(outOfMemory).toBe(false);
  });
});

describe('explainsFailure', () => {
  const interrupted = { code: 'Interrupted', message: 'the run was interrupted' };
  const crashed = { code: 'PlanFailed', message: 'plugin did not respond' };

  it('is true of any failure in a task that ran out of memory', () => {
    expect(explainsFailure(ended({ exitCode: 0, containerReason: OUT_OF_MEMORY }), crashed)).toBe(true);
  });

  it('is true of an interruption in a task that was stopped from outside', () => {
    expect(explainsFailure(ended({ stopCode: 'SpotInterruption' }), interrupted)).toBe(true);
    expect(explainsFailure(ended({ stopCode: 'UserInitiated' }), interrupted)).toBe(true);
  });

  it('is false of a failure from before the stop', () => {
    expect(explainsFailure(ended({ stopCode: 'SpotInterruption' }), crashed)).toBe(false);
    expect(explainsFailure(ended({ stopCode: 'SpotInterruption' }), null)).toBe(false);
  });

  it('is false of a task that ended by itself, or of which nothing is known', () => {
    expect(explainsFailure(ended({ exitCode: 0, stopCode: 'EssentialContainerExited' }), interrupted)).toBe(false);
    expect(explainsFailure({ kind: 'gone' }, interrupted)).toBe(false);
  });
});
