import { setTimeout } from 'node:timers/promises';

export interface RepeatOptions {
  readonly everyMs: number;
  /** Ends the repetition; work that is under way is waited for. */
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Does something at once and then again and again, never twice at a time. One failure is no reason to stop. */
export async function repeat(work: () => Promise<unknown>, { everyMs, signal, onError }: RepeatOptions): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    await work().catch(onError);
    const rest = Math.max(0, everyMs - (performance.now() - startedAt));
    await setTimeout(rest, undefined, { signal }).catch(() => undefined);
  }
}
