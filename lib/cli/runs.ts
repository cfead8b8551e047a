import { findStack } from '../app/find-stack.ts';
import { formatRuns } from './format-runs.ts';
import { type ServiceChoice, withService } from './service.ts';
import type { Services } from './services.ts';

export interface RunsCommandOptions extends ServiceChoice {
  readonly limit: number;
  readonly json?: boolean | undefined;
}

/** `holdfast runs STACK`: its last runs, newest first. Resolves with the exit code. */
export async function runRuns(services: Services, stackId: string, options: RunsCommandOptions): Promise<number> {
  const { output, clock } = services;
  return withService(services, options, async (service) => {
    const runs = await service.runs.listForStack(stackId, options.limit);
    // A stack that left the catalogue still has runs; one that was never there has not.
    if (runs.length === 0) await findStack(service, { stackId });
    const lines = () => formatRuns(runs, { color: output.color, width: output.width, now: clock.now() });
    output.print(options.json === true ? `${JSON.stringify(runs, null, 2)}\n` : `${lines().join('\n')}\n`);
    return 0;
  });
}
