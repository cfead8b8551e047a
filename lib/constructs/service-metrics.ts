import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC_NAMESPACE, type MetricName, SERVICE_DIMENSION, VERDICT_DIMENSION } from '../contract/metrics.ts';

export interface ServiceMetricOptions {
  /** As CloudWatch writes it: `Sum`, `Maximum`, `p90`. */
  readonly statistic: string;

  /** @default - the metric over all verdicts, for those that have no such dimension */
  readonly verdict?: string;

  /** @default Duration.minutes(5) */
  readonly period?: Duration;

  /** @default - CloudWatch names it */
  readonly label?: string;
}

/** A metric that the handlers of a deployment emit. */
export function serviceMetric(
  deployment: string,
  metricName: MetricName,
  { statistic, verdict, period = Duration.minutes(5), label }: ServiceMetricOptions,
): Metric {
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { [SERVICE_DIMENSION]: deployment, ...(verdict && { [VERDICT_DIMENSION]: verdict }) },
    statistic,
    period,
    ...(label && { label }),
  });
}
