import type { Failure } from '../domain/finding.ts';
import type { StackSpec } from '../domain/stack-spec.ts';

/** What the sync task found last: the stacks of one commit, or why there are none. */
export type LatestCatalogue =
  | { readonly schemaVersion: 1; readonly commit: string; readonly stacks: readonly StackSpec[] }
  | {
      readonly schemaVersion: 1;
      /** `null` where not even the repository could be read. */
      readonly commit: string | null;
      readonly failure: Failure;
    };

/** `catalogue/latest.json` in the artefact bucket. */
export interface CatalogueStore {
  put(latest: LatestCatalogue): Promise<void>;
  /** `undefined`: none was written yet. Throws `ResultUnreadable` where there is one that can't be read. */
  get(): Promise<LatestCatalogue | undefined>;
}
