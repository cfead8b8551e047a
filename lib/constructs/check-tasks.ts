import { Stack } from 'aws-cdk-lib';
import { Secret as ContainerSecret } from 'aws-cdk-lib/aws-ecs';
import type { Role } from 'aws-cdk-lib/aws-iam';
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { IParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { ARTIFACTS_BUCKET, DIGEST_SALT, GIT_CREDENTIALS, MODE, TASK_DEFINITIONS } from '../contract/env.ts';
import { acknowledge } from './acknowledge.ts';
import { allow } from './allow.ts';
import type { ArtifactBucket } from './artifact-bucket.ts';
import type { RunnerArchitecture } from './holdfast-props.ts';
import type { RunnerCluster } from './runner-cluster.ts';
import type { RunnerImage } from './runner-image.ts';
import { RunnerTask } from './runner-task.ts';
import { secretIds } from './secret-ids.ts';
import type { ServiceContext } from './service-context.ts';
import { makeServiceRole } from './service-role.ts';

export interface CheckTasksProps {
  readonly context: ServiceContext;
  readonly cluster: RunnerCluster;
  readonly artifacts: ArtifactBucket;
  readonly architectures: readonly RunnerArchitecture[];
  readonly image: RunnerImage;
  readonly gitCredentials: Readonly<Record<string, ISecret>>;
  readonly secrets: readonly ISecret[];
  readonly parameters: readonly IParameter[];
  readonly planRoles: readonly string[];
  readonly externalId: string | undefined;
}

/** The task that checks a stack, once for every architecture. */
export class CheckTasks extends Construct {
  readonly role: Role;
  readonly #salt: ISecret;
  readonly #tasks: readonly { readonly architecture: RunnerArchitecture; readonly task: RunnerTask }[];

  constructor(scope: Construct, id: string, props: CheckTasksProps) {
    super(scope, id);
    this.role = this.#makeRole(props);
    this.#salt = this.#makeSalt(props.context);
    this.#tasks = props.architectures.map((architecture) => ({
      architecture,
      task: this.#makeTask(architecture, props),
    }));
  }

  /** Variables by which the dispatcher knows what to run. */
  get environment(): Readonly<Record<string, string>> {
    const arns = this.#tasks.map(({ architecture, task }) => [architecture, task.definition.taskDefinitionArn]);
    return { [TASK_DEFINITIONS]: Stack.of(this).toJsonString(Object.fromEntries(arns)) };
  }

  /** ARNs of the task definitions of all revisions begin with one of these. */
  get familyArns(): string[] {
    return this.#tasks.map(({ task }) => task.familyArn);
  }

  /** Allows to start checks in the cluster. */
  grantRun(role: Role): void {
    for (const { task } of this.#tasks) task.grantRun(role);
  }

  #makeRole({ artifacts, gitCredentials, secrets, parameters, planRoles, externalId }: CheckTasksProps): Role {
    const role = makeServiceRole(this, 'Role', 'ecs-tasks');
    artifacts.grantCheck(role);
    for (const readable of [...Object.values(gitCredentials), ...secrets, ...parameters]) readable.grantRead(role);
    if (planRoles.length > 0) allowPlanRoles(role, planRoles, externalId);
    return role;
  }

  /** The table keeps digests of inputs. These may be short secrets, which digests without a salt would give away. */
  #makeSalt({ removalPolicy }: ServiceContext): ISecret {
    const salt = new Secret(this, 'DigestSalt', {
      description: 'Holdfast makes digests of inputs with it',
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy,
    });
    acknowledge(
      salt,
      'SMG4',
      'With a new salt all digests differ, and every stack would look as if its inputs had changed.',
    );
    return salt as ISecret;
  }

  #makeTask(architecture: RunnerArchitecture, props: CheckTasksProps): RunnerTask {
    const { context, cluster, artifacts, image, gitCredentials } = props;
    return new RunnerTask(this, architecture, {
      context,
      cluster,
      name: `check-${architecture}`,
      architecture,
      image,
      role: this.role,
      // Of checks whose stack says nothing else: the dispatcher overrides both.
      cpu: 1024,
      memoryMiB: 2048,
      environment: {
        [MODE]: 'check',
        [ARTIFACTS_BUCKET]: artifacts.bucket.bucketName,
        [GIT_CREDENTIALS]: secretIds(this, gitCredentials),
      },
      secrets: { [DIGEST_SALT]: ContainerSecret.fromSecretsManager(this.#salt) },
    });
  }
}

function allowPlanRoles(role: Role, resources: readonly string[], externalId: string | undefined): void {
  allow(role, {
    actions: ['sts:AssumeRole'],
    resources,
    // The id ties a role to the stacks that know it: else one team's catalogue entry could borrow another team's role.
    conditions:
      externalId === undefined
        ? { Null: { 'sts:ExternalId': 'false' } }
        : { StringEquals: { 'sts:ExternalId': externalId } },
    wildcard: 'One role in every account that is checked; which accounts these are, the catalogue says later.',
  });
}
