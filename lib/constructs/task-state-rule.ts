import { Match, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { CheckTasks } from './check-tasks.ts';
import type { RunnerCluster } from './runner-cluster.ts';

export interface TaskStateRuleProps {
  readonly cluster: RunnerCluster;
  readonly checks: CheckTasks;
  readonly target: IFunction;
  readonly deadLetters: IQueue;
}

/** Hands over every check of the cluster that has stopped. */
export class TaskStateRule extends Construct {
  constructor(scope: Construct, id: string, { cluster, checks, target, deadLetters }: TaskStateRuleProps) {
    super(scope, id);
    new Rule(this, 'Resource', {
      description: 'Checks that have stopped',
      eventPattern: {
        source: ['aws.ecs'],
        detailType: ['ECS Task State Change'],
        detail: {
          clusterArn: [cluster.cluster.clusterArn],
          lastStatus: ['STOPPED'],
          taskDefinitionArn: checks.familyArns.flatMap((arn) => Match.prefix(arn)),
        },
      },
      targets: [new LambdaFunction(target, { deadLetterQueue: deadLetters })],
    });
  }
}
