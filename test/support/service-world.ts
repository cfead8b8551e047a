import { createMemoryArtifactStore } from '../../lib/adapters/memory-artifact-store.ts';
import { createMemoryRunStore } from '../../lib/adapters/memory-run-store.ts';
import { createMemoryStackStore } from '../../lib/adapters/memory-stack-store.ts';
import type { Service, ServiceChoice } from '../../lib/cli/service.ts';
import type { CheckResult } from '../../lib/domain/finding.ts';
import type { RunRecord } from '../../lib/domain/run.ts';
import type { PublishedEvent } from '../../lib/ports/event-feed.ts';
import type { StoredStack } from '../../lib/ports/stack-store.ts';
import { type CliRun, type CliWorld, runCli } from './cli-world.ts';

export interface ServiceWorld extends Pick<CliWorld, 'terminal' | 'services'> {
  readonly stacks?: readonly StoredStack[];
  readonly runs?: readonly RunRecord[];
  /** By the ids of runs. */
  readonly results?: Readonly<Record<string, CheckResult>>;
  readonly logs?: Readonly<Record<string, string>>;
  readonly events?: readonly PublishedEvent[];
  /** Happens while a command waits. */
  readonly onWait?: (service: Service) => Promise<void>;
}

export interface ServiceRun extends CliRun {
  readonly service: Service;
  readonly choices: readonly ServiceChoice[];
  /** Connections that were let go of. */
  readonly closed: number;
}

/** Runs the command line against a service in memory. */
export async function runOnService(args: readonly string[], world: ServiceWorld = {}): Promise<ServiceRun> {
  const service = await aService(world);
  const choices: ServiceChoice[] = [];
  let closed = 0;
  const { terminal } = world;
  const run = await runCli(args, {
    ...(terminal !== undefined && { terminal }),
    services: {
      connect: async (choice) => {
        choices.push(choice);
        return { ...service, close: () => void closed++ };
      },
      wait: async (_, signal) => {
        signal.throwIfAborted();
        await world.onWait?.(service);
      },
      ...world.services,
    },
  });
  return { ...run, service, choices, closed };
}

async function aService({
  stacks = [],
  runs = [],
  results = {},
  logs = {},
  events = [],
}: ServiceWorld): Promise<Service> {
  const service: Service = {
    name: 'the service of this test',
    stacks: createMemoryStackStore(),
    runs: createMemoryRunStore(),
    artifacts: createMemoryArtifactStore(new Map()),
    events: {
      follow: async () =>
        (async function* () {
          yield* events;
        })(),
    },
    close() {},
  };
  for (const { spec, state } of stacks) await service.stacks.putSpec(spec, state);
  for (const run of runs) await service.runs.create(run);
  for (const { runId, stackId } of runs) {
    const result = results[runId];
    const report = { schemaVersion: 1, runId, stackId, commit: null, peakMemoryMiB: null } as const;
    if (result !== undefined) await service.artifacts.putReport({ ...report, result });
    const content = logs[runId];
    if (content !== undefined) await service.artifacts.putFile(stackId, runId, { name: 'run.log', content });
  }
  return service;
}
