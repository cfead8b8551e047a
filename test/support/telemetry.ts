import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import type { Context } from 'aws-lambda';
import type { Telemetry } from '../../lambdas/shared/telemetry.ts';
import { METRIC_NAMESPACE } from '../../lib/contract/metrics.ts';

export interface TestTelemetry extends Telemetry {
  /** Metrics that were flushed so far, each as `name`, or `name verdict` where it has that dimension. */
  emitted(): Record<string, number[]>;
  /** Log lines so far. */
  lines(): Record<string, unknown>[];
}

/** Takes what a handler would write to the console. */
export function createTestTelemetry(): TestTelemetry {
  const written: string[] = [];
  const write = (line: string) => void written.push(line);
  const console = { ...globalThis.console, log: write, info: write, error: write, warn: write, debug: write };
  const logger = new Logger({ serviceName: 'test', logLevel: 'INFO' });
  Object.assign(logger, { console });
  const metrics = new Metrics({ namespace: METRIC_NAMESPACE, serviceName: 'holdfast' });
  Object.assign(metrics, { console });
  const { singleMetric } = metrics;
  metrics.singleMetric = () => Object.assign(singleMetric.call(metrics), { console });
  const parsed = () => written.map((line): Record<string, unknown> => JSON.parse(line));
  return {
    logger,
    metrics,
    lines: () => parsed().filter((line) => 'level' in line),
    emitted: () => {
      const found: Record<string, number[]> = {};
      for (const line of parsed().filter((candidate) => '_aws' in candidate)) {
        const { _aws, service: _service, verdict, ...values } = line;
        for (const [name, value] of Object.entries(values)) {
          const key = verdict === undefined ? name : `${name} ${String(verdict)}`;
          found[key] = [...(found[key] ?? []), ...[value].flat().map(Number)];
        }
      }
      return found;
    },
  };
}

export const lambdaContext = (name: string, remainingMs = 55_000): Context => ({
  functionName: name,
  functionVersion: '$LATEST',
  invokedFunctionArn: `arn:aws:lambda:eu-west-1:111122223333:function:${name}`,
  memoryLimitInMB: '512',
  awsRequestId: 'request-1',
  logGroupName: name,
  logStreamName: name,
  callbackWaitsForEmptyEventLoop: false,
  getRemainingTimeInMillis: () => remainingMs,
  done() {},
  fail() {},
  succeed() {},
});
