import { describe, expect, it } from 'vitest';
import { describeFailure, formatStack, type StackPageInput } from '../../lib/cli/format-stack.ts';
import type { RunOutcome } from '../../lib/domain/run.ts';
import { suspend } from '../../lib/domain/suspension.ts';
import type { Stack } from '../../lib/domain/transition.ts';
import { aResult } from '../support/builders.ts';
import { aRun } from '../support/run-builder.ts';
import { aDriftedSummary, aStack, aSummary, lost, result, runOnce, START } from '../support/stack-builder.ts';

const at = (minutes: number) => new Date(START.getTime() + minutes * 60_000);
const layout = { color: false, width: 100, now: at(12) };

const page = (stack: Stack, more: Partial<StackPageInput> = {}): string =>
  formatStack({ stack, lastRun: undefined, origins: new Map(), ...more }, layout);

const topFindings = [
  { address: 'aws_sqs_queue.jobs', class: 'changed-outside', severity: 'high', paths: ['policy'] },
  { address: 'module.a["x\u001b[2J"].aws_sns_topic.t', class: 'not-invented-yet', severity: 'low', paths: [] },
] as const;
const drifted = runOnce(
  aStack(),
  result(
    aDriftedSummary('f', {
      severity: 'high',
      counts: aResult({ counts: { drift: 4, change: 4 } }).counts,
      topFindings,
      commit: 'c0ffee',
    }),
  ),
  at(1),
  'run-1',
);

describe('formatStack', () => {
  it('tells how a stack is, why, and what it is made of', () => {
    const dueAt55 = { ...drifted, state: { ...drifted.state, nextDueAt: at(55).toISOString() } };

    expect(page(dueAt55)).toBe(`≠ prod/network  drifted  for 10m, since 2026-03-02 09:02:00 UTC

  findings         4 drifted
  plan             0 to add, 4 to change, 0 to destroy
  episode          drift for 10m, 1 check, high
  last check       2026-03-02 09:02:00 UTC (10m ago), run run-1
  last good check  2026-03-02 09:02:00 UTC (10m ago)
  commit           c0ffee
  next check       in 43m

Needs attention
  high      aws_sqs_queue.jobs
            changed outside Terraform, policy
  low       module.a["x\\u001b[2J"].aws_sns_topic.t
            not-invented-yet
  +2 more: "holdfast run show RUN" has all of them

Specification
  source       https://git.example.com/infra.git main environments/prod/network
  engine       terraform
  region       eu-west-1
  planRole     arn:aws:iam::111122223333:role/holdfast-plan
  schedule     every 1h
  timeout      30m
  retry        1 attempt, 1m apart
  task         1024 CPU units, 2048 MiB, arm64
  remediation  alert
  routes       default
  labels       env:prod
  owner        platform
`);
  });

  it('says where settings come from, where that is known', () => {
    const origins = new Map([
      ['timeout', 'defaults, catalogue.yaml:3'],
      ['retry.attempts', 'context prod, catalogue.yaml:9'],
      ['retry.backoff', 'built in'],
      ['labels[0]', 'stack, catalogue.yaml:20'],
    ]);
    const text = page(drifted, { origins });

    expect(text).toContain('timeout      30m  [defaults, catalogue.yaml:3]');
    expect(text).toContain('1 attempt, 1m apart  [context prod, catalogue.yaml:9, built in]');
    expect(text).toContain('env:prod  [stack, catalogue.yaml:20]');
  });

  it('says that a stack was not checked yet', () => {
    expect(page(aStack())).toMatch(
      /^· prod\/network {2}not checked yet\n\n {2}last check {7}never\n {2}last good check {2}never\n/,
    );
  });

  const failure = { code: 'TaskLost', message: 'no such module' };

  it.each<[string, RunOutcome]>([
    ['has a result', result(aSummary({ verdict: 'failed', failure }))],
    ['has none', lost(failure.message)],
  ])('tells why the last check failed where the run %s', (_, outcome) => {
    const failed = runOnce(drifted, outcome, at(3));

    expect(page(failed, { lastRun: aRun({ outcome }) })).toContain(`  reason           TaskLost: no such module\n`);
    expect(page(failed)).toContain('  failures         1 in a row\n');
  });

  it('tells why nothing is checked', () => {
    expect(page({ ...drifted, state: suspend(drifted.state, 'migration') })).toMatch(
      /next check {7}suspended\n {2}suspended {8}migration\n/,
    );
  });

  it('tells what is special about an episode', () => {
    const { episode } = drifted.state;
    if (episode === null) throw new TypeError('no episode');
    const state = {
      ...drifted.state,
      episode: { ...episode, consecutive: 3, flapping: true, absorbed: true, announced: false },
    };

    expect(page({ ...drifted, state }).replace(/\s+/g, ' ')).toContain(
      'drift for 10m, 3 checks in a row, high, flapping, accepted into the state, not announced yet',
    );
  });

  it('names no commit where there was none', () => {
    const plain = runOnce(aStack(), result(aSummary({ commit: '0'.repeat(40) })), at(1));

    expect(page(plain)).not.toContain('commit');
  });
});

describe('describeFailure', () => {
  it('has code, message, place and hint', () => {
    expect(
      describeFailure({
        code: 'InitFailed',
        message: 'no such module',
        location: { file: 'main.tf', line: 3 },
        hint: 'look',
      }),
    ).toBe('InitFailed: no such module (main.tf:3); hint: look');
  });
});
