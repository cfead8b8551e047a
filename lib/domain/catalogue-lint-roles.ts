import { type CatalogueProblem, errorAt, tellTogether, warningAt } from './catalogue-problem.ts';
import { placeOfField, type ResolvedStack } from './resolved-stack.ts';

/** A check must not be able to write, and a remediation has to be. */
export function lintRoles(stacks: readonly ResolvedStack[]): readonly CatalogueProblem[] {
  const equal = stacks.filter(({ spec }) => spec.planRole !== null && spec.planRole === spec.applyRole);
  const missing = stacks.filter(
    ({ spec }) => spec.planRole !== null && spec.applyRole === null && spec.remediation.mode !== 'alert',
  );
  return [
    ...tellTogether(
      equal,
      (stack) => placeOfField(stack, 'planRole'),
      (place, who) =>
        errorAt(place, {
          code: 'roles-equal',
          message: `checks of ${who} would run with the role that applies`,
          hint: 'planRole may only read. Without remediation leave applyRole out.',
        }),
    ),
    ...tellTogether(
      missing,
      (stack) => placeOfField(stack, 'remediation.mode'),
      (place, who) =>
        warningAt(place, {
          code: 'role-missing',
          message: `remediation of ${who} has no role to apply with`,
          hint: 'Name an applyRole, or set remediation: { mode: alert }.',
        }),
    ),
  ];
}
