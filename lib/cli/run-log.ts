import { findRun } from '../app/show-run.ts';
import { HoldfastError } from '../domain/errors.ts';
import { type ServiceChoice, withService } from './service.ts';
import type { Services } from './services.ts';

/** `holdfast run log RUN`: what the runner noted while it worked. Resolves with the exit code. */
export async function runRunLog(services: Services, runId: string, options: ServiceChoice): Promise<number> {
  return withService(services, options, async (service) => {
    const { stackId, outcome } = await findRun(service, { runId });
    const log = await service.artifacts.getLog(stackId, runId);
    if (log === undefined) {
      const why = outcome === null ? 'it writes it when it ends' : 'it ended without one, or it was deleted by its age';
      throw new HoldfastError('RunNotFound', `run ${runId} has no log: ${why}`);
    }
    services.output.print(log.endsWith('\n') ? log : `${log}\n`);
    return 0;
  });
}
