import { type Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import type { RecordedRun } from '../../lib/app/record-run.ts';
import { METRICS, VERDICT_DIMENSION } from '../../lib/contract/metrics.ts';

/** Emits what a run has come to, once: a repeated event is no second run. */
export function emitRun(metrics: Metrics, recorded: RecordedRun): void {
  if (recorded.kind === 'unknown' || !recorded.first) return;
  const { outcome } = recorded;
  if (outcome.kind === 'lost') {
    metrics.addMetric(METRICS.runsLost, MetricUnit.Count, 1);
    emitByVerdict(metrics, 'lost', METRICS.checksFinished, MetricUnit.Count, 1);
    return;
  }
  const { verdict, durationMs } = outcome.summary;
  emitByVerdict(metrics, verdict, METRICS.checksFinished, MetricUnit.Count, 1);
  emitByVerdict(metrics, verdict, METRICS.checkDuration, MetricUnit.Milliseconds, durationMs);
}

// Apart from the rest: a dimension counts for all metrics that are flushed together.
function emitByVerdict(
  metrics: Metrics,
  verdict: string,
  name: string,
  unit: (typeof MetricUnit)[keyof typeof MetricUnit],
  value: number,
): void {
  const single = metrics.singleMetric();
  single.addDimension(VERDICT_DIMENSION, verdict);
  single.addMetric(name, unit, value);
}
