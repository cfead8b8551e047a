import { CreateTableCommand, DynamoDBClient, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import { ECSClient } from '@aws-sdk/client-ecs';
import { BucketAlreadyOwnedByYou, CreateBucketCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  CreateTopicCommand,
  ListSubscriptionsByTopicCommand,
  SNSClient,
  UnsubscribeCommand,
} from '@aws-sdk/client-sns';
import type { Deployment } from '../contract/deployment.ts';
import { CATALOGUE_OBJECT } from '../contract/keys.ts';
import { LOCAL_CREDENTIALS } from '../contract/local-mode.ts';
import { createTableInput } from '../contract/table.ts';
import { EMULATOR_REGION } from './emulator.ts';

/** Addresses of what takes the place of AWS. */
export interface LocalEndpoints {
  readonly table: string;
  /** S3, SNS and SQS. */
  readonly aws: string;
  readonly ecs: string;
}

export interface LocalClients {
  readonly dynamo: DynamoDBClient;
  readonly s3: S3Client;
  readonly sns: SNSClient;
  readonly ecs: ECSClient;
  close(): void;
}

/** Clients as on AWS, but for where they go. */
export function createLocalClients({ table, aws, ecs }: LocalEndpoints): LocalClients {
  const config = { region: EMULATOR_REGION, credentials: LOCAL_CREDENTIALS };
  const clients = {
    dynamo: new DynamoDBClient({ ...config, endpoint: table }),
    s3: new S3Client({ ...config, endpoint: aws }),
    sns: new SNSClient({ ...config, endpoint: aws }),
    ecs: new ECSClient({ ...config, endpoint: ecs }),
  };
  return {
    ...clients,
    close() {
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}

const NAME = 'holdfast';
export const ARTIFACTS_BUCKET = `${NAME}-artifacts`;

/** Makes the table, the bucket and the topic, where they are not there from the last time. */
export async function createResources({ dynamo, s3, sns }: LocalClients): Promise<Deployment> {
  await dynamo.send(new CreateTableCommand(createTableInput(NAME))).catch(unless(ResourceInUseException));
  await s3.send(new CreateBucketCommand({ Bucket: ARTIFACTS_BUCKET })).catch(unless(BucketAlreadyOwnedByYou));
  const { TopicArn = '' } = await sns.send(new CreateTopicCommand({ Name: `${NAME}-events` }));
  await dropFollowers(sns, TopicArn);
  return {
    region: EMULATOR_REGION,
    tableName: NAME,
    artifactsBucket: ARTIFACTS_BUCKET,
    topicArn: TopicArn,
    dispatcherName: `${NAME}-dispatch-checks`,
  };
}

/** Nobody follows events yet: who is subscribed was killed the last time. */
async function dropFollowers(sns: SNSClient, TopicArn: string): Promise<void> {
  const { Subscriptions = [] } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  for (const { SubscriptionArn } of Subscriptions) await sns.send(new UnsubscribeCommand({ SubscriptionArn }));
}

function unless(expected: new (...args: never) => Error): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof expected)) throw error;
  };
}

/** Which version of the catalogue is in the bucket; `undefined`: none yet. */
export async function catalogueTag(s3: S3Client, bucket: string): Promise<string | undefined> {
  const object = { Bucket: bucket, Key: CATALOGUE_OBJECT };
  try {
    return (await s3.send(new HeadObjectCommand(object))).ETag;
  } catch (error) {
    if (error instanceof Error && error.name === 'NotFound') return undefined;
    throw error;
  }
}
