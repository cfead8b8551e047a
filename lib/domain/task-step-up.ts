import type { StackSpec, TaskSize } from './stack-spec.ts';

/** What Fargate offers on Linux: amounts of memory in MiB, ascending, by CPU units. */
export const FARGATE_SIZES: readonly { readonly cpu: number; readonly memoryMiB: readonly number[] }[] = [
  { cpu: 256, memoryMiB: [512, 1024, 2048] },
  { cpu: 512, memoryMiB: steps(1024, 4096, 1024) },
  { cpu: 1024, memoryMiB: steps(2048, 8192, 1024) },
  { cpu: 2048, memoryMiB: steps(4096, 16_384, 1024) },
  { cpu: 4096, memoryMiB: steps(8192, 30_720, 1024) },
  { cpu: 8192, memoryMiB: steps(16_384, 61_440, 4096) },
  { cpu: 16_384, memoryMiB: steps(32_768, 122_880, 8192) },
];

/** Three doublings. Beyond that something is wrong that memory does not cure, and every further try costs twice as much. */
const MOST_GROWTH = 8;

/**
 * The next size for a task that ran out of memory: twice the memory, and no more CPU than Fargate asks for with it.
 * `null` where there is none, or where it would be over eight times what the catalogue says.
 */
export function stepUp(current: TaskSize, declared: TaskSize): TaskSize | null {
  const memoryMiB = current.memoryMiB * 2;
  return memoryMiB > declared.memoryMiB * MOST_GROWTH ? null : smallestWith({ ...current, memoryMiB });
}

/** The size of a stack's next task: what the catalogue says, or what was learned when that ran out of memory. */
export function taskFor({ task: declared }: StackSpec, learned: TaskSize | null): TaskSize {
  if (learned === null || learned.memoryMiB <= declared.memoryMiB) return declared;
  const { memoryMiB } = learned;
  return smallestWith({ ...declared, cpu: Math.max(declared.cpu, learned.cpu), memoryMiB }) ?? declared;
}

/** The smallest size with at least this much of both; `null` where Fargate has none. */
function smallestWith(wanted: TaskSize): TaskSize | null {
  for (const { cpu, memoryMiB } of FARGATE_SIZES) {
    const enough = memoryMiB.find((amount) => amount >= wanted.memoryMiB);
    if (cpu >= wanted.cpu && enough !== undefined) return { ...wanted, cpu, memoryMiB: enough };
  }
  return null;
}

function steps(least: number, most: number, step: number): number[] {
  return Array.from({ length: (most - least) / step + 1 }, (_, index) => least + index * step);
}
