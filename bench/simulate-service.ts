import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import pLimit from 'p-limit';
import * as z from 'zod';
import { createHandler as createDispatch } from '../lambdas/dispatch-checks/handler.ts';
import { createHandler as createRecord } from '../lambdas/record-run/handler.ts';
import { createDocumentClient } from '../lib/adapters/dynamo-client.ts';
import { createDynamoRunStore } from '../lib/adapters/dynamo-run-store.ts';
import { createDynamoStackStore } from '../lib/adapters/dynamo-stack-store.ts';
import { createMemoryArtifactStore } from '../lib/adapters/memory-artifact-store.ts';
import { sha256 } from '../lib/adapters/sha256.ts';
import { createUlidSource } from '../lib/adapters/ulid-source.ts';
import { RUNNER_CONTAINER } from '../lib/contract/env.ts';
import { createTableInput } from '../lib/contract/table.ts';
import { initialState } from '../lib/domain/claim.ts';
import { hash } from '../lib/domain/schedule.ts';
import { contextOf, createSilentTelemetry } from '../lib/local/function-runtime.ts';
import type { StackStore, StoredStack } from '../lib/ports/stack-store.ts';
import type { LaunchRequest } from '../lib/ports/task-launcher.ts';
import { benchResult, benchSpec } from './service-data.ts';

export interface SimulateInput {
  /** Of a DynamoDB. */
  readonly endpoint: string;
  readonly stacks: number;
  readonly minutes: number;
}

export interface Simulated {
  readonly checks: number;
  /** From the time a check was due to the request that starts its task, in milliseconds. */
  readonly lateness: readonly number[];
  /** Tasks that were started while their stack had one, or for a run that had one. */
  readonly duplicates: number;
  readonly ticks: number;
  /** Processor time of all invocations, in milliseconds. */
  readonly dispatchMs: number;
  readonly recordMs: number;
  readonly database: DatabaseUse;
}

interface DatabaseUse {
  /** Requests. */
  reads: number;
  writes: number;
  /** Of the table itself; the emulator does not count indexes. */
  readUnits: number;
  writeUnits: number;
}

const MINUTE = 60_000;
const START = Date.parse('2026-03-02T09:00:00.000Z');

/** Every tenth tick comes twice at once, as EventBridge may deliver it. */
const TWICE_EVERY = 10;

/** A launch takes half a second on AWS, and eight go at a time. */
const LAUNCH_MS = 500;
const LAUNCHES_AT_ONCE = 8;

const LIMITS = { mostLaunches: 500, mostConcurrent: 2000, mostPerAccount: null };

interface Task {
  readonly request: LaunchRequest;
  readonly endsAt: number;
}

/** A service whose tasks take 20 to 90 seconds. Nothing but the clock is made up on the way to the table. */
export async function simulateService({ endpoint, stacks, minutes }: SimulateInput): Promise<Simulated> {
  const time = { now: START };
  const table = await openTable(endpoint, stacks);
  const store = createDynamoStackStore(table);
  await fill(store, stacks, new Date(START));
  Object.assign(table.use, NOTHING_USED);
  const ecs = createEcs(time);
  const service = assemble(time, table, ecs, store);
  const spent = { dispatch: 0, record: 0 };
  for (let minute = 0; minute < minutes; minute += 1) {
    time.now = START + minute * MINUTE;
    ecs.newTick();
    const deliveries = minute % TWICE_EVERY === 0 ? 2 : 1;
    spent.dispatch += await processorTime(() => Promise.all(Array.from({ length: deliveries }, service.dispatch)));
    const ended = ecs.endedBefore(time.now + MINUTE);
    for (const task of ended) await service.report(task);
    const limit = pLimit(16);
    spent.record += await processorTime(() =>
      Promise.all(
        ended.map((task) =>
          limit(() => {
            time.now = Math.max(time.now, task.endsAt);
            return service.record(task);
          }),
        ),
      ),
    );
  }
  table.close();
  const { lateness, duplicates } = ecs;
  const work = { dispatchMs: spent.dispatch, recordMs: spent.record, ticks: minutes };
  return { checks: lateness.length, lateness, duplicates: duplicates.count, ...work, database: table.use };
}

/** The handlers over the table, and a runner that always has the same to report. */
function assemble(
  time: { readonly now: number },
  { tableName, client }: Table,
  ecs: ReturnType<typeof createEcs>,
  store: StackStore,
) {
  const artifacts = createMemoryArtifactStore(new Map());
  const deps = {
    telemetry: createSilentTelemetry(),
    stacks: { ...store, get: (stackId: string) => store.get(stackId).then(ecs.notice) },
    runs: createDynamoRunStore({ tableName, client }),
    artifacts,
    publisher: { publish: async () => {} },
    launcher: ecs.launcher,
    ids: createUlidSource(),
    clock: { now: () => new Date(time.now) },
    sha256,
  };
  const dispatch = createDispatch({ ...deps, limits: LIMITS });
  const record = createRecord(deps);
  return {
    dispatch: () => dispatch({}, contextOf('dispatch-checks')),
    report: ({ request }: Task) => artifacts.putReport(reportOf(request)),
    record: (task: Task) => record(stoppedEvent(task), contextOf('record-run')),
  };
}

async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const NOTHING_USED: DatabaseUse = { reads: 0, writes: 0, readUnits: 0, writeUnits: 0 };

interface Table {
  readonly client: ReturnType<typeof createDocumentClient>;
  readonly tableName: string;
  readonly use: DatabaseUse;
  close(): void;
}

async function openTable(endpoint: string, stacks: number): Promise<Table> {
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  const dynamo = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const tableName = `bench-${stacks}`;
  await dynamo.send(new CreateTableCommand(createTableInput(tableName)));
  const client = createDocumentClient(dynamo);
  const use = { ...NOTHING_USED };
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
        const answer = await next(args);
        count(use, commandName, Consumed.parse(answer.output).ConsumedCapacity);
        return answer;
      },
    { step: 'initialize' },
  );
  return { client, use, tableName, close: () => dynamo.destroy() };
}

const Units = z.object({ CapacityUnits: z.number() });
const Consumed = z.object({ ConsumedCapacity: z.union([Units.transform((one) => [one]), z.array(Units)]).optional() });

function count(use: DatabaseUse, commandName: string, consumed: readonly z.output<typeof Units>[] = []): void {
  const units = consumed.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
  const reads = /^(?:Get|BatchGet|Query)/.test(commandName);
  use[reads ? 'reads' : 'writes'] += 1;
  use[reads ? 'readUnits' : 'writeUnits'] += units;
}

async function fill(store: StackStore, stacks: number, now: Date): Promise<void> {
  const limit = pLimit(16);
  const specs = Array.from({ length: stacks }, (_, index) => benchSpec(index));
  await Promise.all(specs.map((spec) => limit(() => store.putSpec(spec, initialState(spec, now)))));
}

function createEcs(time: { readonly now: number }) {
  const due = new Map<string, number>();
  const tasks = new Map<string, Task>();
  const busy = new Set<string>();
  const lateness: number[] = [];
  const duplicates = { count: 0 };
  let launches = 0;
  return {
    lateness,
    duplicates,
    newTick: () => {
      launches = 0;
    },
    /** Sees when a stack was due before it is claimed. */
    notice: <Stack extends StoredStack | undefined>(stack: Stack): Stack => {
      if (stack?.state.nextDueAt != null) due.set(stack.spec.id, Date.parse(stack.state.nextDueAt));
      return stack;
    },
    launcher: {
      launch: async (request: LaunchRequest) => {
        const { runId, stackId } = request;
        if (tasks.has(runId) || busy.has(stackId)) duplicates.count += 1;
        const startedAt = time.now + Math.floor(launches / LAUNCHES_AT_ONCE) * LAUNCH_MS;
        launches += 1;
        lateness.push(startedAt - (due.get(stackId) ?? startedAt));
        busy.add(stackId);
        tasks.set(runId, { request, endsAt: startedAt + 20_000 + (hash(runId) % 70_000) });
        return { kind: 'started' as const, taskArn: `arn:aws:ecs:us-east-1:111122223333:task/holdfast/${runId}` };
      },
      describe: async () => ({ kind: 'running' as const }),
      stop: async () => {},
    },
    endedBefore(moment: number): readonly Task[] {
      const ended = [...tasks.values()].filter(({ endsAt }) => endsAt < moment);
      for (const { request } of ended) {
        tasks.delete(request.runId);
        busy.delete(request.stackId);
      }
      return ended.sort((left, right) => left.endsAt - right.endsAt);
    },
  };
}

function reportOf({ runId, stackId }: LaunchRequest) {
  const result = benchResult(stackId);
  return { schemaVersion: 1, runId, stackId, result, commit: 'c0ffee'.padEnd(40, '0'), peakMemoryMiB: 412 } as const;
}

function stoppedEvent({ request: { runId } }: Task): object {
  return {
    source: 'aws.ecs',
    'detail-type': 'ECS Task State Change',
    detail: {
      taskArn: `arn:aws:ecs:us-east-1:111122223333:task/holdfast/${runId}`,
      lastStatus: 'STOPPED',
      startedBy: runId,
      stopCode: 'EssentialContainerExited',
      stoppedReason: 'Essential container in task exited',
      containers: [{ name: RUNNER_CONTAINER, exitCode: 0 }],
    },
  };
}
