import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { METRICS, type MetricName } from '../contract/metrics.ts';
import type { AlarmDefinition } from './monitoring.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';
import { serviceMetric } from './service-metrics.ts';

export interface ServiceAlarmsProps {
  readonly context: ServiceContext;
  readonly topic: ITopic;
  readonly functions: readonly ServiceFunction[];
}

/** Alarms on what the service says of itself, and on what has no construct of ours to go beside. */
export class ServiceAlarms extends Construct {
  constructor(scope: Construct, id: string, { context, topic, functions }: ServiceAlarmsProps) {
    super(scope, id);
    const { deployment, monitoring } = context;
    const alarms = [
      ...coverageAlarms(deployment),
      ...launchAlarms(deployment),
      unpublishedAlarm(deployment),
      undeliveredAlarm(topic),
      throttleAlarm(functions),
    ];
    for (const alarm of alarms) monitoring.alarm(this, alarm);
  }
}

const FIVE_MINUTES = Duration.minutes(5);

const sum = (deployment: string, name: MetricName, period = FIVE_MINUTES): IMetric =>
  serviceMetric(deployment, name, { statistic: 'Sum', period });

const maximum = (deployment: string, name: MetricName): IMetric =>
  serviceMetric(deployment, name, { statistic: 'Maximum' });

function coverageAlarms(deployment: string): AlarmDefinition[] {
  return [
    {
      name: 'stacks-overdue',
      severity: 'medium',
      summary: 'Stacks have had no good check within two of their intervals: nobody knows whether they drift.',
      metric: maximum(deployment, METRICS.stacksOverdue),
      threshold: 1,
      // A deployment of Holdfast, or a bad quarter of an hour in a region, mends itself.
      periods: 3,
    },
    {
      name: 'catalogue-invalid',
      severity: 'medium',
      summary: "The catalogue can't be taken over: stacks stay as they were.",
      metric: maximum(deployment, METRICS.catalogueInvalid),
      threshold: 1,
    },
  ];
}

function launchAlarms(deployment: string): AlarmDefinition[] {
  return [
    {
      name: 'launches-refused',
      severity: 'medium',
      summary: 'ECS refuses to start checks, and will go on to.',
      metric: sum(deployment, METRICS.launchRefused),
      threshold: 1,
    },
    {
      name: 'launches-delayed',
      severity: 'low',
      summary: 'Checks have had to wait for capacity for half an hour.',
      metric: sum(deployment, METRICS.launchRetries),
      threshold: 1,
      periods: 6,
    },
    {
      name: 'runs-lost',
      severity: 'medium',
      summary: 'Runs end without a result.',
      // Single ones are to be expected, from Spot above all, and are run again.
      metric: sum(deployment, METRICS.runsLost, Duration.minutes(15)),
      threshold: 5,
    },
  ];
}

function unpublishedAlarm(deployment: string): AlarmDefinition {
  return {
    name: 'events-unpublished',
    severity: 'high',
    summary: 'Events have waited for a quarter of an hour to be published: nobody hears of drift.',
    metric: maximum(deployment, METRICS.outboxBacklog),
    threshold: 1,
    periods: 3,
  };
}

function undeliveredAlarm(topic: ITopic): AlarmDefinition {
  return {
    name: 'events-undelivered',
    severity: 'medium',
    summary: 'The topic could not deliver events to a subscriber.',
    metric: topic.metricNumberOfNotificationsFailed({ period: FIVE_MINUTES }),
    threshold: 1,
  };
}

function throttleAlarm(functions: readonly ServiceFunction[]): AlarmDefinition {
  const metrics = functions.map((service, index) => [`throttles${index}`, service.function.metricThrottles()] as const);
  return {
    name: 'functions-throttled',
    severity: 'medium',
    summary: 'The account has no concurrency left for the functions.',
    metric: new MathExpression({
      expression: metrics.map(([name]) => name).join(' + '),
      usingMetrics: Object.fromEntries(metrics),
      period: FIVE_MINUTES,
      label: 'throttles',
    }),
    threshold: 1,
  };
}
