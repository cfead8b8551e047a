import { type CatalogueContent, within } from './catalogue-content.ts';
import { type CatalogueProblem, warningAt } from './catalogue-problem.ts';
import type { ResolvedCatalogue } from './catalogue-resolve.ts';

/** Contexts that no stack has. */
export function lintContexts(
  { contexts }: CatalogueContent,
  { stacks, complete }: ResolvedCatalogue,
): readonly CatalogueProblem[] {
  if (!complete) return [];
  const used = new Set(stacks.flatMap((stack) => stack.contexts));
  return contexts
    .filter(({ value }) => !used.has(value.name))
    .map(({ value, place }) =>
      warningAt(within(place, 'name'), {
        code: 'context-unused',
        message: `no stack has the context "${value.name}"`,
        hint: 'Name it under contexts of a stack, or match labels that stacks have.',
      }),
    );
}
