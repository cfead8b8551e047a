import { createMemoryArtifactStore } from '../../lib/adapters/memory-artifact-store.ts';
import { withinLimits } from '../../lib/adapters/run-limit.ts';
import { sha256 } from '../../lib/adapters/sha256.ts';
import type { RunCheckDeps } from '../../lib/app/run-check.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import type { RunSpec } from '../../lib/domain/run.ts';
import type { StackSpec } from '../../lib/domain/stack-spec.ts';
import type { EngineRunner, PlanRequest, PlanRun } from '../../lib/ports/engine-runner.ts';
import type { CheckoutRequest, GitSource } from '../../lib/ports/git-source.ts';
import type { RoleRequest } from '../../lib/ports/role-assumer.ts';
import type { StackEngineRequest } from '../../lib/ports/stack-engines.ts';
import { aPlanRun, CLEAN, FILES } from './check-world.ts';
import { aSpec } from './stack-builder.ts';

export const RUN_ID = '01KJPX4ZZZ0000000000000001';
export const COMMIT = '1f0e'.repeat(10);
/** When every run starts. */
export const NOON = new Date('2026-11-30T12:00:00.000Z');

export const aRunSpec = (stack: Partial<StackSpec> = {}, over: Partial<RunSpec> = {}): RunSpec => ({
  schemaVersion: 1,
  runId: RUN_ID,
  kind: 'check',
  stack: aSpec(stack),
  catalogueCommit: null,
  baseline: null,
  deadline: '2026-11-30T12:40:00.000Z',
  ...over,
});

export const sourceThatFails = (error: Error): GitSource => ({
  checkout: () => Promise.reject(error),
  list: () => Promise.reject(error),
});

export interface RunWorld {
  readonly spec?: RunSpec;
  /** What the engine does. */
  readonly plan?: PlanRun | EngineRunner['run'];
  readonly source?: RunCheckDeps['source'];
  readonly roles?: RunCheckDeps['roles'];
  readonly artifacts?: Partial<RunCheckDeps['artifacts']>;
  readonly deps?: Partial<RunCheckDeps>;
}

/** Dependencies of a run in memory, with the spec in place. The clock moves on by a second whenever it is asked. */
export async function aRunWorld({ spec = aRunSpec(), plan = aPlanRun(CLEAN, 0), ...world }: RunWorld = {}) {
  const objects = new Map<string, string | Uint8Array>();
  const asked = {
    checkouts: [] as CheckoutRequest[],
    roles: [] as RoleRequest[],
    engines: [] as StackEngineRequest[],
    plans: [] as PlanRequest[],
    said: [] as string[],
  };
  let seconds = 0;
  const artifacts = { ...createMemoryArtifactStore(objects), ...world.artifacts };
  await artifacts.putSpec(spec);
  const deps: RunCheckDeps = {
    artifacts,
    source: world.source ?? {
      checkout: async (request) => {
        asked.checkouts.push(request);
        return { root: '/work/source', location: '/work/source/prod/network', commit: COMMIT };
      },
      list: async () => [],
    },
    secrets: {
      get: async (reference) => {
        if (reference.kind === 'ssm') return 'from-parameter';
        if (reference.id === 'gone') throw new HoldfastError('SecretUnavailable', "secret gone can't be read");
        return 'from-secret';
      },
    },
    roles: world.roles ?? {
      assume: async (request) => {
        asked.roles.push(request);
        return { accessKeyId: 'ASIA', secretAccessKey: 'role-secret', sessionToken: 'role-token' };
      },
    },
    engines: {
      open: async (request) => {
        asked.engines.push(request);
        const run: EngineRunner['run'] = async (planRequest) => {
          asked.plans.push(planRequest);
          return typeof plan === 'function' ? plan(planRequest) : plan;
        };
        return {
          engine: { run },
          modules: { read: async () => ({ digests: FILES, ignoreChanges: new Map() }) },
          varFiles: ['/work/catalogue.tfvars.json'],
        };
      },
    },
    withinLimits,
    peakMemoryMiB: async () => 512,
    clock: { now: () => new Date(NOON.getTime() + 1000 * seconds++) },
    sha256,
    ownSecrets: ['git-password'],
    say: (message) => asked.said.push(message),
    ...world.deps,
  };
  const file = (name: string) => objects.get(`runs/${spec.stack.id}/${RUN_ID}/${name}`);
  return { deps, asked, file, input: { stackId: spec.stack.id, runId: RUN_ID, signal: new AbortController().signal } };
}
