import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics } from '@aws-lambda-powertools/metrics';
import middy from '@middy/core';

/** What a handler says of itself: one JSON line per thing worth a search, and its metrics. */
export interface Telemetry {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Names come from `POWERTOOLS_SERVICE_NAME` and `POWERTOOLS_METRICS_NAMESPACE`. */
export function createTelemetry(): Telemetry {
  return { logger: new Logger(), metrics: new Metrics() };
}

/** The start of every handler: log lines carry its request, and metrics are flushed however it ends. */
export function withTelemetry({ logger, metrics }: Telemetry) {
  // Keys that a handler adds, such as a run's id, must not show up in the next event's lines.
  return middy<unknown>()
    .use(injectLambdaContext(logger, { resetKeys: true }))
    .use(flushMetrics(metrics));
}

/** Unlike Powertools' own one it says nothing where there is nothing to flush, which is often so and no fault. */
function flushMetrics(metrics: Metrics) {
  const flush = () => {
    if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
  };
  return { after: flush, onError: flush };
}

/**
 * Logs every error and throws one that holds them all, so that the function fails and its alarm goes off. Called last:
 * what could be done is done by then.
 */
export function throwAll({ logger }: Telemetry, errors: readonly unknown[]): void {
  for (const error of errors) logger.error('step failed', error instanceof Error ? error : new Error(String(error)));
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} steps failed, the log has each`);
}
