import { findOrigins } from '../app/find-origins.ts';
import { findStack } from '../app/find-stack.ts';
import { formatStack } from './format-stack.ts';
import { type ServiceChoice, withService } from './service.ts';
import type { Services } from './services.ts';

export interface DescribeOptions extends ServiceChoice {
  readonly json?: boolean | undefined;
  /** Catalogue files that say where the fields of the spec come from. */
  readonly catalogue?: string | undefined;
}

/** `holdfast describe STACK`: everything that is known of one stack. Resolves with the exit code. */
export async function runDescribe(services: Services, stackId: string, options: DescribeOptions): Promise<number> {
  const { output, clock } = services;
  return withService(services, options, async (service) => {
    const stack = await findStack(service, { stackId });
    const { lastRunId } = stack.state;
    const lastRun = lastRunId === null ? undefined : await service.runs.get(lastRunId);
    const origins = await originsFor(services, stackId, options);
    if (options.json === true) {
      const page = { spec: stack.spec, state: stack.state, lastRun: lastRun ?? null };
      output.print(`${JSON.stringify({ ...page, origins: Object.fromEntries(origins) }, null, 2)}\n`);
      return 0;
    }
    const layout = { color: output.color, width: output.width, now: clock.now() };
    output.print(formatStack({ stack, lastRun, origins }, layout));
    return 0;
  });
}

/** By the names of fields. */
async function originsFor(
  { openCatalogue }: Services,
  stackId: string,
  { catalogue }: DescribeOptions,
): Promise<ReadonlyMap<string, string>> {
  if (catalogue === undefined) return new Map();
  const { source, repository } = await openCatalogue([catalogue], []);
  return findOrigins({ source }, { repository, stackId });
}
