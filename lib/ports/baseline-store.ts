import type { Baseline } from '../domain/baseline.ts';

export interface BaselineStore {
  /** The baseline of a stack; `undefined` where there is none. Throws `BaselineUnreadable` where there is one that can't be read. */
  load(stack: string): Promise<Baseline | undefined>;
  save(stack: string, baseline: Baseline): Promise<void>;
}
