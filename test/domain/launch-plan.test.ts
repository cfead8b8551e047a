import { describe, expect, it } from 'vitest';
import { claimRun } from '../../lib/domain/claim.ts';
import { accountOf, type LaunchLimits, type PlanInput, planLaunches, postponed } from '../../lib/domain/launch-plan.ts';
import type { StackSpec } from '../../lib/domain/stack-spec.ts';
import type { StackState } from '../../lib/domain/stack-state.ts';
import { suspend } from '../../lib/domain/suspension.ts';
import type { Stack } from '../../lib/domain/transition.ts';
import { aSpec, aStack, aTiming, HOUR, START } from '../support/stack-builder.ts';

const NOW = START;
const MINUTE = 60_000;
const at = (ms: number) => new Date(NOW.getTime() + ms).toISOString();

const due = (id: string, spec: Partial<StackSpec> = {}, state: Partial<StackState> = {}): Stack =>
  aStack({ id, ...spec }, { nextDueAt: at(0), ...state });

const NO_LIMITS: LaunchLimits = { room: 100, perAccount: null };

const plan = (stacks: readonly Stack[], over: Partial<PlanInput> = {}) => {
  const dependencies = new Map(stacks.map(({ spec, state }) => [spec.id, state]));
  const input = { due: stacks, dependencies, busyAccounts: [], limits: NO_LIMITS, now: NOW, ...over };
  const { launch, postpone } = planLaunches(input);
  return {
    launch: launch.map(({ spec }) => spec.id),
    postpone: postpone.map(({ stack, until }) => [stack.spec.id, until?.toISOString() ?? null]),
  };
};

const role = (account: string) => ({ planRole: `arn:aws:iam::${account}:role/plan` });

describe('planLaunches', () => {
  it('launches what is due, in order, as far as there is room', () => {
    const stacks = [due('a'), due('b'), due('c')];
    expect(plan(stacks, { limits: { ...NO_LIMITS, room: 2 } }).launch).toEqual(['a', 'b']);
  });

  it('passes over what the index calls due and is not', () => {
    const inFlight = due('b');
    const stacks = [
      due('a', {}, { nextDueAt: at(1) }),
      { ...inFlight, state: claimRun(inFlight, { runId: 'run-1', now: NOW }) },
      due('c'),
    ];
    expect(plan(stacks)).toEqual({ launch: ['c'], postpone: [] });
  });

  describe('with windows and blackouts', () => {
    // START is Monday, 9:00.
    const span = { days: [], from: '08:00', to: '10:00', timezone: 'UTC' };
    const blackout = { timing: aTiming({ blackouts: [span] }) };

    it('puts a stack off until it may start', () => {
      expect(plan([due('a', blackout)])).toEqual({ launch: [], postpone: [['a', at(HOUR)]] });
    });

    it('puts a stack off for good that never may', () => {
      const always = { ...span, from: '00:00', to: '00:00' };
      expect(plan([due('a', { timing: aTiming({ blackouts: [always] }) })]).postpone).toEqual([['a', null]]);
    });

    it('launches a check that somebody asked for all the same', () => {
      expect(plan([due('a', blackout, { dueBecause: 'manual' })]).launch).toEqual(['a']);
    });
  });

  describe('with a suspension', () => {
    it('takes the stack out of the queue', () => {
      const stack = due('a');
      const state = { ...suspend(stack.state, 'incident'), nextDueAt: at(0) };
      expect(plan([{ ...stack, state }])).toEqual({ launch: [], postpone: [['a', null]] });
    });

    it('launches a check that somebody asked for all the same', () => {
      expect(plan([due('a', { suspended: 'retired' }, { dueBecause: 'manual' })]).launch).toEqual(['a']);
    });
  });

  describe('with dependencies', () => {
    it('launches a stack after those it depends on, wherever they stand', () => {
      const stacks = [due('app', { dependsOn: ['network'] }), due('network')];
      expect(plan(stacks)).toEqual({ launch: ['network'], postpone: [] });
    });

    it('waits while one of them is in flight', () => {
      const network = due('network');
      const state = claimRun(network, { runId: 'run-1', now: NOW });
      const app = due('app', { dependsOn: ['network'] });
      expect(plan([app], { dependencies: new Map([['network', state]]) }).launch).toEqual([]);
    });

    it('waits for none that is neither due nor in flight, or unknown', () => {
      const network = due('network', {}, { nextDueAt: at(HOUR) });
      const app = due('app', { dependsOn: ['network', 'gone'] });
      expect(plan([app], { dependencies: new Map([['network', network.state]]) }).launch).toEqual(['app']);
    });

    it('waits no longer than its own interval', () => {
      const app = due('app', { dependsOn: ['network'] });
      const dependencies = new Map([['network', due('network').state]]);
      const launchedAt = (now: Date) => plan([app], { dependencies, now }).launch;
      expect(launchedAt(new Date(NOW.getTime() + HOUR / 60))).toEqual([]);
      expect(launchedAt(new Date(NOW.getTime() + HOUR))).toEqual(['app']);
    });

    it('does not wait where there is no next check of its own', () => {
      const once = aTiming({ schedules: [{ kind: 'cron', expression: '0 0 30 2 *', timezone: 'UTC' }] });
      const stacks = [due('app', { dependsOn: ['network'], timing: once }), due('network')];
      expect(plan(stacks).launch).toEqual(['app', 'network']);
    });

    it('launches a check that somebody asked for all the same', () => {
      const stacks = [due('app', { dependsOn: ['network'] }, { dueBecause: 'manual' }), due('network')];
      expect(plan(stacks).launch).toEqual(['app', 'network']);
    });
  });

  describe('with a limit per account', () => {
    const limits = { ...NO_LIMITS, perAccount: 2 };

    it('counts what is in flight and what it launches, account by account', () => {
      const stacks = [
        due('a1', role('111111111111')),
        due('a2', role('111111111111')),
        due('b1', role('222222222222')),
      ];
      expect(plan(stacks, { limits, busyAccounts: ['111111111111'] })).toEqual({
        launch: ['a1', 'b1'],
        postpone: [['a2', at(2 * MINUTE)]],
      });
    });

    it('keeps the place of a check that somebody asked for', () => {
      const stacks = [due('a', role('111111111111'), { dueBecause: 'manual' })];
      const busyAccounts = ['111111111111', '111111111111'];
      expect(plan(stacks, { limits, busyAccounts })).toEqual({ launch: [], postpone: [] });
    });
  });
});

describe('accountOf', () => {
  it('reads the account of the plan role', () => {
    expect(accountOf(aSpec({ planRole: 'arn:aws-cn:iam::333333333333:role/x/plan' }))).toBe('333333333333');
  });

  it.each([null, 'plan'])('takes %j for a role at home', (planRole) => {
    expect(accountOf(aSpec({ planRole }))).toBe('home');
  });
});

describe('postponed', () => {
  it('moves the due time and nothing else', () => {
    const { state } = due('a', {}, { dueBecause: 'retry', nextAttempt: 2 });
    const until = new Date(at(HOUR));
    expect(postponed(state, until)).toEqual({ ...state, version: state.version + 1, nextDueAt: at(HOUR) });
    expect(postponed(state, null).nextDueAt).toBeNull();
  });
});
