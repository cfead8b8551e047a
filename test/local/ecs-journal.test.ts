import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TaskStateEvent } from '../../lib/contract/task-state-event.ts';
import { judgeEnding } from '../../lib/domain/task-end.ts';
import { lostTask, openEcsJournal } from '../../lib/local/ecs-journal.ts';
import { stateChangeEvent } from '../../lib/local/ecs-protocol.ts';
import { aFolder } from '../support/temporary-folder.ts';

const task = (name: string) => ({
  taskArn: `arn:task/${name}`,
  clusterArn: 'arn:cluster/holdfast',
  taskDefinitionArn: 'arn:task-definition/check:1',
  startedBy: `run-${name}`,
  containerName: 'runner',
});

describe('the journal of tasks', () => {
  it('knows after a crash which tasks were running', async () => {
    const file = join(await aFolder(), 'tasks.json');
    const journal = openEcsJournal(file);
    for (const name of ['a', 'b']) journal.add(task(name));
    journal.remove('arn:task/a');
    journal.remove('arn:task/unknown');

    expect(openEcsJournal(file).left).toEqual([task('b')]);
    expect(await readdir(dirname(file))).toEqual(['tasks.json']);
  });

  it('is empty at first', async () => {
    expect(openEcsJournal(join(await aFolder(), 'tasks.json')).left).toEqual([]);
  });

  it('keeps what is left until somebody takes it out', async () => {
    const file = join(await aFolder(), 'tasks.json');
    openEcsJournal(file).add(task('a'));
    openEcsJournal(file).add(task('b'));

    expect(openEcsJournal(file).left).toEqual([task('a'), task('b')]);
  });

  it('gives up on a file that was cut off: the watchdog finds those runs as well', async () => {
    const folder = await aFolder({ 'tasks.json': '[{"taskArn":' });

    expect(openEcsJournal(join(folder, 'tasks.json')).left).toEqual([]);
  });

  it('reports a lost task as lost capacity, which is tried again', () => {
    const lost = lostTask(task('a'), new Date('2026-03-02T09:00:00.000Z'));
    const { detail } = TaskStateEvent.parse(stateChangeEvent(lost, 'id'));
    const end = {
      ...{ exitCode: null, containerReason: null },
      stopCode: detail.stopCode ?? null,
      stoppedReason: detail.stoppedReason ?? null,
    };

    expect(detail).toMatchObject({ startedBy: 'run-a', lastStatus: 'STOPPED', containers: [{ name: 'runner' }] });
    expect(judgeEnding({ kind: 'stopped', end }, { cpu: 256, memoryMiB: 512, arch: 'arm64' }).failure.code).toBe(
      'Interrupted',
    );
  });
});
