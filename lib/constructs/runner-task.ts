import { Duration, Size, Stack } from 'aws-cdk-lib';
import {
  AwsLogDriverMode,
  Capability,
  type Secret as ContainerSecret,
  CpuArchitecture,
  FargateTaskDefinition,
  LinuxParameters,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { RUNNER_CONTAINER, WORK_FOLDER } from '../contract/env.ts';
import { acknowledge } from './acknowledge.ts';
import { allow } from './allow.ts';
import type { RunnerArchitecture } from './holdfast-props.ts';
import type { RunnerCluster } from './runner-cluster.ts';
import type { RunnerImage } from './runner-image.ts';
import type { ServiceContext } from './service-context.ts';

export interface RunnerTaskProps {
  readonly context: ServiceContext;
  readonly cluster: RunnerCluster;

  /** What the task does: its family is this after the name of the deployment. */
  readonly name: string;

  readonly architecture: RunnerArchitecture;

  readonly image: RunnerImage;

  /** Whom the runner acts as. */
  readonly role: Role;

  readonly cpu: number;
  readonly memoryMiB: number;

  /** Names and ids only: whoever may describe tasks can read them. */
  readonly environment: Readonly<Record<string, string>>;

  /** Variables that ECS fills when it starts the task. */
  readonly secrets: Readonly<Record<string, ContainerSecret>>;
}

const WORK_PATH = '/work';

/** What the runner gets of a machine: one folder to write to, no capabilities, no root. */
export class RunnerTask extends Construct {
  readonly definition: FargateTaskDefinition;
  /** Name of the task definition, without its revision. */
  readonly family: string;
  readonly #role: Role;
  readonly #cluster: RunnerCluster;

  constructor(scope: Construct, id: string, props: RunnerTaskProps) {
    super(scope, id);
    const { context, cluster, architecture } = props;
    this.#role = props.role;
    this.#cluster = cluster;
    this.family = `${context.deployment}-${props.name}`;
    this.definition = new FargateTaskDefinition(this, 'Resource', {
      family: this.family,
      cpu: props.cpu,
      memoryLimitMiB: props.memoryMiB,
      runtimePlatform: {
        cpuArchitecture: architecture === 'arm64' ? CpuArchitecture.ARM64 : CpuArchitecture.X86_64,
        operatingSystemFamily: OperatingSystemFamily.LINUX,
      },
      taskRole: props.role,
      executionRole: cluster.executionRole,
      volumes: [{ name: 'work' }],
    });
    this.#addContainer(props);
    acknowledge(
      this.definition,
      'ECS2',
      'The variables are names and ids; secrets are read by the runner when it needs them.',
    );
  }

  /** ARNs of all its revisions begin with it. */
  get familyArn(): string {
    return Stack.of(this).formatArn({ service: 'ecs', resource: 'task-definition', resourceName: `${this.family}:` });
  }

  /** Allows to start the task in its cluster. */
  grantRun(role: Role): void {
    allow(role, {
      actions: ['ecs:RunTask'],
      resources: [`${this.familyArn}*`],
      conditions: { ArnEquals: { 'ecs:cluster': this.#cluster.cluster.clusterArn } },
      wildcard: 'Of any revision: while a deployment replaces one, the one before is still started.',
    });
    allow(role, {
      actions: ['iam:PassRole'],
      resources: [this.#role.roleArn, this.#cluster.executionRole.roleArn],
      conditions: { StringEquals: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' } },
    });
  }

  #addContainer({ cluster, name, image, architecture, environment, secrets }: RunnerTaskProps): void {
    // No init process of ECS: as process 1 it could be read by providers, and with it the address of the credentials.
    const linuxParameters = new LinuxParameters(this, 'Linux');
    linuxParameters.dropCapabilities(Capability.ALL);
    const container = this.definition.addContainer(RUNNER_CONTAINER, {
      image: image(architecture),
      environment: { ...environment, [WORK_FOLDER]: WORK_PATH },
      secrets,
      user: '10001:10001',
      readonlyRootFilesystem: true,
      linuxParameters,
      // The most that Fargate grants: an engine that is interrupted needs time to let go of what it holds.
      stopTimeout: Duration.seconds(120),
      logging: LogDrivers.awsLogs({
        logGroup: cluster.logGroup,
        streamPrefix: name,
        // A log service that is away must not hold up a check.
        mode: AwsLogDriverMode.NON_BLOCKING,
        maxBufferSize: Size.mebibytes(25),
      }),
    });
    container.addMountPoints({ sourceVolume: 'work', containerPath: WORK_PATH, readOnly: false });
  }
}
