import type { CatalogueStore } from '../ports/catalogue-store.ts';
import { parseLatestCatalogue } from './catalogue-file.ts';
import { toJsonText } from './json-text.ts';

/** Keeps the latest catalogue as the text it would have in a bucket. */
export function createMemoryCatalogueStore(objects: { latest?: string } = {}): CatalogueStore {
  return {
    put: async (latest) => {
      objects.latest = toJsonText(latest);
    },
    get: async () => (objects.latest === undefined ? undefined : parseLatestCatalogue(objects.latest)),
  };
}
