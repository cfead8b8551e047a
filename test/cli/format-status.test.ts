import { describe, expect, it } from 'vitest';
import { formatStatus, formatStatusJson } from '../../lib/cli/format-status.ts';
import { claimRun, noteTask, requestCheck } from '../../lib/domain/claim.ts';
import { suspend } from '../../lib/domain/suspension.ts';
import type { Stack } from '../../lib/domain/transition.ts';
import { aResult } from '../support/builders.ts';
import { aDriftedSummary, aStack, aSummary, HOUR, lost, result, runOnce, START } from '../support/stack-builder.ts';

const MINUTE = 60_000;
const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE);
const layout = { color: false, width: 120, now: at(12) };

/** When a schedule comes next depends on the id of the stack. */
const dueAt55 = ({ spec, state }: Stack): Stack => ({ spec, state: { ...state, nextDueAt: at(55).toISOString() } });

const inSync = dueAt55(runOnce(aStack({ id: 'dev/workers' }), result(aSummary()), at(0)));
const drifted = dueAt55(
  runOnce(
    aStack({ id: 'prod/network', owner: 'network' }),
    result(aDriftedSummary('f', { severity: 'high', counts: aResult({ counts: { drift: 2, pending: 1 } }).counts })),
    at(5),
  ),
);

describe('formatStatus', () => {
  it('has a line for each stack: verdict, since when, findings, last good check, what comes next, owner', () => {
    const lines = formatStatus([inSync, drifted], layout);

    expect(lines).toEqual([
      '   STACK         VERDICT  SINCE  FINDINGS                    LAST GOOD CHECK  NEXT    OWNER',
      '✓  dev/workers   in sync  11m                                11m ago          in 43m  platform',
      '≠  prod/network  drifted  6m     high: 2 drifted, 1 pending  6m ago           in 43m  network',
      '',
      '2 stacks: 1 in sync, 1 drifted',
      'Needs attention: prod/network',
    ]);
  });

  it('says so where a stack was not checked yet', () => {
    const [, line, , summary] = formatStatus([dueAt55(aStack({ owner: null }))], layout);

    expect(line).toBe('·  prod/network  not checked yet  never            in 43m');
    expect(summary).toBe('1 stack: 1 not checked yet');
  });

  it('says so where there is no stack', () => {
    expect(formatStatus([], layout)).toEqual(['no stacks: the catalogue has none, or was not read yet']);
  });

  it.each([
    ['is running', claimRun(inSync, { runId: 'r', now: at(11) }), 'queued 60s'],
    ['has its task', noteTask(claimRun(inSync, { runId: 'r', now: at(11) }), 'r', 'arn'), 'running 60s'],
    ['was asked for', requestCheck(inSync.state, at(12)), 'asked for'],
    ['is due', { ...inSync.state, nextDueAt: at(10).toISOString() }, 'due'],
    [
      'is tried again',
      { ...inSync.state, nextDueAt: at(13).toISOString(), dueBecause: 'retry' as const },
      'retry in 60s',
    ],
    ['never comes', { ...inSync.state, nextDueAt: null }, 'never'],
    ['is suspended', suspend(inSync.state, 'migration'), 'suspended'],
  ])('tells what comes next where a check %s', (_, state, next) => {
    expect(formatStatus([{ ...inSync, state }], layout)[1]).toMatch(new RegExp(` {2}${next} +platform$`));
  });

  it('names the failure of a stack that has no verdict, and how often it failed in a row', () => {
    const failure = { code: 'InitFailed', message: 'no such module' };
    const summary = aSummary({ verdict: 'failed', complete: false, failure });
    const once = runOnce(drifted, result(summary), at(6));
    const [, twice] = formatStatus([runOnce(once, result(summary), at(8))], layout);

    expect(formatStatus([once], layout)[1]).toContain('✗  prod/network  failed   5m     InitFailed  6m ago');
    expect(twice).toContain('InitFailed, 2 times in a row');
  });

  it('shows no findings of an earlier check beside a run that was lost', () => {
    expect(formatStatus([runOnce(drifted, lost(), at(6))], layout)[1]).toMatch(
      /✗ {2}prod\/network {2}failed {3}5m {5}6m ago/,
    );
  });

  it('says which stacks have had no good check for too long, and counts them', () => {
    const state = { ...drifted.state, overdueAnnounced: true };
    const lines = formatStatus([{ ...drifted, state }], layout);

    expect(lines[1]).toContain('6m ago, overdue');
    expect(lines[3]).toBe('1 stack: 1 drifted, 1 overdue');
  });

  it('asks nobody to look at what somebody has suspended', () => {
    const lines = formatStatus([{ ...drifted, state: suspend(drifted.state, 'migration') }], layout);

    expect(lines.at(-1)).toBe('1 stack: 1 drifted, 1 suspended');
  });

  it('never shows a check of a part of a stack as in sync', () => {
    const part = runOnce(aStack(), result(aSummary({ complete: false })), at(0));

    expect(formatStatus([part], layout)[1]).toMatch(/^\? {2}prod\/network {2}incomplete {2}11m {4}never/);
  });

  it('names at most ten stacks that need attention', () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ ...drifted, spec: { ...drifted.spec, id: `s${index}` } }));

    expect(formatStatus(many, { ...layout, width: 200 }).at(-1)).toMatch(/: s0, .*, s9, \+2 more$/);
  });

  it('fits a narrow terminal', () => {
    for (const line of formatStatus([inSync, drifted], { ...layout, width: 82 }))
      expect(line.length).toBeLessThanOrEqual(82);
  });
});

describe('formatStatusJson', () => {
  it('has what the table has, and more, for programs', () => {
    const [entry] = JSON.parse(formatStatusJson([drifted]));

    expect(entry).toEqual({
      id: 'prod/network',
      verdict: 'drifted',
      complete: true,
      since: at(6).toISOString(),
      severity: 'high',
      counts: drifted.state.lastSummary?.counts,
      failures: 0,
      failure: null,
      lastCheckAt: at(6).toISOString(),
      lastGoodCheckAt: at(6).toISOString(),
      overdue: false,
      nextDueAt: drifted.state.nextDueAt,
      inFlight: null,
      suspended: null,
      episode: { id: expect.any(String), startedAt: at(6).toISOString(), consecutive: 1 },
      lastRunId: `run-${at(5).getTime()}`,
      owner: 'network',
      labels: ['env:prod'],
    });
  });

  it('tells what runs, and why a check failed', () => {
    const failure = { code: 'InitFailed', message: 'no such module' };
    const failed = runOnce(aStack(), result(aSummary({ verdict: 'failed', failure })), at(0));
    const state = claimRun(failed, { runId: 'r', now: at(HOUR / MINUTE) });
    const [entry] = JSON.parse(formatStatusJson([{ ...failed, state }]));

    expect(entry).toMatchObject({
      failure,
      inFlight: { runId: 'r', trigger: 'schedule', startedAt: at(60).toISOString() },
    });
  });
});
