import { Duration } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type IDestination,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { METRIC_NAMESPACE } from '../contract/metrics.ts';
import { acknowledge } from './acknowledge.ts';
import { bundledCode } from './bundled-code.ts';
import type { AlarmSeverity } from './monitoring.ts';
import type { ServiceContext } from './service-context.ts';
import { makeLogGroup } from './service-log-group.ts';

export interface ServiceFunctionProps {
  readonly context: ServiceContext;

  /** Folder below `lambdas/`; also the name by which alarms and the runbook know the function. */
  readonly name: string;

  /** Of the alarm on its errors. */
  readonly severity: AlarmSeverity;

  /**
   * Longest run before Lambda stops the invocation.
   *
   * @default Duration.seconds(30)
   */
  readonly timeout?: Duration;

  /**
   * Times that Lambda runs a failed event again.
   *
   * @default 2
   */
  readonly retryAttempts?: number;

  /**
   * How long Lambda keeps an event that it can't run.
   *
   * @default Duration.hours(6)
   */
  readonly maxEventAge?: Duration;

  /**
   * Where an event goes that fails every time.
   *
   * @default - nowhere: the next event makes up for it
   */
  readonly onFailure?: IDestination;

  /**
   * Variables the handler reads when it starts.
   *
   * @default - only the ones every function gets
   */
  readonly environment?: Readonly<Record<string, string>>;
}

const LONGEST_SECONDS = 900;

/** A Lambda with the runtime, bundling, role, log retention and error alarm that every function here shares. */
export class ServiceFunction extends Construct {
  readonly name: string;
  readonly function: LambdaFunction;
  readonly role: Role;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { context, name, timeout = Duration.seconds(30) } = props;
    if (timeout.toSeconds() > LONGEST_SECONDS) {
      throw new Error(`timeout must be at most ${LONGEST_SECONDS} seconds, got ${timeout.toSeconds()}`);
    }

    this.name = name;
    const logGroup = makeLogGroup(this, 'Logs', context);
    this.role = makeRole(this, logGroup);
    this.function = new LambdaFunction(this, 'Resource', {
      description: `Holdfast ${context.deployment}: ${name}`,
      code: bundledCode(`lambdas/${name}/index.ts`),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      // A CPU's share goes by memory: with less, the start of a function takes longer than its work.
      memorySize: 512,
      timeout,
      role: this.role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      tracing: Tracing.ACTIVE,
      retryAttempts: props.retryAttempts ?? 2,
      maxEventAge: props.maxEventAge ?? Duration.hours(6),
      ...(props.onFailure && { onFailure: props.onFailure }),
      environment: { ...sharedVariables(context), ...props.environment },
    });
    this.#alarmOnErrors(props);
  }

  #alarmOnErrors({ context, name, severity }: ServiceFunctionProps): void {
    context.monitoring.alarm(this, {
      name: `${name}-errors`,
      severity,
      summary: `The function ${name} fails.`,
      metric: this.function.metricErrors({ period: Duration.minutes(5) }),
      threshold: 1,
    });
  }
}

const sharedVariables = ({ deployment }: ServiceContext) => ({
  NODE_OPTIONS: '--enable-source-maps',
  POWERTOOLS_SERVICE_NAME: deployment,
  POWERTOOLS_METRICS_NAMESPACE: METRIC_NAMESPACE,
});

function makeRole(scope: Construct, logGroup: LogGroup): Role {
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
  logGroup.grantWrite(role);
  acknowledge(
    role,
    'IAM5[Resource::*]',
    'X-Ray takes no resource: xray:PutTraceSegments and xray:PutTelemetryRecords are all it allows.',
  );
  return role;
}
