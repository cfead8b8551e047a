import { clearOutbox } from '../domain/event-log.ts';
import type { EventPublisher } from '../ports/event-publisher.ts';
import type { StackStore, StoredStack } from '../ports/stack-store.ts';
import { changeStack } from './change-stack.ts';

export interface PublishOutboxDeps {
  readonly stacks: StackStore;
  readonly publisher: EventPublisher;
}

/**
 * Publishes a stack's events in their order, then forgets them. A crash or a refusal in between leaves all of them to the
 * next try: what was published already comes again under its old number, which consumers drop.
 */
export async function publishOutbox({ stacks, publisher }: PublishOutboxDeps, stack: StoredStack): Promise<void> {
  const { stackId, outbox } = stack.state;
  const last = outbox.at(-1)?.sequence;
  if (last === undefined) return;
  for (const event of outbox) await publisher.publish(event);
  await changeStack(stacks, {
    stackId,
    known: stack,
    change: ({ state }) => (state.outbox.some(({ sequence }) => sequence <= last) ? clearOutbox(state, last) : state),
  });
}
