import { Match } from 'aws-cdk-lib/assertions';
import { ContainerImage } from 'aws-cdk-lib/aws-ecs';
import { describe, expect, it } from 'vitest';
import { Network } from '../../lib/constructs/network.ts';
import { RunnerCluster } from '../../lib/constructs/runner-cluster.ts';
import { RunnerTask, type RunnerTaskProps } from '../../lib/constructs/runner-task.ts';
import { makeServiceRole } from '../../lib/constructs/service-role.ts';
import { aContext, templateOf } from '../support/construct-template.ts';
import { permissionsOf } from '../support/template-values.ts';

const synth = (props: Partial<RunnerTaskProps> = {}) =>
  templateOf((stack) => {
    const context = aContext(stack);
    const task = new RunnerTask(stack, 'Task', {
      context,
      cluster: new RunnerCluster(stack, 'Cluster', { context, network: Network.publicSubnets() }),
      name: 'look',
      architecture: 'arm64',
      image: (architecture) => ContainerImage.fromRegistry(`acme/runner:${architecture}`),
      role: makeServiceRole(stack, 'TaskRole', 'ecs-tasks'),
      cpu: 512,
      memoryMiB: 1024,
      environment: { COLOUR: 'red' },
      secrets: {},
      ...props,
    });
    task.grantRun(makeServiceRole(stack, 'Starter', 'scheduler'));
  });

const TASK = 'AWS::ECS::TaskDefinition';
const hasContainer = (expected: object, props: Partial<RunnerTaskProps> = {}) =>
  synth(props).hasResourceProperties(TASK, { ContainerDefinitions: [Match.objectLike(expected)] });

describe('RunnerTask', () => {
  it('calls its container what the recorder looks for', () => {
    hasContainer({ Name: 'runner' });
  });

  it('can write to the work folder', () => {
    hasContainer({ MountPoints: [{ ContainerPath: '/work', ReadOnly: false, SourceVolume: 'work' }] });
  });

  it('can write nowhere else', () => {
    hasContainer({ ReadonlyRootFilesystem: true });
  });

  it('tells the runner of the work folder', () => {
    hasContainer({ Environment: Match.arrayWith([{ Name: 'HOLDFAST_WORK_FOLDER', Value: '/work' }]) });
  });

  it('does not run as root', () => {
    hasContainer({ User: Match.stringLikeRegexp('^[1-9]\\d*:[1-9]\\d*$') });
  });

  it('is not privileged and has no capabilities', () => {
    hasContainer({ Privileged: Match.absent(), LinuxParameters: { Capabilities: { Drop: ['ALL'] } } });
  });

  it('has two minutes to end', () => {
    hasContainer({ StopTimeout: 120 });
  });

  it('goes on while its logs can not be delivered', () => {
    hasContainer({ LogConfiguration: { LogDriver: 'awslogs', Options: Match.objectLike({ mode: 'non-blocking' }) } });
  });

  it.each([
    ['arm64', 'ARM64'],
    ['amd64', 'X86_64'],
  ] as const)('runs on %s', (architecture, CpuArchitecture) => {
    synth({ architecture }).hasResourceProperties(TASK, { RuntimePlatform: { CpuArchitecture } });
  });

  it('has a family by which tasks of all revisions are recognised', () => {
    synth().hasResourceProperties(TASK, { Family: 'acme-look' });
  });

  it('takes the image of its architecture', () => {
    hasContainer({ Image: 'acme/runner:amd64' }, { architecture: 'amd64' });
  });

  it('leaves process 1 to its image', () => {
    hasContainer({ LinuxParameters: { InitProcessEnabled: Match.absent() } });
  });

  it('can be started in its cluster, in any revision, by whom it allows', () => {
    const passed = '{StringEquals: {iam:PassedToService: ecs-tasks.amazonaws.com}}';

    expect(permissionsOf(synth(), 'Starter')).toEqual([
      'ecs:RunTask arn:{AWS::Partition}:ecs:{AWS::Region}:{AWS::AccountId}:task-definition/acme-look:* {ArnEquals: {ecs:cluster: {Cluster}}}',
      `iam:PassRole {ClusterExecutionRole} ${passed}`,
      `iam:PassRole {TaskRole} ${passed}`,
    ]);
  });

  it('is used by ECS for this account only', () => {
    synth().hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [
          Match.objectLike({
            Principal: { Service: 'ecs-tasks.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ],
      },
    });
  });
});
