import type { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IParameter } from 'aws-cdk-lib/aws-ssm';
import type { AlarmTopics } from './monitoring.ts';
import type { Network } from './network.ts';

/** As the catalogue writes it in a stack's `task.arch`. */
export type RunnerArchitecture = 'arm64' | 'amd64';

export type CatalogueRemovals = 'guarded' | 'any';

/** Where the catalogue is: in Git. */
export interface CatalogueLocation {
  /** `https://…`, `ssh://…` or `user@host:path`, without credentials: those are in `gitCredentials`. */
  readonly url: string;

  /**
   * Branch, tag or commit.
   *
   * @default 'HEAD' - the repository's default branch
   */
  readonly ref?: string;

  /**
   * Folder or file in the repository.
   *
   * @default '.' - the whole repository
   */
  readonly path?: string;
}

export interface HoldfastProps {
  readonly catalogue: CatalogueLocation;

  /**
   * Name of this deployment, for where there are several in an account: alarms, metrics and the command line's
   * `--deployment` go by it. Changing it replaces the task definitions.
   *
   * @default 'holdfast'
   */
  readonly name?: string;

  /**
   * Credentials by Git host, such as `{ 'github.com': secret }`: a JSON object with `username` and `password`, or with
   * `privateKey` and `knownHosts`. For the catalogue and for the stacks' sources alike; the task that reads the catalogue
   * gets only those of its host.
   *
   * @default - none: every repository is public
   */
  readonly gitCredentials?: Readonly<Record<string, ISecret>>;

  /**
   * `guarded`: a catalogue that would remove more than half of the stacks, or all of them, is refused. `any`: none is.
   *
   * @default 'guarded'
   */
  readonly catalogueRemovals?: CatalogueRemovals;

  /**
   * How often the catalogue is read. Every time is a task of at least a minute.
   *
   * @default Duration.minutes(5)
   */
  readonly syncInterval?: Duration;

  /**
   * ARNs of the roles that checks may assume, `*` allowed: the plan roles of the accounts that are checked. Each must ask
   * for an external id.
   *
   * @default - roles named holdfast-plan, or holdfast-plan- and anything, in every account of the partition
   */
  readonly planRoles?: readonly string[];

  /**
   * The only external id that checks may give when they assume a plan role.
   *
   * @default - any, but there has to be one
   */
  readonly externalId?: string;

  /**
   * Secrets that stacks of the catalogue refer to.
   *
   * @default - none
   */
  readonly secrets?: readonly ISecret[];

  /**
   * Parameters of the Systems Manager that stacks of the catalogue refer to.
   *
   * @default - none
   */
  readonly parameters?: readonly IParameter[];

  /**
   * Where checks run.
   *
   * @default Network.publicSubnets() - a new VPC without NAT, which costs nothing while no check runs
   */
  readonly network?: Network;

  /**
   * Processors that checks run on: what `task.arch` in the catalogue may say. For each one an image is built, and the
   * machine that deploys has to be able to run its programs. The first one also reads the catalogue.
   *
   * @default ['arm64'] - a fifth cheaper
   */
  readonly architectures?: readonly RunnerArchitecture[];

  /**
   * Image of the runner, for all architectures.
   *
   * @default - built from `runner-image/` when it is deployed
   */
  readonly runnerImage?: ContainerImage;

  /**
   * Digest of the Node image that the runner's is built on, `sha256:` and 64 digits: of the index, which covers all
   * architectures. `runner-image/README.md` says how to find it. Of no use with `runnerImage`.
   *
   * @default - none: synth warns, and the image can't be built
   */
  readonly nodeDigest?: string;

  /**
   * Checks at the same time. Bounded by the account's quota of Fargate vCPUs, on demand and Spot.
   *
   * @default 50
   */
  readonly maxConcurrency?: number;

  /**
   * Checks at the same time in one account, by that of the plan role. Keeps a large account from its own API limits.
   *
   * @default - as many as `maxConcurrency`
   */
  readonly maxConcurrencyPerAccount?: number;

  /**
   * Checks started in one minute. Fargate starts 20 tasks a second; the rest of the account needs some too.
   *
   * @default 100
   */
  readonly maxLaunches?: number;

  /**
   * How long plan files are kept. They hold attribute values, secrets among them, and an approval can't outlive them.
   *
   * @default Duration.days(7)
   */
  readonly planRetention?: Duration;

  /**
   * How long results and logs of runs are kept. They are redacted.
   *
   * @default Duration.days(90)
   */
  readonly resultRetention?: Duration;

  /**
   * How long the logs of functions, tasks and the network are kept.
   *
   * @default RetentionDays.ONE_MONTH
   */
  readonly logRetention?: RetentionDays;

  /**
   * Where alarms go, by severity. One topic may serve several.
   *
   * @default - nowhere: they are seen on the dashboard
   */
  readonly alarmTopics?: AlarmTopics;

  /**
   * Where your people read the runbook; alarms link to a section of it.
   *
   * @default 'docs/runbook.md' - the path in Holdfast's repository
   */
  readonly runbookUrl?: string;

  /**
   * What becomes of table, buckets, key and logs with the stack. `DESTROY` also empties the buckets, by a function that
   * CDK brings for it, and leaves the table without deletion protection.
   *
   * @default RemovalPolicy.RETAIN
   */
  readonly removalPolicy?: RemovalPolicy;
}
