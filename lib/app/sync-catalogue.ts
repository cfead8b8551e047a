import { catalogueFailure } from '../domain/catalogue-problem.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { Failure } from '../domain/finding.ts';
import type { OpenedCatalogue } from '../ports/catalogue-source.ts';
import type { CatalogueStore, LatestCatalogue } from '../ports/catalogue-store.ts';
import type { Clock } from '../ports/clock.ts';
import { validateCatalogue } from './validate-catalogue.ts';

export interface SyncCatalogueDeps {
  /** Fetches the catalogue, at one commit. */
  readonly open: () => Promise<OpenedCatalogue & { readonly commit: string }>;
  readonly catalogues: CatalogueStore;
  readonly clock: Clock;
}

/**
 * Reads the catalogue and writes down what it says, or why it can't be taken over. Written every time, changed or not:
 * that it is written shows that it is read, and makes good for a time that was not taken over. Throws where it can't be
 * written, and `Interrupted`, which says nothing about the catalogue.
 */
export async function syncCatalogue({ open, catalogues, clock }: SyncCatalogueDeps): Promise<LatestCatalogue> {
  const reading: { commit: string | null } = { commit: null };
  const latest = await read().catch((error: unknown): LatestCatalogue => {
    if (!(error instanceof HoldfastError) || error.code === 'Interrupted') throw error;
    return { schemaVersion: 1, commit: reading.commit, failure: toFailure(error) };
  });
  await catalogues.put(latest);
  return latest;

  async function read(): Promise<LatestCatalogue> {
    const { source, repository, commit } = await open();
    reading.commit = commit;
    const { stacks, problems } = await validateCatalogue({ source, clock }, { repository });
    const failure = catalogueFailure(problems);
    if (failure !== undefined) return { schemaVersion: 1, commit, failure };
    return { schemaVersion: 1, commit, stacks: stacks.map(({ spec }) => spec) };
  }
}

function toFailure({ code, message, location, hint }: HoldfastError): Failure {
  return { code, message, ...(location !== undefined && { location }), ...(hint !== undefined && { hint }) };
}
