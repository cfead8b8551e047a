import pLimit from 'p-limit';
import type { CheckResult } from '../domain/finding.ts';
import { type CheckStackDeps, type CheckStackInput, checkStack } from './check-stack.ts';

export interface CheckStacksDeps extends CheckStackDeps {
  readonly onStart?: (stack: string) => void;
  readonly onResult?: (result: CheckResult) => void;
}

/** Checks stacks side by side, at most `concurrency` at a time. Results come in the order of the inputs. */
export async function checkStacks(
  deps: CheckStacksDeps,
  { inputs, concurrency }: { readonly inputs: readonly CheckStackInput[]; readonly concurrency: number },
): Promise<readonly CheckResult[]> {
  return pLimit(concurrency).map(inputs, async (input) => {
    deps.onStart?.(input.stack);
    const result = await checkStack(deps, input);
    deps.onResult?.(result);
    return result;
  });
}
