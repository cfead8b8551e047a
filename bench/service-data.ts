import type { CheckResult } from '../lib/domain/finding.ts';
import { NO_RULES } from '../lib/domain/rules.ts';
import { hash } from '../lib/domain/schedule.ts';
import type { StackSpec } from '../lib/domain/stack-spec.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A stack of usual size. One in ten is checked every 5 minutes, the others every hour. */
export function benchSpec(index: number): StackSpec {
  const id = `team-${index % 100}/service-${index}`;
  const everyMs = index % 10 === 0 ? 5 * MINUTE : HOUR;
  return {
    id,
    source: { url: 'https://github.com/acme/infrastructure', ref: 'main', path: `live/${id}` },
    engine: { name: 'terraform', constraint: '~> 1.11' },
    workspace: 'default',
    backendConfig: { bucket: 'acme-terraform-state', key: `${id}.tfstate`, region: 'eu-central-1' },
    vars: { environment: 'prod', team: `team-${index % 100}` },
    varFiles: ['../../common.tfvars'],
    env: {},
    secrets: { TF_VAR_token: { kind: 'ssm', name: `/terraform/${id}/token` } },
    region: 'eu-central-1',
    planRole: `arn:aws:iam::${String(111_111_111_111 + (index % 20))}:role/holdfast-plan`,
    applyRole: null,
    externalId: 'holdfast-7f3a9c',
    labels: ['environment:prod', `team:team-${index % 100}`],
    timing: { schedules: [{ kind: 'rate', everyMs }], jitterMs: 0, windows: [], blackouts: [] },
    timeoutMs: 30 * MINUTE,
    retry: { attempts: 3, backoffMs: MINUTE },
    task: { cpu: 1024, memoryMiB: 2048, arch: 'arm64' },
    dependsOn: [],
    remediation: { mode: 'alert' },
    approval: { required: 1, approvers: [], expiresMs: 24 * HOUR },
    rules: NO_RULES,
    alerts: { confirmChecks: 1, failureStreak: 3, remindEveryMs: 24 * HOUR, escalateAfter: null },
    routes: ['default'],
    suspended: null,
    owner: `team-${index % 100}`,
  };
}

const NOTHING = {
  ...{ add: 0, change: 0, remove: 0, import: 0, forget: 0, move: 0, read: 0, outputs: 0, actions: 0, deferred: 0 },
  ...{ drift: 0, checks: 0, pending: 0, informational: 0, suppressed: 0, noise: 2 },
};

/** Two stacks in a hundred have drift, always the same ones. */
export function benchResult(stack: string): CheckResult {
  const drifted = hash(stack) % 100 < 2;
  const findings: CheckResult['findings'] = drifted
    ? [
        {
          address: 'module.service.aws_security_group.main',
          class: 'changed-outside',
          standing: 'drift',
          severity: 'high',
          actions: ['update'],
          paths: ['ingress'],
          cause: { kind: 'outside-change', inferred: false },
        },
      ]
    : [];
  return {
    schemaVersion: 1,
    stack,
    mode: 'plan',
    verdict: drifted ? 'drifted' : 'in-sync',
    complete: true,
    failure: null,
    exitCode: drifted ? 2 : 0,
    engine: { name: 'terraform', version: '1.11.4', formatVersion: '1.2' },
    fingerprint: 'f'.repeat(64),
    baseline: { kind: 'same' },
    digests: { basis: 'files', config: 'c'.repeat(64), inputs: 'd'.repeat(64), providers: 'e'.repeat(64) },
    counts: { ...NOTHING, drift: findings.length, change: findings.length },
    findings,
    suppressed: [],
    noise: [],
    warnings: [],
    startedAt: '2026-03-02T09:00:00.000Z',
    durationMs: 41_000,
  };
}
