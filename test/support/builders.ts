import type { CheckResult, Counts, Finding, Standing } from '../../lib/domain/finding.ts';

/** A queue whose timeout somebody changed by hand. */
export function aFinding(overrides: Partial<Finding> = {}): Finding {
  return {
    address: 'aws_sqs_queue.jobs',
    class: 'changed-outside',
    standing: 'drift',
    severity: 'medium',
    actions: ['update'],
    paths: ['visibility_timeout_seconds'],
    cause: { kind: 'outside-change', inferred: false },
    ...overrides,
  };
}

export type ResultOverrides = Partial<Omit<CheckResult, 'counts'>> & { readonly counts?: Partial<Counts> };

/** A finished check; in sync unless said otherwise. Counts per standing follow the lists, the plan's counts are 0. */
export function aResult({ counts, ...overrides }: ResultOverrides = {}): CheckResult {
  const { findings = [], suppressed = [], noise = [] } = overrides;
  return {
    schemaVersion: 1,
    stack: 'prod/queues',
    mode: 'plan',
    verdict: 'in-sync',
    complete: true,
    failure: null,
    exitCode: 0,
    engine: { name: 'terraform', version: '1.11.4', formatVersion: '1.2' },
    fingerprint: '0'.repeat(64),
    baseline: { kind: 'same' },
    digests: { basis: 'files', config: 'c'.repeat(64), inputs: 'd'.repeat(64), providers: 'e'.repeat(64) },
    findings,
    suppressed,
    noise,
    warnings: [],
    startedAt: '2026-11-30T09:00:00.000Z',
    durationMs: 12_400,
    ...overrides,
    counts: {
      ...NOTHING_PLANNED,
      drift: countStanding(findings, 'drift'),
      checks: countStanding(findings, 'check'),
      pending: countStanding(findings, 'pending'),
      informational: countStanding(findings, 'informational'),
      suppressed: suppressed.length,
      noise: noise.length,
      ...counts,
    },
  };
}

const NOTHING_PLANNED = {
  add: 0,
  change: 0,
  remove: 0,
  import: 0,
  forget: 0,
  move: 0,
  read: 0,
  outputs: 0,
  actions: 0,
  deferred: 0,
} as const;

function countStanding(findings: readonly Finding[], standing: Standing): number {
  return findings.filter((finding) => finding.standing === standing).length;
}

/** A check that has no verdict about its stack. */
export function aFailedResult({ stack = 'prod/dns', ...overrides }: ResultOverrides = {}): CheckResult {
  return aResult({
    stack,
    verdict: 'failed',
    complete: false,
    exitCode: 1,
    fingerprint: '',
    digests: null,
    failure: {
      code: 'PlanFailed',
      message: 'expected delay_seconds to be in the range (0 - 900), got 99999',
      location: { file: 'main.tf', line: 23, column: 18 },
    },
    ...overrides,
  });
}
