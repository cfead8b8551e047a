import { type CatalogueProblem, errorAt, tellTogether, warningAt } from './catalogue-problem.ts';
import { placeOfField, type ResolvedStack } from './resolved-stack.ts';
import { FARGATE_SIZES } from './task-step-up.ts';

// A spec is an item of the table, which holds 400 KB and keeps state and unpublished events as well.
const MOST_CHARACTERS = 100_000;

/** What can be seen from one stack at a time. */
export function lintStacks(stacks: readonly ResolvedStack[]): readonly CatalogueProblem[] {
  return [...noRoutes(stacks), ...unknownSizes(stacks), ...impossibleApprovals(stacks), ...stacks.flatMap(tooLarge)];
}

function noRoutes(stacks: readonly ResolvedStack[]): readonly CatalogueProblem[] {
  const silent = stacks.filter(({ spec }) => spec.routes.length === 0);
  return tellTogether(
    silent,
    ({ place }) => place,
    (place, who) =>
      warningAt(place, {
        code: 'no-route',
        message: `nobody hears of drift in ${who}: no route`,
        hint: 'Give the stack routes, or all of them under defaults.',
      }),
  );
}

function unknownSizes(stacks: readonly ResolvedStack[]): readonly CatalogueProblem[] {
  const unknown = stacks.filter(({ spec: { task } }) => !memoryFor(task.cpu)?.includes(task.memoryMiB));
  return tellTogether(
    unknown,
    (stack) => placeOfField(stack, 'task.memory', 'task.cpu'),
    (place, who, { spec: { task } }) => {
      const memory = memoryFor(task.cpu);
      return errorAt(place, {
        code: 'task-size-unknown',
        message: `Fargate has no task of ${task.cpu} CPU units with ${task.memoryMiB} MiB (${who})`,
        hint:
          memory === undefined
            ? `CPU units are ${FARGATE_SIZES.map(({ cpu }) => cpu).join(', ')}.`
            : `With ${task.cpu} CPU units memory is one of ${memory.join(', ')} MiB.`,
      });
    },
  );
}

function memoryFor(cpu: number): readonly number[] | undefined {
  return FARGATE_SIZES.find((size) => size.cpu === cpu)?.memoryMiB;
}

function impossibleApprovals(stacks: readonly ResolvedStack[]): readonly CatalogueProblem[] {
  const impossible = stacks.filter(
    ({ spec: { approval } }) => approval.approvers.length > 0 && approval.approvers.length < approval.required,
  );
  return tellTogether(
    impossible,
    (stack) => placeOfField(stack, 'approval.required', 'approval.approvers'),
    (place, who, { spec: { approval } }) =>
      errorAt(place, {
        code: 'approval-impossible',
        message: `${approval.required} have to approve, and only ${approval.approvers.length} may (${who})`,
        hint: 'Name more approvers, or none: then everybody who can sign in may approve.',
      }),
  );
}

function tooLarge({ spec, place }: ResolvedStack): readonly CatalogueProblem[] {
  const { length } = JSON.stringify(spec);
  if (length <= MOST_CHARACTERS) return [];
  const message = `stack "${spec.id}" has ${length} characters of settings, more than ${MOST_CHARACTERS}`;
  return [
    errorAt(place, { code: 'stack-too-large', message, hint: 'Move values into a variables file of the repository.' }),
  ];
}
