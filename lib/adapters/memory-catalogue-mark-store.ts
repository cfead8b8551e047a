import type { CatalogueMarkStore, CatalogueMarks } from '../ports/catalogue-marks.ts';

/** Forgets everything when the process ends. */
export function createMemoryCatalogueMarkStore(): CatalogueMarkStore {
  let kept: CatalogueMarks = { applied: null, announced: [] };
  return {
    get: async () => kept,
    put: async (marks) => {
      kept = marks;
    },
  };
}
