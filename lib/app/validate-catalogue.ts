import { lintCatalogue } from '../domain/catalogue-lint.ts';
import { sortProblems } from '../domain/catalogue-problem.ts';
import type { Clock } from '../ports/clock.ts';
import {
  type LoadCatalogueDeps,
  type LoadCatalogueInput,
  type LoadedCatalogue,
  loadCatalogue,
} from './load-catalogue.ts';

export interface ValidateCatalogueDeps extends LoadCatalogueDeps {
  readonly clock: Clock;
}

/** Loads a catalogue and holds it against every rule there is for one. Problems come sorted by their places. */
export async function validateCatalogue(
  deps: ValidateCatalogueDeps,
  input: LoadCatalogueInput,
): Promise<LoadedCatalogue> {
  const catalogue = await loadCatalogue(deps, input);
  const lint = lintCatalogue({ content: catalogue.content, catalogue, now: deps.clock.now() });
  return { ...catalogue, problems: sortProblems([...catalogue.problems, ...lint]) };
}
