/** CloudWatch metrics of the service: handlers emit them, alarms and the dashboard read them. */
export const METRIC_NAMESPACE = 'Holdfast';

/**
 * Dimension of every metric: the name of the deployment. Powertools takes it from POWERTOOLS_SERVICE_NAME by itself, so
 * handlers add nothing.
 */
export const SERVICE_DIMENSION = 'service';

/** Second dimension of `ChecksFinished` and `CheckDuration`: the verdict, `lost` where the runner wrote no result. */
export const VERDICT_DIMENSION = 'verdict';

export const METRICS = {
  /** Percent of active stacks with a good check within two of their intervals. Emitted once a minute; so is what has no other note. */
  coverage: 'Coverage',
  /** Count of stacks without a good check within two intervals. */
  stacksOverdue: 'StacksOverdue',
  /** Count of tasks that ECS has accepted. */
  checksLaunched: 'ChecksLaunched',
  /** Count of launches put off, for lack of capacity or by throttling. */
  launchRetries: 'LaunchRetries',
  /** Count of launches that ECS will never accept. */
  launchRefused: 'LaunchRefused',
  /** Count of runs that ended without a result; emitted per run. */
  runsLost: 'RunsLost',
  /** Count, by verdict; emitted per run. */
  checksFinished: 'ChecksFinished',
  /** Milliseconds as the runner measured them, by verdict; emitted per run that has a result. */
  checkDuration: 'CheckDuration',
  /** Count of stacks with events that are not published. */
  outboxBacklog: 'OutboxBacklog',
  /** 1 where a catalogue could not be taken over, 0 where one was; emitted per catalogue. */
  catalogueInvalid: 'CatalogueInvalid',
} as const;

export type MetricName = (typeof METRICS)[keyof typeof METRICS];
