import { Duration, RemovalPolicy, type Stack } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { describe, expect, it } from 'vitest';
import { ArtifactBucket } from '../../lib/constructs/artifact-bucket.ts';
import { CheckTasks, type CheckTasksProps } from '../../lib/constructs/check-tasks.ts';
import { Network } from '../../lib/constructs/network.ts';
import { RunnerCluster } from '../../lib/constructs/runner-cluster.ts';
import { aContext, templateOf } from '../support/construct-template.ts';
import { flatten, permissionsOf } from '../support/template-values.ts';

const PLAN_ROLE = 'arn:aws:iam::123456789012:role/plan';

const makeTasks = (stack: Stack, props: Partial<CheckTasksProps>) => {
  const context = aContext(stack);
  const retention = { planRetention: Duration.days(1), resultRetention: Duration.days(1) };
  const bucketProps = { key: new Key(stack, 'Key'), removalPolicy: RemovalPolicy.RETAIN, ...retention };
  return new CheckTasks(stack, 'Checks', {
    context,
    cluster: new RunnerCluster(stack, 'Cluster', { context, network: Network.publicSubnets() }),
    artifacts: new ArtifactBucket(stack, 'Artifacts', bucketProps),
    architectures: ['arm64'],
    image: () => ContainerImage.fromRegistry('acme/runner:1'),
    gitCredentials: {},
    secrets: [],
    parameters: [],
    planRoles: [PLAN_ROLE],
    externalId: undefined,
    ...props,
  });
};

const synth = (props: (stack: Stack) => Partial<CheckTasksProps> = () => ({})) =>
  templateOf((stack) => makeTasks(stack, props(stack)));

const may = (action: string, props?: (stack: Stack) => Partial<CheckTasksProps>) =>
  permissionsOf(synth(props), 'ChecksRole').filter((line) => line.startsWith(`${action} `));

const hasVariable = (variable: object, props?: (stack: Stack) => Partial<CheckTasksProps>) =>
  synth(props).hasResourceProperties('AWS::ECS::TaskDefinition', {
    ContainerDefinitions: [Match.objectLike({ Environment: Match.arrayWith([variable]) })],
  });

const secret = (stack: Stack, name: string) => Secret.fromSecretNameV2(stack, name, name);
const secretArn = (name: string) =>
  `arn:{AWS::Partition}:secretsmanager:{AWS::Region}:{AWS::AccountId}:secret:${name}-??????`;

describe('CheckTasks', () => {
  it('has a task for every architecture', () => {
    const template = synth(() => ({ architectures: ['arm64', 'amd64'] }));

    for (const Family of ['acme-check-arm64', 'acme-check-amd64']) {
      template.hasResourceProperties('AWS::ECS::TaskDefinition', { Family });
    }
  });

  it('tells the dispatcher what to run, by architecture', () => {
    let variable = '';
    templateOf((stack) => {
      const { environment } = makeTasks(stack, { architectures: ['arm64', 'amd64'] });
      variable = flatten(stack.resolve(environment.TASK_DEFINITIONS));
    });

    expect(variable).toBe('{"arm64":"{Checksarm64}","amd64":"{Checksamd64}"}');
  });

  it('checks where nothing else is asked for', () => {
    hasVariable({ Name: 'HOLDFAST_MODE', Value: 'check' });
  });

  it('gets the salt of digests as a secret', () => {
    synth().hasResourceProperties('AWS::ECS::TaskDefinition', {
      ContainerDefinitions: [
        Match.objectLike({
          Secrets: [{ Name: 'HOLDFAST_DIGEST_SALT', ValueFrom: { Ref: Match.stringLikeRegexp('^ChecksDigestSalt') } }],
        }),
      ],
    });
  });

  it('keeps the salt from the runner`s own role', () => {
    expect(may('secretsmanager:GetSecretValue')).toEqual([]);
  });

  it('may assume the plan roles, with an external id', () => {
    expect(may('sts:AssumeRole')).toEqual([`sts:AssumeRole ${PLAN_ROLE} {Null: {sts:ExternalId: false}}`]);
  });

  it('may assume the plan roles with the one external id only', () => {
    expect(may('sts:AssumeRole', () => ({ externalId: 'acme-drift' }))).toEqual([
      `sts:AssumeRole ${PLAN_ROLE} {StringEquals: {sts:ExternalId: acme-drift}}`,
    ]);
  });

  it('may assume no role where none is named', () => {
    expect(may('sts:AssumeRole', () => ({ planRoles: [] }))).toEqual([]);
  });

  it('may read the secrets and Git credentials that are named', () => {
    const props = (stack: Stack) => ({
      secrets: [secret(stack, 'database')],
      gitCredentials: { 'github.com': secret(stack, 'github') },
    });

    expect(may('secretsmanager:GetSecretValue', props)).toEqual([
      `secretsmanager:GetSecretValue ${secretArn('database')}`,
      `secretsmanager:GetSecretValue ${secretArn('github')}`,
    ]);
  });

  it('may read the parameters that are named', () => {
    const props = (stack: Stack) => ({ parameters: [StringParameter.fromStringParameterName(stack, 'P', '/db/user')] });

    expect(may('ssm:GetParameter', props)).toEqual([
      'ssm:GetParameter arn:{AWS::Partition}:ssm:{AWS::Region}:{AWS::AccountId}:parameter/db/user',
    ]);
  });

  it('knows where Git credentials are, and not what they are', () => {
    const Value = { 'Fn::Join': ['', Match.arrayWith(['{"github.com":"arn:'])] };

    hasVariable({ Name: 'HOLDFAST_GIT_CREDENTIALS', Value }, (stack) => ({
      gitCredentials: { 'github.com': secret(stack, 'github') },
    }));
  });
});
