import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { HoldfastProps } from './holdfast-props.ts';
import { Network } from './network.ts';

/** The props with every default that has a value. */
export type HoldfastSettings = ReturnType<typeof withDefaults>;

export function withDefaults(scope: Construct, props: HoldfastProps) {
  const { partition } = Stack.of(scope);
  return {
    ...{ externalId: undefined, runnerImage: undefined, nodeDigest: undefined, maxConcurrencyPerAccount: undefined },
    name: 'holdfast',
    gitCredentials: {},
    catalogueRemovals: 'guarded' as const,
    syncInterval: Duration.minutes(5),
    planRoles: ['holdfast-plan', 'holdfast-plan-*'].map((role) => `arn:${partition}:iam::*:role/${role}`),
    secrets: [],
    parameters: [],
    network: Network.publicSubnets(),
    architectures: ['arm64'] as const,
    maxConcurrency: 50,
    maxLaunches: 100,
    planRetention: Duration.days(7),
    resultRetention: Duration.days(90),
    logRetention: RetentionDays.ONE_MONTH,
    alarmTopics: {},
    runbookUrl: 'docs/runbook.md',
    removalPolicy: RemovalPolicy.RETAIN,
    ...props,
  };
}
