import { formatEvent } from '../cli/format-event.ts';
import { describeFailure } from '../cli/format-stack.ts';
import { describeFindings } from '../cli/format-status.ts';
import { markOf } from '../cli/marks.ts';
import type { Output } from '../cli/output.ts';
import { createPaint, type Ink } from '../cli/palette.ts';
import { RUN_ID, STACK_ID } from '../contract/env.ts';
import { describeDuration, describeVerdict } from '../domain/describe.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { RunOutcome } from '../domain/run.ts';
import { escapeUnsafe } from '../domain/scrub.ts';
import type { Clock } from '../ports/clock.ts';
import { settingOf } from './local-cluster.ts';
import type { LocalObserver } from './local-service.ts';

export interface LiveLogDeps {
  readonly output: Pick<Output, 'print' | 'color'>;
  readonly clock: Clock;
}

/** Width of what happened: the longest type of event. */
const KIND_WIDTH = 'catalogue.invalid'.length;

/** Says what the service does, one line for each thing. */
export function createLiveLog({ output, clock }: LiveLogDeps): LocalObserver {
  const paint = createPaint(output);
  const line = (kind: string, ink: Ink, stackId: string, text: string) => {
    const time = paint('dim', clock.now().toISOString().slice(11, 19));
    const parts = [time, paint(ink, kind.padEnd(KIND_WIDTH)), paint('bold', escapeUnsafe(stackId)), escapeUnsafe(text)];
    output.print(`${parts.filter((part) => part !== '').join('  ')}\n`);
  };
  return {
    onTask(task) {
      const stackId = settingOf(task, STACK_ID);
      if (stackId !== undefined) line('check started', 'dim', stackId, `run ${settingOf(task, RUN_ID)}`);
    },
    onRun(run) {
      if (run.kind === 'unknown' || !run.first) return;
      const { kind, ink, text } = describeOutcome(run.outcome);
      line(kind, ink, run.stackId, text);
    },
    onCatalogue(applied) {
      if (applied.kind === 'applied') {
        const { created, updated, removed } = applied;
        line('catalogue', 'green', '', `stacks: ${created} new, ${updated} changed, ${removed} removed`);
      }
      if (applied.kind === 'invalid') line('catalogue', 'red', '', describeFailure(applied.failure));
    },
    onEvent: (event) => output.print(`${formatEvent(event, paint)}\n`),
    onError(part, error) {
      for (const each of error instanceof AggregateError ? error.errors : [error]) {
        line('error', 'red', '', `${part}: ${messageOf(each)}`);
      }
    },
  };
}

function describeOutcome(outcome: RunOutcome): { readonly kind: string; readonly ink: Ink; readonly text: string } {
  if (outcome.kind === 'lost') return { kind: '✗ lost', ink: 'red', text: describeFailure(outcome.failure) };
  const { summary } = outcome;
  const { symbol, ink } = markOf(summary);
  const { failure, durationMs } = summary;
  const what = failure === null ? describeFindings(summary) : describeFailure(failure);
  const took = `in ${describeDuration(durationMs)}`;
  return { kind: `${symbol} ${describeVerdict(summary)}`, ink, text: what === '' ? took : `${what}, ${took}` };
}

function messageOf(error: unknown): string {
  if (error instanceof HoldfastError) return describeFailure(error);
  return error instanceof Error ? error.message : String(error);
}
