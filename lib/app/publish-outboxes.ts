import { type PublishOutboxDeps, publishOutbox } from './publish-outbox.ts';
import { settleAll } from './settle-all.ts';

export interface PublishOutboxesReport {
  /** Stacks whose events are still to be published. */
  readonly backlog: number;
  readonly errors: readonly unknown[];
}

/** Publishes what a crash or a refusal has left behind, of at most `limit` stacks. */
export async function publishOutboxes(
  deps: PublishOutboxDeps,
  { limit }: { readonly limit: number },
): Promise<PublishOutboxesReport> {
  const { errors } = await settleAll({
    items: await deps.stacks.withOutbox(limit),
    concurrency: 8,
    work: async (stackId) => {
      const stack = await deps.stacks.get(stackId);
      if (stack !== undefined) await publishOutbox(deps, stack);
    },
  });
  return { backlog: errors.length, errors };
}
