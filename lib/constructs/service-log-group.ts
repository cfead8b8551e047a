import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { ServiceContext } from './service-context.ts';

/** A log group that is kept as long as the deployment says. */
export const makeLogGroup = (scope: Construct, id: string, { logRetention, removalPolicy }: ServiceContext): LogGroup =>
  new LogGroup(scope, id, { retention: logRetention, removalPolicy });
