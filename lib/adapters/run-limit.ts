import { HoldfastError } from '../domain/errors.ts';

export interface RunLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

// Node fires a longer timer at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Hands the work a signal that is aborted when time is up or the caller wants it to stop. Its reason is the error to
 * throw then: `TimedOut`, or the caller's own where that is one of ours, else `Interrupted`.
 */
export async function withinLimits<T>(
  { timeoutMs, signal }: RunLimits,
  work: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(reasonOf(signal));
  const expire = () => {
    controller.abort(new HoldfastError('TimedOut', `the run took longer than ${timeoutMs / 1000} s and was stopped`));
  };
  const timer = setTimeout(expire, Math.min(timeoutMs, LONGEST_TIMER_MS));
  signal?.addEventListener('abort', interrupt, { once: true });
  if (signal?.aborted) interrupt();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', interrupt);
  }
}

function reasonOf(signal: AbortSignal | undefined): HoldfastError {
  if (signal?.reason instanceof HoldfastError) return signal.reason;
  return new HoldfastError('Interrupted', 'the run was interrupted');
}
