import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type GraphWidgetProps,
  type IMetric,
  type IWidget,
  PeriodOverride,
  SingleValueWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { METRICS, type MetricName } from '../contract/metrics.ts';
import { Result } from '../contract/result-schema.ts';
import type { ServiceContext } from './service-context.ts';
import type { ServiceFunction } from './service-function.ts';
import { serviceMetric } from './service-metrics.ts';

export interface ServiceDashboardProps {
  readonly context: ServiceContext;
  readonly topic: ITopic;
  readonly functions: readonly ServiceFunction[];
}

const VERDICTS = Result.shape.verdict.options;
const HALF = 12;

/** The service at a glance: is every stack looked at, what came out, and does the machinery run. */
export class ServiceDashboard extends Construct {
  readonly dashboard: Dashboard;

  constructor(scope: Construct, id: string, { context, topic, functions }: ServiceDashboardProps) {
    super(scope, id);
    const { deployment, monitoring } = context;
    this.dashboard = new Dashboard(this, 'Resource', {
      dashboardName: `${deployment}-drift`,
      defaultInterval: Duration.days(1),
      periodOverride: PeriodOverride.INHERIT,
      widgets: [
        coverageRow(deployment),
        checksRow(deployment),
        launchesRow(deployment),
        machineryRow(topic, functions),
        [new AlarmStatusWidget({ title: 'Alarms', alarms: [...monitoring.alarms], width: 24, height: 6 })],
      ],
    });
  }
}

const graph = (title: string, left: IMetric[], rest: GraphWidgetProps = {}): GraphWidget =>
  new GraphWidget({ title, left, width: HALF, leftYAxis: { min: 0 }, ...rest });

function coverageRow(deployment: string): IWidget[] {
  const coverage = serviceMetric(deployment, METRICS.coverage, { statistic: 'Minimum', label: 'Coverage, %' });
  const overdue = serviceMetric(deployment, METRICS.stacksOverdue, { statistic: 'Maximum', label: 'Overdue stacks' });
  return [
    new SingleValueWidget({ title: 'Now', metrics: [coverage, overdue], width: 6, height: 6 }),
    graph('Stacks with a good check within two intervals', [coverage], {
      width: 18,
      leftYAxis: { min: 0, max: 100 },
      right: [overdue],
      rightYAxis: { min: 0 },
    }),
  ];
}

function checksRow(deployment: string): IWidget[] {
  const byVerdict = (name: MetricName, statistic: string, verdicts: readonly string[]) =>
    verdicts.map((verdict) => serviceMetric(deployment, name, { statistic, verdict, label: verdict }));
  return [
    graph('Checks by verdict', byVerdict(METRICS.checksFinished, 'Sum', [...VERDICTS, 'lost']), { stacked: true }),
    graph('Duration of checks, ms, 90 % are shorter', byVerdict(METRICS.checkDuration, 'p90', VERDICTS)),
  ];
}

function launchesRow(deployment: string): IWidget[] {
  const sum = (name: MetricName, label: string) => serviceMetric(deployment, name, { statistic: 'Sum', label });
  const backlog = serviceMetric(deployment, METRICS.outboxBacklog, {
    statistic: 'Maximum',
    label: 'Waiting to be published',
  });
  return [
    graph('Launches', [
      sum(METRICS.checksLaunched, 'Launched'),
      sum(METRICS.launchRetries, 'Put off'),
      sum(METRICS.launchRefused, 'Refused'),
      sum(METRICS.runsLost, 'Lost'),
    ]),
    graph('Events', [backlog]),
  ];
}

function machineryRow(topic: ITopic, functions: readonly ServiceFunction[]): IWidget[] {
  return [
    graph(
      'Functions: errors, and time in ms',
      functions.map(({ name, function: target }) => target.metricErrors({ label: `${name}, errors` })),
      {
        right: functions.map(({ name, function: target }) => target.metricDuration({ label: name, statistic: 'p90' })),
      },
    ),
    graph('Topic', [
      topic.metricNumberOfMessagesPublished({ statistic: 'Sum' }),
      topic.metricNumberOfNotificationsFailed(),
    ]),
  ];
}
