import { catalogueFailure } from '../domain/catalogue-problem.ts';
import { HoldfastError } from '../domain/errors.ts';
import { describeProvenance, provenanceOf } from '../domain/resolved-stack.ts';
import { type LoadCatalogueDeps, type LoadCatalogueInput, loadCatalogue } from './load-catalogue.ts';

export interface FindOriginsInput extends LoadCatalogueInput {
  readonly stackId: string;
}

/**
 * Where a catalogue takes each field of a stack from, such as `context production, catalogue.yaml:12`, by the names of the
 * fields. Throws `CatalogueInvalid` with its first error, and `StackNotFound`.
 */
export async function findOrigins(
  deps: LoadCatalogueDeps,
  { repository, stackId }: FindOriginsInput,
): Promise<ReadonlyMap<string, string>> {
  const { stacks, problems } = await loadCatalogue(deps, { repository });
  const failure = catalogueFailure(problems);
  if (failure !== undefined) {
    const { message, location, hint } = failure;
    throw new HoldfastError('CatalogueInvalid', message, { location, hint });
  }
  const stack = stacks.find(({ spec }) => spec.id === stackId);
  if (stack === undefined) throw new HoldfastError('StackNotFound', `the catalogue has no stack "${stackId}"`);
  return new Map(provenanceOf(stack).map((origin) => [origin.field, describeProvenance(origin)]));
}
