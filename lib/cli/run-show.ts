import { type ShownRun, showRun } from '../app/show-run.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { ReportOptions } from './options.ts';
import { report } from './report.ts';
import { type Service, type ServiceChoice, withService } from './service.ts';
import type { Services } from './services.ts';

export type RunShowOptions = ServiceChoice & Pick<ReportOptions, 'format' | 'failOn' | 'verbose'>;

/** `holdfast run show RUN`: what a run found, as `holdfast check` reports it. Resolves with the exit code. */
export async function runRunShow(services: Services, runId: string, options: RunShowOptions): Promise<number> {
  return withService(services, options, (service) => reportRun(services, service, runId, options));
}

/** Reports the result of a run that has ended, with the exit code it comes to. Throws what it ended with where it has none. */
export async function reportRun(
  services: Services,
  service: Service,
  runId: string,
  options: RunShowOptions,
): Promise<number> {
  const shown = await showRun(service, { runId });
  if (shown.report === undefined) throw withoutReport(shown);
  return report(services, [shown.report.result], options);
}

function withoutReport({ run: { runId, status, outcome } }: ShownRun): HoldfastError {
  if (outcome === null) {
    return new HoldfastError('RunNotFound', `run ${runId} has no result yet: it is ${status}`, {
      hint: 'wait for it: "holdfast status --watch"',
    });
  }
  if (outcome.kind === 'lost') {
    const { message, hint } = outcome.failure;
    return new HoldfastError('TaskLost', `run ${runId} ended without a result: ${message}`, {
      ...(hint !== undefined && { hint }),
    });
  }
  return new HoldfastError('ResultUnreadable', `the result of run ${runId} is gone: results are kept for a while only`);
}
