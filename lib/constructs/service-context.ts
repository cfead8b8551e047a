import type { RemovalPolicy } from 'aws-cdk-lib';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Monitoring } from './monitoring.ts';

/** What all parts of one deployment share. */
export interface ServiceContext {
  /** Name of the deployment. */
  readonly deployment: string;
  readonly monitoring: Monitoring;
  readonly logRetention: RetentionDays;
  readonly removalPolicy: RemovalPolicy;
}
