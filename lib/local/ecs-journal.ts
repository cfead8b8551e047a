import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import type { EcsTask } from './ecs-protocol.ts';

const Entry = z.object({
  taskArn: z.string(),
  clusterArn: z.string(),
  taskDefinitionArn: z.string(),
  startedBy: z.string(),
  containerName: z.string(),
}) satisfies z.ZodType<Partial<EcsTask>>;

/** What is written of a task: enough to say later that it is gone. */
export type JournalEntry = z.output<typeof Entry>;

/** Remembers which tasks run, across a crash of the process that runs them. */
export interface EcsJournal {
  /** Tasks that nobody has seen the end of. */
  readonly left: readonly JournalEntry[];
  add(task: JournalEntry): void;
  remove(taskArn: string): void;
}

/** Writes at once: what is started after a crash must be known. */
export function openEcsJournal(file: string): EcsJournal {
  const left = read(file);
  const entries = new Map(left.map((entry) => [entry.taskArn, entry]));
  const save = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify([...entries.values()]), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  return {
    left,
    add({ taskArn, clusterArn, taskDefinitionArn, startedBy, containerName }) {
      entries.set(taskArn, { taskArn, clusterArn, taskDefinitionArn, startedBy, containerName });
      save();
    },
    remove(taskArn) {
      if (entries.delete(taskArn)) save();
    },
  };
}

function read(file: string): readonly JournalEntry[] {
  try {
    return z.array(Entry).parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // There is none yet, or it was cut off: then the watchdog finds those runs at their deadlines.
    return [];
  }
}

/** A task of the journal as its cluster went away: ECS would call it lost capacity. */
export function lostTask(entry: JournalEntry, now: Date): EcsTask {
  return {
    ...entry,
    cpu: '0',
    memory: '0',
    overrides: { containerOverrides: [] },
    lastStatus: 'STOPPED',
    desiredStatus: 'STOPPED',
    createdAt: now,
    stoppedAt: now,
    exitCode: null,
    stopCode: 'TerminationNotice',
    stoppedReason: 'holdfast: the local mode that ran it came to a sudden end',
    version: 2,
  };
}
