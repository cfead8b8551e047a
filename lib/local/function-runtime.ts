import { randomUUID } from 'node:crypto';
import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import type { Context } from 'aws-lambda';
import type { Telemetry } from '../../lambdas/shared/telemetry.ts';
import { METRIC_NAMESPACE } from '../contract/metrics.ts';

/** Says nothing: what goes wrong is thrown as well, and told by who called. */
export function createSilentTelemetry(): Telemetry {
  process.env.POWERTOOLS_METRICS_DISABLED = 'true';
  const logger = new Logger({ logLevel: 'SILENT' });
  return { logger, metrics: new Metrics({ namespace: METRIC_NAMESPACE, serviceName: 'holdfast', logger }) };
}

const TIMEOUT_MS = 60_000;

/** What Lambda tells a handler about its invocation. */
export function contextOf(name: string): Context {
  const deadline = Date.now() + TIMEOUT_MS;
  return {
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    memoryLimitInMB: '512',
    awsRequestId: randomUUID(),
    logGroupName: name,
    logStreamName: name,
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => deadline - Date.now(),
    done() {},
    fail() {},
    succeed() {},
  };
}
