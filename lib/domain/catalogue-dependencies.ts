import { type CatalogueProblem, errorAt } from './catalogue-problem.ts';
import { didYouMean } from './nearest-word.ts';
import { placeOfField, type ResolvedStack } from './resolved-stack.ts';

/** Dependencies on stacks that are not there. `mayExist` tells of an id that nothing can be said about. */
export function unknownDependencies(
  stacks: readonly ResolvedStack[],
  mayExist: (id: string) => boolean,
): readonly CatalogueProblem[] {
  const ids = new Set(stacks.map(({ spec }) => spec.id));
  return stacks.flatMap((stack) =>
    stack.spec.dependsOn.flatMap((id, index) => {
      if (ids.has(id) || mayExist(id)) return [];
      return errorAt(placeOfField(stack, `dependsOn[${index}]`), {
        code: 'dependency-unknown',
        message: `stack "${stack.spec.id}" depends on "${id}", which is no stack`,
        hint: didYouMean(id, ids, 'Name the id of a stack of this catalogue.'),
      });
    }),
  );
}

/** Stacks that wait for each other. Of cycles that share a stack, one is told. */
export function dependencyCycles(stacks: readonly ResolvedStack[]): readonly CatalogueProblem[] {
  const byId = new Map(stacks.map((stack) => [stack.spec.id, stack]));
  const graph = new Map(stacks.map(({ spec }) => [spec.id, spec.dependsOn.filter((id) => byId.has(id))]));
  const problems: CatalogueProblem[] = [];
  for (;;) {
    removeEnds(graph);
    const cycle = walk(graph);
    const [first] = cycle;
    if (first === undefined) return problems;
    problems.push(tellCycle(byId.get(first) as ResolvedStack, cycle));
    for (const id of cycle) graph.delete(id);
  }
}

type Graph = Map<string, readonly string[]>;

/** Takes out what depends on nothing, again and again: each of the rest leads into a cycle. */
function removeEnds(graph: Graph): void {
  const waiting = new Map([...graph].map(([id, needs]) => [id, needs.filter((need) => graph.has(need)).length]));
  const dependents = new Map<string, string[]>();
  for (const [id, needs] of graph)
    for (const need of needs) dependents.set(need, [...(dependents.get(need) ?? []), id]);
  const ends = [...waiting].flatMap(([id, count]) => (count === 0 ? id : []));
  for (const end of ends) {
    graph.delete(end);
    for (const dependent of dependents.get(end) ?? []) {
      const left = (waiting.get(dependent) as number) - 1;
      waiting.set(dependent, left);
      if (left === 0) ends.push(dependent);
    }
  }
}

/** The cycle that the first stack leads into, from the first stack of the cycle on; empty where no stack is left. */
function walk(graph: Graph): readonly string[] {
  const way: string[] = [];
  let id = [...graph.keys()].sort()[0];
  while (id !== undefined && !way.includes(id)) {
    way.push(id);
    id = (graph.get(id) as readonly string[]).find((need) => graph.has(need));
  }
  return id === undefined ? [] : rotate(way.slice(way.indexOf(id)));
}

/** Starts the cycle with its first id, so that it reads the same wherever it was entered. */
function rotate(cycle: readonly string[]): readonly string[] {
  const first = cycle.indexOf([...cycle].sort()[0] as string);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}

function tellCycle(stack: ResolvedStack, cycle: readonly string[]): CatalogueProblem {
  const next = (cycle[1] ?? cycle[0]) as string;
  return errorAt(placeOfField(stack, `dependsOn[${stack.spec.dependsOn.indexOf(next)}]`), {
    code: 'dependency-cycle',
    message: `stacks wait for each other: ${[...cycle, cycle[0]].join(' → ')}`,
    hint: 'Take one of these out of dependsOn: none of them would ever be checked.',
  });
}
