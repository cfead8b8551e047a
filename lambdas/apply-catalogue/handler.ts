import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { type ApplyCatalogueDeps, type ApplyCatalogueInput, applyCatalogue } from '../../lib/app/apply-catalogue.ts';
import { METRICS } from '../../lib/contract/metrics.ts';
import { type Telemetry, throwAll, withTelemetry } from '../shared/telemetry.ts';

export interface ApplyCatalogueHandlerDeps extends ApplyCatalogueDeps {
  readonly telemetry: Telemetry;
  readonly removals: ApplyCatalogueInput['removals'];
}

/**
 * Target of the bucket's `Object Created`: takes over the catalogue that was written. The event only says that there is
 * one, and the latest counts: events may come late, twice, or in another order.
 */
export const createHandler = (deps: ApplyCatalogueHandlerDeps) =>
  withTelemetry(deps.telemetry).handler(async () => {
    const { logger, metrics } = deps.telemetry;
    const applied = await applyCatalogue(deps, { removals: deps.removals });
    metrics.addMetric(METRICS.catalogueInvalid, MetricUnit.Count, applied.kind === 'invalid' ? 1 : 0);
    if (applied.kind !== 'applied') {
      logger.info('catalogue read', applied);
      return applied;
    }
    const { errors, ...counts } = applied;
    logger.info('catalogue taken over', counts);
    throwAll(deps.telemetry, errors);
    return counts;
  });
