import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { type DispatchInput, type DispatchReport, dispatchChecks } from '../../lib/app/dispatch-checks.ts';
import type { LaunchRunDeps } from '../../lib/app/launch-run.ts';
import { type Coverage, measureCoverage } from '../../lib/app/measure-coverage.ts';
import { METRICS } from '../../lib/contract/metrics.ts';
import { emitRun } from '../shared/run-metrics.ts';
import { type Telemetry, throwAll, withTelemetry } from '../shared/telemetry.ts';

export interface DispatchChecksHandlerDeps extends LaunchRunDeps {
  readonly telemetry: Telemetry;
  readonly limits: Omit<DispatchInput, 'stopAt'>;
}

/** Kept free at the end: for launches under way, for the coverage of ten thousand stacks, and for the metrics. */
const RESERVE_MS = 20_000;

/** Reading every stack costs as much as some checks do, so it is done every so often. */
const COVERAGE_EVERY_MS = 10 * 60_000;

/** Target of the schedule: one tick of the service. The event says nothing. */
export const createHandler = (deps: DispatchChecksHandlerDeps) => {
  const coverage = rememberCoverage(deps);
  return withTelemetry(deps.telemetry).handler(async (_event, context) => {
    const { logger, metrics } = deps.telemetry;
    const stopAt = new Date(deps.clock.now().getTime() + context.getRemainingTimeInMillis() - RESERVE_MS);
    const report = await dispatchChecks(deps, { ...deps.limits, stopAt });
    emitDispatch(deps.telemetry, report);
    const { errors, ...covered } = await coverage();
    metrics.addMetric(METRICS.coverage, MetricUnit.Percent, covered.percent);
    metrics.addMetric(METRICS.stacksOverdue, MetricUnit.Count, covered.overdue);
    const { launched, putOff, refused, backlog } = report;
    const summary = { launched, putOff, refused, recorded: report.recorded.length, backlog, ...covered };
    logger.info('tick', summary);
    throwAll(deps.telemetry, [...report.errors, ...errors]);
    return summary;
  });
};

function emitDispatch({ metrics }: Telemetry, report: DispatchReport): void {
  metrics.addMetric(METRICS.checksLaunched, MetricUnit.Count, report.launched);
  metrics.addMetric(METRICS.launchRetries, MetricUnit.Count, report.putOff);
  metrics.addMetric(METRICS.launchRefused, MetricUnit.Count, report.refused);
  metrics.addMetric(METRICS.outboxBacklog, MetricUnit.Count, report.backlog);
  for (const recorded of report.recorded) emitRun(metrics, recorded);
}

/** The coverage as it was measured last. Errors are told once, by the tick that met them. */
function rememberCoverage(deps: DispatchChecksHandlerDeps): () => Promise<Coverage> {
  let known: { readonly at: number; readonly coverage: Coverage } | undefined;
  return async () => {
    const at = deps.clock.now().getTime();
    if (known !== undefined && at - known.at < COVERAGE_EVERY_MS) return { ...known.coverage, errors: [] };
    const coverage = await measureCoverage(deps);
    known = { at, coverage };
    return coverage;
  };
}
