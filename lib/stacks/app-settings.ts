import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { SEVERITIES } from '../constructs/monitoring.ts';

const Name = z.string().min(1);
const SubnetIds = z.array(z.string().regex(/^subnet-\w+$/, 'expected an id such as subnet-0abc')).min(1);
const VpcId = z.string().regex(/^vpc-\w+$/, 'expected an id such as vpc-0abc');

/** `public`: new, without NAT. `nat`: new, private, with a NAT gateway. Or one that is there. */
const NetworkSettings = z.union(
  [
    z.enum(['public', 'nat']),
    z.strictObject({ vpcId: VpcId, publicSubnetIds: SubnetIds }),
    z.strictObject({ vpcId: VpcId, privateSubnetIds: SubnetIds }),
  ],
  'expected "public", "nat", or an object with vpcId and either publicSubnetIds or privateSubnetIds',
);
export type NetworkSettings = z.output<typeof NetworkSettings>;

const UNITS = { m: Duration.minutes, h: Duration.hours, d: Duration.days };
const Time = z
  .string()
  .regex(/^\d{1,5}[mhd]$/, 'expected a time such as 5m, 1h or 7d')
  .transform((text) => UNITS[text.slice(-1) as keyof typeof UNITS](Number(text.slice(0, -1))));

/** Props of `Holdfast`, by the same names, as they can be written in JSON. Which values are good, the construct says. */
const AppSettings = z.strictObject({
  /** Also the name of the CloudFormation stack. */
  name: z.string().default('holdfast'),
  catalogue: z.strictObject({ url: z.string(), ref: z.string().exactOptional(), path: z.string().exactOptional() }),
  /** Names of secrets by Git host. */
  gitCredentials: z.record(z.string(), Name).default({}),
  catalogueRemovals: z.enum(['guarded', 'any']).exactOptional(),
  syncInterval: Time.exactOptional(),
  planRoles: z.array(z.string()).exactOptional(),
  externalId: z.string().exactOptional(),
  /** Names of secrets that stacks refer to. */
  secrets: z.array(Name).default([]),
  /** Names of parameters that stacks refer to. */
  parameters: z.array(Name).default([]),
  network: NetworkSettings.default('public'),
  architectures: z.array(z.enum(['arm64', 'amd64'])).exactOptional(),
  nodeDigest: z.string().exactOptional(),
  maxConcurrency: z.number().exactOptional(),
  maxConcurrencyPerAccount: z.number().exactOptional(),
  maxLaunches: z.number().exactOptional(),
  planRetention: Time.exactOptional(),
  resultRetention: Time.exactOptional(),
  /** Days, of those that CloudWatch offers. */
  logRetention: z.enum(RetentionDays).exactOptional(),
  /** ARNs of SNS topics by severity. */
  alarmTopics: z.partialRecord(z.enum(SEVERITIES), Name).default({}),
  runbookUrl: z.url().exactOptional(),
  removalPolicy: z.enum([RemovalPolicy.RETAIN, RemovalPolicy.DESTROY]).exactOptional(),
});
export type AppSettings = z.output<typeof AppSettings>;

/**
 * Reads the context value `holdfast`: an object in `cdk.json`, or JSON from `-c holdfast='{…}'`. Throws with everything
 * that is wrong.
 */
export function readAppSettings(context: unknown): AppSettings {
  const parsed = AppSettings.safeParse(typeof context === 'string' ? parseJson(context) : context);
  if (parsed.success) return parsed.data;
  throw new Error(`the context value "holdfast" can't be used:\n${z.prettifyError(parsed.error)}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`the context value "holdfast" is not JSON: ${text}`, { cause });
  }
}
