import { suspensionOf } from '../domain/suspension.ts';
import { noteOverdue } from '../domain/transition.ts';
import type { Clock } from '../ports/clock.ts';
import type { StackStore, StoredStack } from '../ports/stack-store.ts';
import { changeStack } from './change-stack.ts';
import { settleAll } from './settle-all.ts';

export interface MeasureCoverageDeps {
  readonly stacks: StackStore;
  readonly clock: Clock;
}

/** How well the stacks are looked after. */
export interface Coverage {
  /** Stacks that are not suspended. */
  readonly active: number;
  /** Active stacks with a good check within two of their intervals. */
  readonly covered: number;
  /** Active stacks that had none for two intervals; a new one that waits for its first check is in neither number. */
  readonly overdue: number;
  readonly suspended: number;
  /** Of the active stacks, those that are covered, in percent; 100 where there are none. */
  readonly percent: number;
  readonly errors: readonly unknown[];
}

type Standing = 'covered' | 'waiting' | 'overdue' | 'suspended';

/** Looks at every stack, and notes of those that have become overdue that they are: their events wait in the outbox. */
export async function measureCoverage(deps: MeasureCoverageDeps): Promise<Coverage> {
  const count = { covered: 0, waiting: 0, overdue: 0, suspended: 0 };
  const errors: unknown[] = [];
  let page: string | undefined;
  do {
    const { stacks, next } = await deps.stacks.list(page);
    const settled = await settleAll({ items: stacks, concurrency: 8, work: (stack) => judgeStack(deps, stack) });
    for (const standing of settled.results) count[standing] += 1;
    errors.push(...settled.errors);
    page = next;
  } while (page !== undefined);
  const { covered, overdue, suspended } = count;
  const active = covered + overdue + count.waiting;
  return { active, covered, overdue, suspended, percent: active === 0 ? 100 : (100 * covered) / active, errors };
}

async function judgeStack(deps: MeasureCoverageDeps, stack: StoredStack): Promise<Standing> {
  const now = deps.clock.now();
  const noted = await changeStack(deps.stacks, {
    stackId: stack.spec.id,
    known: stack,
    change: (current) => noteOverdue(current, now),
  });
  if (noted.kind === 'missing' || suspensionOf(noted.stack) !== null) return 'suspended';
  const { overdueAnnounced, lastGoodCheckAt } = noted.stack.state;
  if (overdueAnnounced) return 'overdue';
  return lastGoodCheckAt === null ? 'waiting' : 'covered';
}
