import { Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { CATALOGUE_OBJECT } from '../contract/keys.ts';
import type { ArtifactBucket } from './artifact-bucket.ts';

export interface CatalogueRuleProps {
  readonly artifacts: ArtifactBucket;
  readonly target: IFunction;
  readonly deadLetters: IQueue;
}

/** Hands over the catalogue whenever the sync task has written it. */
export class CatalogueRule extends Construct {
  constructor(scope: Construct, id: string, { artifacts, target, deadLetters }: CatalogueRuleProps) {
    super(scope, id);
    new Rule(this, 'Resource', {
      description: 'The catalogue was read',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [artifacts.bucket.bucketName] }, object: { key: [CATALOGUE_OBJECT] } },
      },
      targets: [new LambdaFunction(target, { deadLetterQueue: deadLetters })],
    });
  }
}
