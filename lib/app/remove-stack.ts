import { judgeEnding } from '../domain/task-end.ts';
import type { Clock } from '../ports/clock.ts';
import type { RunStore } from '../ports/run-store.ts';
import { type PublishOutboxDeps, publishOutbox } from './publish-outbox.ts';

export interface RemoveStackDeps extends PublishOutboxDeps {
  readonly runs: RunStore;
  readonly clock: Clock;
}

/**
 * Forgets a stack, but neither its events nor its run: those are published first, and this one is finished, because
 * nobody will look after it any more. Its task ends by itself and changes nothing.
 */
export async function removeStack(deps: RemoveStackDeps, { stackId }: { readonly stackId: string }): Promise<void> {
  const stack = await deps.stacks.get(stackId);
  if (stack === undefined) return;
  await publishOutbox(deps, stack);
  const { inFlight } = stack.state;
  const run = inFlight === null ? undefined : await deps.runs.get(inFlight.runId);
  if (run !== undefined) {
    await deps.runs.finish(run.runId, judgeEnding({ kind: 'stack-removed' }, run.task), deps.clock.now());
  }
  await deps.stacks.remove(stackId);
}
