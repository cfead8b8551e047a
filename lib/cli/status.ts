import { listStacks } from '../app/list-stacks.ts';
import { matchesPattern } from '../domain/rules.ts';
import type { StoredStack } from '../ports/stack-store.ts';
import { formatStatus, formatStatusJson } from './format-status.ts';
import { createScreen } from './screen.ts';
import { type Service, type ServiceChoice, withService } from './service.ts';
import type { Services } from './services.ts';
import { cut } from './text-layout.ts';

export interface StatusCommandOptions extends ServiceChoice {
  readonly json?: boolean | undefined;
  readonly watch?: boolean | undefined;
}

const WATCH_EVERY_MS = 2000;

/** `holdfast status`: how all stacks are, or those whose ids match. Resolves with the exit code. */
export async function runStatus(
  services: Services,
  patterns: readonly string[],
  options: StatusCommandOptions,
): Promise<number> {
  return withService(services, options, async (service) => {
    const read = () => readStacks(service, patterns);
    if (options.watch === true) await watch(services, read, options);
    else print(services, await read(), options);
    return 0;
  });
}

async function readStacks(service: Service, patterns: readonly string[]): Promise<readonly StoredStack[]> {
  const stacks = await listStacks(service);
  if (patterns.length === 0) return stacks;
  return stacks.filter(({ spec }) => patterns.some((pattern) => matchesPattern(pattern, spec.id)));
}

function print(
  { output, clock }: Services,
  stacks: readonly StoredStack[],
  { json }: Pick<StatusCommandOptions, 'json'>,
): void {
  const lines = () => formatStatus(stacks, { color: output.color, width: output.width, now: clock.now() });
  output.print(json === true ? formatStatusJson(stacks) : `${lines().join('\n')}\n`);
}

/** On a terminal the table redraws itself; into a pipe goes a new one whenever something about the stacks changed. */
async function watch(
  services: Services,
  read: () => Promise<readonly StoredStack[]>,
  options: StatusCommandOptions,
): Promise<void> {
  const { output, signal } = services;
  const draws = output.live && output.width !== Number.POSITIVE_INFINITY && options.json !== true;
  const show = draws ? drawOn(services) : printOnChange(services, options);
  while (!signal.aborted) {
    show(await read());
    // Being interrupted is how watching ends.
    await services.wait(WATCH_EVERY_MS, signal).catch(() => undefined);
  }
}

function drawOn({ output, progressStream, clock }: Services): (stacks: readonly StoredStack[]) => void {
  const screen = createScreen(progressStream);
  return (stacks) => {
    const lines = formatStatus(stacks, { color: output.color, width: screen.width(), now: clock.now() });
    const room = screen.height();
    const more = `+${lines.length - room + 1} more: make the window higher, or name the stacks`;
    screen.show(lines.length <= room ? lines : [...lines.slice(0, room - 1), cut(more, screen.width())]);
  };
}

function printOnChange(
  services: Services,
  options: Pick<StatusCommandOptions, 'json'>,
): (stacks: readonly StoredStack[]) => void {
  let last: string | undefined;
  return (stacks) => {
    const current = formatStatusJson(stacks);
    if (current !== last) print(services, stacks, options);
    last = current;
  };
}
