import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, vi } from 'vitest';
import type { RecordedRun } from '../../lib/app/record-run.ts';
import { triggerCheck } from '../../lib/app/trigger-check.ts';
import type { DriftEvent } from '../../lib/domain/drift-event.ts';
import type { RunOutcome } from '../../lib/domain/run.ts';
import type { EcsTask } from '../../lib/local/ecs-protocol.ts';
import { startEmulators } from '../../lib/local/local-emulators.ts';
import { openLocalFolder } from '../../lib/local/local-folder.ts';
import { type LocalService, startLocalService, type TakenCatalogue } from '../../lib/local/local-service.ts';
import type { PublishedEvent } from '../../lib/ports/event-feed.ts';
import { TEST_CACHE } from './tools.ts';

export interface LocalWorldOptions {
  /** Of the local mode. */
  readonly state: string;
  /** Holds the catalogue and the stacks. */
  readonly folder: string;
  readonly catalogue: string;
  /** The whole environment of the runner. */
  readonly env: Readonly<Record<string, string>>;
}

/** A local mode, and all that was heard of it. */
export interface LocalWorld {
  readonly service: LocalService;
  readonly events: PublishedEvent[];
  readonly runs: Extract<RecordedRun, { kind: 'recorded' }>[];
  readonly catalogues: TakenCatalogue[];
  readonly errors: string[];
  /** Most checks that ran at the same time. */
  mostRunning(): number;
  writeCatalogue(text: string): Promise<void>;
  /** Asks for a check of stacks, and resolves with how each ended, in this order. */
  check(...stackIds: readonly string[]): Promise<readonly RunOutcome[]>;
  /** Resolves once a stack has had these events, in this order, since the last time that this was asked. */
  hears(stackId: string, types: readonly DriftEvent['type'][]): Promise<readonly DriftEvent[]>;
  /** As a Ctrl-C does. */
  close(): Promise<void>;
}

/** Ends may meet: the test's own, and the one that a test forgot. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

const PATIENCE = { timeout: 60_000, interval: 50 };

export async function startLocalWorld({ state, folder, catalogue, env }: LocalWorldOptions): Promise<LocalWorld> {
  const heard = { events: [] as PublishedEvent[], runs: [] as LocalWorld['runs'], catalogues: [] as TakenCatalogue[] };
  const errors: string[] = [];
  const running = new Set<string>();
  const taken = new Map<string, number>();
  let mostRunning = 0;
  const localFolder = await openLocalFolder(state, { fresh: false });
  const emulators = await startEmulators(localFolder);
  const writeCatalogue = (text: string) => writeFile(join(folder, 'catalogue.yaml'), text);
  await writeCatalogue(catalogue);
  const service = await startLocalService({
    folder: localFolder,
    emulators,
    env,
    catalogue: { url: pathToFileURL(folder).href, ref: 'HEAD', path: 'catalogue.yaml' },
    cacheDir: TEST_CACHE,
    concurrency: 2,
    everyMs: 200,
    syncEveryMs: 60_000,
    firstChecks: 'scheduled',
    onTask(task: EcsTask) {
      if (task.startedBy === '') return;
      running.add(task.startedBy);
      mostRunning = Math.max(mostRunning, running.size);
    },
    onRun(run) {
      if (run.kind === 'unknown') return;
      running.delete(run.runId);
      heard.runs.push(run);
    },
    onCatalogue: (applied) => heard.catalogues.push(applied),
    onEvent: (event) => heard.events.push(event),
    onError: (part, error) => errors.push(`${part}: ${error}`),
  });
  const { stacks } = service.connection;
  const outcomeOf = (stackId: string, before: number) =>
    vi.waitFor(() => {
      const run = heard.runs.filter((each) => each.stackId === stackId)[before];
      if (run === undefined) throw new Error(`no run of ${stackId} has ended; ${errors.join('; ')}`);
      return run.outcome;
    }, PATIENCE);
  return {
    service,
    ...heard,
    errors,
    mostRunning: () => mostRunning,
    writeCatalogue,
    async check(...stackIds) {
      const before = stackIds.map((id) => heard.runs.filter(({ stackId }) => stackId === id).length);
      for (const stackId of stackIds) await triggerCheck({ stacks, clock: { now: () => new Date() } }, { stackId });
      return Promise.all(stackIds.map((id, at) => outcomeOf(id, before[at] ?? 0)));
    },
    async hears(stackId, types) {
      const from = taken.get(stackId) ?? 0;
      const all = () =>
        heard.events.flatMap((event) => (event.type !== 'catalogue.invalid' && event.stackId === stackId ? event : []));
      await vi.waitFor(
        () =>
          expect(
            all()
              .slice(from)
              .map(({ type }) => type),
          ).toEqual(types),
        PATIENCE,
      );
      taken.set(stackId, from + types.length);
      return all().slice(from);
    },
    close: once(async () => {
      await service.close();
      await emulators.close();
    }),
  };
}
