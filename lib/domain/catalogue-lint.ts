import type { CatalogueContent } from './catalogue-content.ts';
import { lintContexts } from './catalogue-lint-contexts.ts';
import { lintRoles } from './catalogue-lint-roles.ts';
import { lintRules } from './catalogue-lint-rules.ts';
import { lintSchedules } from './catalogue-lint-schedules.ts';
import { lintSecrets } from './catalogue-lint-secrets.ts';
import { lintStacks } from './catalogue-lint-stacks.ts';
import { lintStates } from './catalogue-lint-states.ts';
import type { CatalogueProblem } from './catalogue-problem.ts';
import type { ResolvedCatalogue } from './catalogue-resolve.ts';

export interface LintInput {
  readonly content: CatalogueContent;
  readonly catalogue: ResolvedCatalogue;
  readonly now: Date;
}

/** What is well-formed and still wrong, or most likely not what is meant. */
export function lintCatalogue({ content, catalogue, now }: LintInput): readonly CatalogueProblem[] {
  const { stacks } = catalogue;
  return [
    ...lintSchedules(content, stacks, now),
    ...lintStates(stacks),
    ...lintRoles(stacks),
    ...lintStacks(stacks),
    ...lintSecrets(content, stacks),
    ...lintRules(content, catalogue, now),
    ...lintContexts(content, catalogue),
  ];
}
