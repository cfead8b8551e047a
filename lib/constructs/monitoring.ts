import { Alarm, ComparisonOperator, type IAlarm, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';

/** `high`: checks or alerts have stopped. `medium`: some stacks are not covered. `low`: nothing is lost, but look at it. */
export const SEVERITIES = ['high', 'medium', 'low'] as const;
export type AlarmSeverity = (typeof SEVERITIES)[number];

export type AlarmTopics = { readonly [severity in AlarmSeverity]?: ITopic };

export interface MonitoringProps {
  /** Name of the deployment: alarm names start with it. */
  readonly deployment: string;

  /** Where alarms of a severity go, when they go off and when they are over. */
  readonly topics: AlarmTopics;

  /** Where the runbook is to be read; an alarm's name is its anchor there. */
  readonly runbookUrl: string;
}

export interface AlarmDefinition {
  /** Kebab case; also the id and the section of the runbook. */
  readonly name: string;
  readonly severity: AlarmSeverity;
  /** What is wrong, as a sentence. */
  readonly summary: string;
  readonly metric: IMetric;
  /** Goes off at this value and above; with `silence`, below it. */
  readonly threshold: number;

  /**
   * Periods of the metric in a row.
   *
   * @default 1
   */
  readonly periods?: number;

  /**
   * `events`: something happens that should not, and no data is good. `silence`: something that should happen does not,
   * and no data is bad.
   *
   * @default 'events'
   */
  readonly watches?: 'events' | 'silence';
}

/** Every alarm goes through here: one form of names and descriptions, and actions by severity. */
export class Monitoring extends Construct {
  readonly #props: MonitoringProps;
  readonly #alarms: Alarm[] = [];

  constructor(scope: Construct, id: string, props: MonitoringProps) {
    super(scope, id);
    this.#props = props;
  }

  /** In the order they were made. */
  get alarms(): readonly IAlarm[] {
    return this.#alarms;
  }

  /** Makes an alarm where it belongs: beside the function or queue it watches. */
  alarm(
    scope: Construct,
    { name, severity, summary, watches = 'events', periods = 1, ...rest }: AlarmDefinition,
  ): void {
    const { deployment, topics, runbookUrl } = this.#props;
    const alarm = new Alarm(scope, name, {
      ...rest,
      ...DIRECTIONS[watches],
      evaluationPeriods: periods,
      alarmName: `${deployment}-${name}`,
      alarmDescription: `[${severity}] ${summary} Runbook: ${runbookUrl}#${name}`,
    });
    const topic = topics[severity];
    if (topic) {
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
    }
    this.#alarms.push(alarm);
  }
}

const DIRECTIONS = {
  events: {
    comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  },
  silence: {
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.BREACHING,
  },
} as const;
