import { isDue } from './claim.ts';
import { allowedAt, nextAllowed, nextDueAt } from './schedule.ts';
import type { StackSpec } from './stack-spec.ts';
import type { StackState } from './stack-state.ts';
import { suspensionOf } from './suspension.ts';
import type { Stack } from './transition.ts';

export interface LaunchLimits {
  /** Runs that may be started now. */
  readonly room: number;
  /** Runs in flight at the same time in one account; `null`: as many as there is room for. */
  readonly perAccount: number | null;
}

export interface PlanInput {
  /** Stacks that the index calls due, the one that waits longest first. */
  readonly due: readonly Stack[];
  /** States of the stacks that those depend on, by id; one that is unknown keeps nobody waiting. */
  readonly dependencies: ReadonlyMap<string, StackState>;
  /** Accounts of the runs in flight, one entry a run. */
  readonly busyAccounts: readonly string[];
  readonly limits: LaunchLimits;
  readonly now: Date;
}

export interface LaunchPlan {
  readonly launch: readonly Stack[];
  /** Stacks that step aside until then, so that they don't keep others from being seen. `null`: for good. */
  readonly postpone: readonly { readonly stack: Stack; readonly until: Date | null }[];
}

type Decision =
  | { readonly kind: 'launch' }
  | { readonly kind: 'postpone'; readonly until: Date | null }
  /** Not now, and it keeps its place. */
  | { readonly kind: 'wait' };

/** How long the stacks of an account that is at its limit step aside: a check takes about as long. */
const ACCOUNT_BUSY_MS = 2 * 60_000;

/** Which due stacks to launch now. */
export function planLaunches({ due, dependencies, busyAccounts, limits, now }: PlanInput): LaunchPlan {
  const launch: Stack[] = [];
  const postpone: { stack: Stack; until: Date | null }[] = [];
  const runsIn = Map.groupBy(busyAccounts, (account) => account);
  const counts = new Map([...runsIn].map(([account, runs]) => [account, runs.length]));
  for (const stack of due) {
    if (launch.length >= limits.room) break;
    const account = accountOf(stack.spec);
    const running = counts.get(account) ?? 0;
    const full = limits.perAccount !== null && running >= limits.perAccount;
    const decision = decide(stack, dependencies, full, now);
    if (decision.kind === 'postpone') postpone.push({ stack, until: decision.until });
    if (decision.kind !== 'launch') continue;
    counts.set(account, running + 1);
    launch.push(stack);
  }
  return { launch, postpone };
}

// Whoever asks for a check is there to see it: windows, blackouts and order are for those that come by themselves.
function decide(stack: Stack, dependencies: PlanInput['dependencies'], full: boolean, now: Date): Decision {
  const { spec, state } = stack;
  if (state.nextDueAt === null || !isDue(state, now)) return { kind: 'wait' };
  if (state.dueBecause === 'manual') return { kind: full ? 'wait' : 'launch' };
  // A new spec gives a due time even to a stack that is suspended by hand.
  if (suspensionOf(stack) !== null) return { kind: 'postpone', until: null };
  if (!allowedAt(spec.timing, now)) return { kind: 'postpone', until: nextAllowed(spec.timing, now) };
  if (waitsForOthers(spec, new Date(state.nextDueAt), dependencies, now)) return { kind: 'wait' };
  return full ? { kind: 'postpone', until: new Date(now.getTime() + ACCOUNT_BUSY_MS) } : { kind: 'launch' };
}

/** A stack waits while one that it depends on is due or in flight, but never past the time of its own next check. */
function waitsForOthers(spec: StackSpec, due: Date, dependencies: PlanInput['dependencies'], now: Date): boolean {
  const states = spec.dependsOn.flatMap((id) => dependencies.get(id) ?? []);
  if (!states.some((state) => state.inFlight !== null || isDue(state, now))) return false;
  const patience = nextDueAt(spec.timing, spec.id, due);
  return patience !== null && now < patience;
}

/** The account in which a stack's plan role is, `home` where the runner's own role serves. */
export function accountOf({ planRole }: StackSpec): string {
  return /^arn:[^:]+:iam::(\d{12}):/.exec(planRole ?? '')?.[1] ?? 'home';
}

/** The stack with another due time; why it is due stays. */
export function postponed(state: StackState, until: Date | null): StackState {
  return { ...state, version: state.version + 1, nextDueAt: until?.toISOString() ?? null };
}
