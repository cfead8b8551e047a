import type { Baseline } from '../domain/baseline.ts';
import type { BaselineStore } from '../ports/baseline-store.ts';

/** Forgets everything when the process ends: for checks that have nowhere to keep a baseline. */
export function createMemoryBaselineStore(): BaselineStore {
  const baselines = new Map<string, Baseline>();
  return {
    load: async (stack) => baselines.get(stack),
    save: async (stack, baseline) => {
      baselines.set(stack, baseline);
    },
  };
}
