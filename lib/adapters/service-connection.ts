import { resolve } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
import { Deployment, deploymentParameter } from '../contract/deployment.ts';
import { LOCAL_CREDENTIALS, LOCAL_FOLDER, type LocalMode } from '../contract/local-mode.ts';
import { HoldfastError } from '../domain/errors.ts';
import type { ArtifactStore } from '../ports/artifact-store.ts';
import type { EventFeed } from '../ports/event-feed.ts';
import type { RunStore } from '../ports/run-store.ts';
import type { StackStore } from '../ports/stack-store.ts';
import { createDocumentClient } from './dynamo-client.ts';
import { createDynamoRunStore } from './dynamo-run-store.ts';
import { createDynamoStackStore } from './dynamo-stack-store.ts';
import { findLocalMode } from './local-mode-file.ts';
import { createS3ArtifactStore } from './s3-artifact-store.ts';
import { createSqsEventFeed } from './sqs-event-feed.ts';

export interface ConnectionChoice {
  /** State folder of a local mode, relative to the working directory; `true`: the usual one. */
  readonly local?: string | true | undefined;
  readonly profile?: string | undefined;
  readonly region?: string | undefined;
  readonly deployment?: string | undefined;
}

export interface ServiceConnection {
  readonly name: string;
  readonly deployment: Deployment;
  readonly stacks: StackStore;
  readonly runs: RunStore;
  readonly artifacts: ArtifactStore;
  readonly events: EventFeed;
  close(): void;
}

const DEFAULT_DEPLOYMENT = 'holdfast';

/**
 * Connects to the Holdfast of this machine or to one on AWS. A local mode that runs in the usual place goes first, unless
 * something else is asked for. Throws `ServiceFailed` where there is none.
 */
export async function connectService(
  { cwd }: { readonly cwd: string },
  choice: ConnectionChoice,
): Promise<ServiceConnection> {
  const { local, profile, region, deployment } = choice;
  const aws = [profile, region, deployment].some((option) => option !== undefined);
  if (local !== undefined && aws) {
    throw new HoldfastError('ArgumentInvalid', '--local goes without --profile, --region and --deployment');
  }
  if (aws) return connectDeployment(choice);
  const folder = local === undefined || local === true ? LOCAL_FOLDER : local;
  const mode = await findLocalMode(resolve(cwd, folder));
  if (mode !== undefined) return connectLocal(mode, folder);
  if (local === undefined) return connectDeployment(choice);
  throw new HoldfastError('ServiceFailed', `no local mode runs with the state folder ${folder}`, {
    hint: 'start one with "npm start" or "holdfast local"',
  });
}

/** Clients of the emulators, which know everybody. */
export function connectLocal(
  { tableEndpoint, awsEndpoint, deployment }: Pick<LocalMode, 'tableEndpoint' | 'awsEndpoint' | 'deployment'>,
  folder: string,
): ServiceConnection {
  const config = { region: deployment.region, credentials: LOCAL_CREDENTIALS };
  return connect(deployment, `local mode in ${folder}`, {
    table: { ...config, endpoint: tableEndpoint },
    others: { ...config, endpoint: awsEndpoint },
  });
}

async function connectDeployment({
  profile,
  region,
  deployment: name = DEFAULT_DEPLOYMENT,
}: ConnectionChoice): Promise<ServiceConnection> {
  const config = { ...(profile !== undefined && { profile }), ...(region !== undefined && { region }) };
  const deployment = await findDeployment(new SSMClient(config), name);
  const found = { ...config, region: deployment.region };
  return connect(deployment, `deployment ${name} in ${deployment.region}`, { table: found, others: found });
}

async function findDeployment(ssm: SSMClient, name: string): Promise<Deployment> {
  const parameter = deploymentParameter(name);
  try {
    const { Parameter } = await ssm.send(new GetParameterCommand({ Name: parameter }));
    return parseDeployment(parameter, Parameter?.Value ?? '');
  } catch (cause) {
    if (!(cause instanceof ParameterNotFound)) throw cause;
    const region = await ssm.config.region();
    throw new HoldfastError('ServiceFailed', `no deployment ${name} in ${region}: there is no parameter ${parameter}`, {
      cause,
      hint: 'name it with --deployment, --region and --profile, or start a local mode with "npm start"',
    });
  } finally {
    ssm.destroy();
  }
}

function parseDeployment(parameter: string, value: string): Deployment {
  try {
    return Deployment.parse(JSON.parse(value));
  } catch (cause) {
    throw new HoldfastError('ItemUnreadable', `the parameter ${parameter} is not of a deployment of this version`, {
      cause,
      hint: 'use the command line of the version that is deployed',
    });
  }
}

interface ClientConfig {
  readonly region: string;
  readonly profile?: string;
  readonly endpoint?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

interface ConnectInput {
  readonly table: ClientConfig;
  readonly others: ClientConfig;
}

function connect(deployment: Deployment, name: string, { table, others }: ConnectInput): ServiceConnection {
  const { tableName, artifactsBucket: bucket, topicArn } = deployment;
  const dynamo = new DynamoDBClient(table);
  const s3 = new S3Client(others);
  const sns = new SNSClient(others);
  // The address of a queue is a name only: requests go to where the client goes.
  const sqs = new SQSClient({ ...others, useQueueUrlAsEndpoint: false });
  const client = createDocumentClient(dynamo);
  return {
    name,
    deployment,
    stacks: createDynamoStackStore({ tableName, client }),
    runs: createDynamoRunStore({ tableName, client }),
    artifacts: createS3ArtifactStore({ bucket, client: s3 }),
    events: createSqsEventFeed({ topicArn, sns, sqs }),
    close() {
      for (const each of [dynamo, s3, sns, sqs]) each.destroy();
    },
  };
}
