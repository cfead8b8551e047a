import { createMemoryArtifactStore } from '../../lib/adapters/memory-artifact-store.ts';
import { createMemoryRunStore } from '../../lib/adapters/memory-run-store.ts';
import { createMemoryStackStore } from '../../lib/adapters/memory-stack-store.ts';
import { sha256 } from '../../lib/adapters/sha256.ts';
import { type DispatchInput, type DispatchReport, dispatchChecks } from '../../lib/app/dispatch-checks.ts';
import type { LaunchRunDeps } from '../../lib/app/launch-run.ts';
import { type RecordedRun, recordRun } from '../../lib/app/record-run.ts';
import { initialState } from '../../lib/domain/claim.ts';
import type { CatalogueEvent, DriftEvent } from '../../lib/domain/drift-event.ts';
import type { CheckResult } from '../../lib/domain/finding.ts';
import type { RunRecord } from '../../lib/domain/run.ts';
import type { StackSpec } from '../../lib/domain/stack-spec.ts';
import type { StackState } from '../../lib/domain/stack-state.ts';
import type { TaskEnd } from '../../lib/domain/task-end.ts';
import type { StoredStack } from '../../lib/ports/stack-store.ts';
import { aFailedResult, aFinding, aResult, type ResultOverrides } from './builders.ts';
import { type Fuse, fuse, fused } from './crash.ts';
import { createFakeEcs, type FakeEcs, type FakeTask } from './fake-ecs.ts';
import { aSpec, aTiming, HOUR, START } from './stack-builder.ts';

export const MINUTE = 60_000;

export interface PipelineWorld {
  readonly deps: LaunchRunDeps;
  readonly ecs: FakeEcs;
  /** The artefact bucket, by key. */
  readonly objects: Map<string, string | Uint8Array>;
  readonly published: (DriftEvent | CatalogueEvent)[];
  now(): Date;
  /** Moves the time. */
  pass(ms: number): void;
  /** One invocation of the dispatcher, which may die. Rejects as the handler would. */
  tick(input?: Partial<DispatchInput>, life?: Fuse): Promise<DispatchReport>;
  /** One delivery of a task's end to the recorder, which may die. */
  deliver(task: FakeTask, life?: Fuse): Promise<RecordedRun>;
  /** Ends a running task as one that has written its result. */
  report(task: FakeTask, result?: CheckResult, end?: Partial<TaskEnd>): Promise<void>;
  stack(stackId?: string): Promise<StoredStack>;
  state(stackId?: string): Promise<StackState>;
  runsOf(stackId?: string): Promise<readonly RunRecord[]>;
  /** Types of the events of a stack in the order of their numbers, each number once. */
  eventTypes(stackId?: string): readonly string[];
}

const STACK = 'prod/network';

const LIMITS = { mostLaunches: 50, mostConcurrent: 100, mostPerAccount: null };

/** Every other full hour: the next time after START is known. */
const TIMING = aTiming({ schedules: [{ kind: 'cron', expression: '0 1-23/2 * * *', timezone: 'UTC' }] });

/** The pipeline over memory adapters and a clock that stands still. Each stack is due at START, 9:00, and then at 11:00 and so on. */
export async function createPipelineWorld(specs: readonly Partial<StackSpec>[] = [{}]): Promise<PipelineWorld> {
  let time = START.getTime();
  let ids = 0;
  const now = () => new Date(time);
  const objects = new Map<string, string | Uint8Array>();
  const published: PipelineWorld['published'] = [];
  const ecs = createFakeEcs(now);
  const deps: LaunchRunDeps = {
    stacks: createMemoryStackStore(),
    runs: createMemoryRunStore(),
    artifacts: createMemoryArtifactStore(objects),
    launcher: ecs,
    publisher: {
      publish: async (event) => {
        published.push(event);
      },
    },
    ids: {
      next: () => {
        ids += 1;
        return `run-${String(ids).padStart(6, '0')}`;
      },
    },
    clock: { now },
    sha256,
  };
  for (const over of specs) {
    const spec = aSpec({ timing: TIMING, ...over });
    await deps.stacks.putSpec(spec, { ...initialState(spec, START), nextDueAt: START.toISOString() });
  }
  const stack = async (stackId = STACK): Promise<StoredStack> => {
    const found = await deps.stacks.get(stackId);
    if (found === undefined) throw new TypeError(`no stack ${stackId}`);
    return found;
  };
  return {
    deps,
    ecs,
    objects,
    published,
    now,
    pass: (ms) => {
      time += ms;
    },
    tick: (input, life = fuse()) =>
      dispatchChecks(mortal(deps, life), { ...LIMITS, stopAt: new Date(time + 30_000), ...input }),
    deliver: (task, life = fuse()) => {
      if (task.end === null) throw new TypeError(`task of ${task.request.runId} still runs`);
      const { runId } = task.request;
      return recordRun(mortal(deps, life), { runId, ending: { kind: 'stopped', end: task.end } });
    },
    report: async (task, result = aResult(), end = {}) => {
      const { runId, stackId } = task.request;
      const report = { schemaVersion: 1, runId, stackId, commit: 'c0ffee', peakMemoryMiB: 300 } as const;
      await deps.artifacts.putReport({ ...report, result: { ...result, stack: stackId } });
      ecs.finish(task, end);
    },
    stack,
    state: async (stackId) => (await stack(stackId)).state,
    runsOf: (stackId = STACK) => deps.runs.listForStack(stackId, 1000),
    eventTypes: (stackId = STACK) => eventsOf(published, stackId).map(({ type }) => type),
  };
}

function mortal(deps: LaunchRunDeps, life: Fuse): LaunchRunDeps {
  return {
    ...deps,
    stacks: fused(deps.stacks, life),
    runs: fused(deps.runs, life),
    artifacts: fused(deps.artifacts, life),
    launcher: fused(deps.launcher, life),
    publisher: fused(deps.publisher, life),
  };
}

/** A stack's events by their numbers, as a consumer sees them who drops what has come before. */
export function eventsOf(published: PipelineWorld['published'], stackId: string): readonly DriftEvent[] {
  const events = new Map<number, DriftEvent>();
  for (const event of published) {
    if (event.type === 'catalogue.invalid' || event.stackId !== stackId) continue;
    if (!events.has(event.sequence)) events.set(event.sequence, event);
  }
  return [...events.values()].sort((left, right) => left.sequence - right.sequence);
}

export const clean = (over: ResultOverrides = {}): CheckResult => aResult(over);
export const drifted = (): CheckResult => aResult({ verdict: 'drifted', findings: [aFinding()] });
export const failed = (over: ResultOverrides = {}): CheckResult => aFailedResult(over);

export { HOUR, STACK };
