import { claimRun, initialState } from '../../lib/domain/claim.ts';
import { NO_RULES } from '../../lib/domain/rules.ts';
import type { ResultSummary, RunOutcome } from '../../lib/domain/run.ts';
import type { AlertSettings, StackSpec, Timing } from '../../lib/domain/stack-spec.ts';
import type { StackState } from '../../lib/domain/stack-state.ts';
import { recordOutcome, type Stack } from '../../lib/domain/transition.ts';
import { aResult } from './builders.ts';

export const HOUR = 3_600_000;
export const START = new Date('2026-03-02T09:00:00.000Z');

export const aTiming = (over: Partial<Timing> = {}): Timing => ({
  schedules: [{ kind: 'rate', everyMs: HOUR }],
  jitterMs: 0,
  windows: [],
  blackouts: [],
  ...over,
});

export const someAlerts = (over: Partial<AlertSettings> = {}): AlertSettings => ({
  confirmChecks: 1,
  failureStreak: 3,
  remindEveryMs: 24 * HOUR,
  escalateAfter: null,
  ...over,
});

/** A stack that is checked every hour, alerts at once and has one attempt. */
export const aSpec = (over: Partial<StackSpec> = {}): StackSpec => ({
  id: 'prod/network',
  source: { url: 'https://git.example.com/infra.git', ref: 'main', path: 'environments/prod/network' },
  engine: { name: 'terraform', constraint: null },
  workspace: 'default',
  backendConfig: {},
  vars: {},
  varFiles: [],
  env: {},
  secrets: {},
  region: 'eu-west-1',
  planRole: 'arn:aws:iam::111122223333:role/holdfast-plan',
  applyRole: null,
  externalId: null,
  labels: ['env:prod'],
  timing: aTiming(),
  timeoutMs: HOUR / 2,
  retry: { attempts: 1, backoffMs: 60_000 },
  task: { cpu: 1024, memoryMiB: 2048, arch: 'arm64' },
  dependsOn: [],
  remediation: { mode: 'alert' },
  approval: { required: 1, approvers: [], expiresMs: 24 * HOUR },
  rules: NO_RULES,
  alerts: someAlerts(),
  routes: ['default'],
  suspended: null,
  owner: 'platform',
  ...over,
});

export const aStack = (spec: Partial<StackSpec> = {}, state: Partial<StackState> = {}): Stack => {
  const full = aSpec(spec);
  return { spec: full, state: { ...initialState(full, START), ...state } };
};

export const aSummary = (over: Partial<ResultSummary> = {}): ResultSummary => ({
  verdict: 'in-sync',
  complete: true,
  fingerprint: '',
  alertClasses: [],
  severity: null,
  counts: aResult().counts,
  topFindings: [],
  failure: null,
  baseline: null,
  commit: null,
  durationMs: 1000,
  peakMemoryMiB: null,
  ...over,
});

export const aDriftedSummary = (fingerprint: string, over: Partial<ResultSummary> = {}): ResultSummary =>
  aSummary({ verdict: 'drifted', fingerprint, alertClasses: ['changed-outside'], severity: 'medium', ...over });

export const result = (summary: ResultSummary): RunOutcome => ({ kind: 'result', summary });

export const lost = (message = 'the task was killed'): RunOutcome => ({
  kind: 'lost',
  failure: { code: 'TaskLost', message },
  outOfMemory: false,
});

/** Claims the stack and lets the run end so, a minute later. */
export function runOnce({ spec, state }: Stack, outcome: RunOutcome, at: Date, runId = `run-${at.getTime()}`): Stack {
  const claimed = claimRun({ spec, state }, { runId, now: at });
  const end = new Date(at.getTime() + 60_000);
  return {
    spec,
    state: recordOutcome({ spec, state: claimed }, { runId, outcome }, end, () => `episode-${runId}`).state,
  };
}

/** The types of all events of a stack so far. */
export const eventTypes = ({ state }: Stack): string[] => state.outbox.map(({ type }) => type);
