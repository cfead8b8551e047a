import { Duration } from 'aws-cdk-lib';
import type { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { RunnerCluster } from './runner-cluster.ts';
import type { RunnerTask } from './runner-task.ts';
import type { ServiceContext } from './service-context.ts';
import { Timer } from './timer.ts';

export interface CatalogueScheduleProps {
  readonly context: ServiceContext;
  readonly cluster: RunnerCluster;
  readonly task: RunnerTask;
  readonly interval: Duration;
}

/** Starts the task that reads the catalogue. */
export class CatalogueSchedule extends Construct {
  constructor(scope: Construct, id: string, { context, cluster, task, interval }: CatalogueScheduleProps) {
    super(scope, id);
    const { role } = new Timer(this, 'Timer', {
      monitoring: context.monitoring,
      description: `Holdfast ${context.deployment}: reads the catalogue`,
      interval,
      target: { arn: cluster.cluster.clusterArn, ecsParameters: ecsParameters(cluster, task) },
      // Long enough for a moment without capacity; the next reading makes up for the rest.
      retry: { attempts: 5, within: Duration.minutes(5) },
      alarm: {
        name: 'sync-dead-letters',
        severity: 'medium',
        summary: 'The scheduler could not start the task that reads the catalogue.',
      },
    });
    task.grantRun(role);
  }
}

function ecsParameters(
  { network, securityGroup }: RunnerCluster,
  { definition }: RunnerTask,
): CfnSchedule.EcsParametersProperty {
  return {
    taskDefinitionArn: definition.taskDefinitionArn,
    launchType: 'FARGATE',
    networkConfiguration: {
      awsvpcConfiguration: {
        subnets: network.subnets.map(({ subnetId }) => subnetId),
        securityGroups: [securityGroup.securityGroupId],
        assignPublicIp: network.assignPublicIp ? 'ENABLED' : 'DISABLED',
      },
    },
  };
}
