import { createMemoryBaselineStore } from '../../lib/adapters/memory-baseline-store.ts';
import { sha256 } from '../../lib/adapters/sha256.ts';
import type { CheckStackDeps, CheckStackInput } from '../../lib/app/check-stack.ts';
import type { InputDigests } from '../../lib/domain/finding.ts';
import { NO_RULES } from '../../lib/domain/rules.ts';
import { readUiStream } from '../../lib/domain/ui-stream.ts';
import type { ModuleSource, PlanRequest, PlanRun } from '../../lib/ports/engine-runner.ts';
import { type PlanParts, planText, update } from './plan-builder.ts';

export const FILES: InputDigests = {
  basis: 'files',
  config: 'c'.repeat(64),
  inputs: 'd'.repeat(64),
  providers: 'e'.repeat(64),
};

/** A finished run of a plan of these parts. */
export function aPlanRun(parts: PlanParts, exitCode: number): PlanRun {
  return {
    exitCode,
    document: planText(parts),
    stream: readUiStream(''),
    engine: { name: 'terraform', version: '1.11.4' },
  };
}

export const CLEAN: PlanParts = { changes: [{ address: 'aws_sqs_queue.a' }] };
export const DRIFTED: PlanParts = {
  drift: [update('aws_sqs_queue.a', { delay_seconds: 0 }, { delay_seconds: 5 })],
  changes: [update('aws_sqs_queue.a', { delay_seconds: 5 }, { delay_seconds: 0 })],
};
/** As unapplied configuration looks, and drift that somebody accepted into the state. */
export const PLANNED: PlanParts = {
  changes: [update('aws_sqs_queue.a', { delay_seconds: 5 }, { delay_seconds: 0 })],
  config: { 'aws_sqs_queue.a': { delay_seconds: { constant_value: 0 } } },
};

export interface CheckWorld {
  /** What the engine does in a directory; an error is thrown. */
  readonly runs?: Readonly<Record<string, PlanRun | Error>>;
  readonly source?: Partial<ModuleSource>;
}

/** Dependencies in memory. The clock moves on by a second whenever it is asked, from noon. */
export function checkDeps({ runs = {}, source }: CheckWorld = {}) {
  const requests: PlanRequest[] = [];
  let seconds = 0;
  const deps: CheckStackDeps = {
    engine: {
      async run(request) {
        requests.push(request);
        const run = runs[request.directory] ?? aPlanRun(CLEAN, 0);
        if (run instanceof Error) throw run;
        return run;
      },
    },
    modules: { read: async () => ({ digests: FILES, ignoreChanges: new Map(), ...source }) },
    baselines: createMemoryBaselineStore(),
    clock: { now: () => new Date(Date.UTC(2026, 10, 30, 12, 0, seconds++)) },
    sha256,
  };
  return { deps, requests };
}

/** To check the stack `name` in the directory `/name`. */
export function aCheck(name: string, overrides: Partial<CheckStackInput> = {}): CheckStackInput {
  return {
    stack: name,
    request: { directory: `/${name}`, backendConfig: [], varFiles: [], vars: [], mode: 'plan', timeoutMs: 1000 },
    rules: NO_RULES,
    knownSecrets: [],
    ...overrides,
  };
}
