import pLimit from 'p-limit';

export interface Settled<Result> {
  readonly results: readonly Result[];
  readonly errors: readonly unknown[];
}

export interface SettleAllInput<Item, Result> {
  readonly items: readonly Item[];
  readonly concurrency: number;
  readonly work: (item: Item) => Promise<Result>;
}

/** Works through all items, so that one that fails keeps no other waiting. The caller owes somebody the errors. */
export async function settleAll<Item, Result>(input: SettleAllInput<Item, Result>): Promise<Settled<Result>> {
  const { items, concurrency, work } = input;
  const limit = pLimit(concurrency);
  const settled = await Promise.allSettled(items.map((item) => limit(work, item)));
  return {
    results: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    errors: settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])),
  };
}
