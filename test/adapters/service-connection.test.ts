import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { connectService } from '../../lib/adapters/service-connection.ts';
import { LOCAL_FILE, LOCAL_FOLDER } from '../../lib/contract/local-mode.ts';
import { type AnsweringServer, startAnsweringServer } from '../support/answering-server.ts';
import { aFolder } from '../support/temporary-folder.ts';

const DEPLOYMENT = {
  region: 'eu-central-1',
  tableName: 'team-table',
  artifactsBucket: 'team-artifacts',
  topicArn: 'arn:aws:sns:eu-central-1:111122223333:team-events',
  dispatcherName: 'team-dispatch',
};

describe('connectService', () => {
  let aws: AnsweringServer;

  beforeEach(async () => {
    aws = await startAnsweringServer();
    vi.stubEnv('AWS_ENDPOINT_URL', aws.endpoint);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    vi.stubEnv('AWS_REGION', 'eu-west-1');
  });

  afterEach(async () => {
    vi.unstubAllEnvs();
    await aws.close();
  });

  const parameter = (value: string) => {
    const body = JSON.stringify({ Parameter: { Value: value } });
    aws.answer((response) => response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(body));
  };

  /** A working directory in which a local mode runs. */
  async function withLocalMode(folder = LOCAL_FOLDER): Promise<string> {
    const mode = {
      schemaVersion: 1,
      pid: process.pid,
      tableEndpoint: aws.endpoint,
      awsEndpoint: aws.endpoint,
      deployment: DEPLOYMENT,
    };
    const cwd = await aFolder({ [join(folder, 'settings.json')]: '' });
    await writeFile(join(cwd, folder, LOCAL_FILE), JSON.stringify(mode));
    aws.answer((response) => response.writeHead(200).end('{}'));
    return cwd;
  }

  it('asks Systems Manager where a deployment is', async () => {
    parameter(JSON.stringify(DEPLOYMENT));
    const service = await connectService({ cwd: await aFolder() }, { deployment: 'team', region: 'eu-west-3' });

    expect(service).toMatchObject({ name: 'deployment team in eu-central-1', deployment: DEPLOYMENT });
    expect(JSON.parse(aws.requests[0]?.body ?? '')).toEqual({ Name: '/holdfast/team' });
    expect(aws.requests[0]?.headers.authorization).toContain('/eu-west-3/ssm/');
    service.close();
  });

  it('reads the table of that deployment, in its region', async () => {
    parameter(JSON.stringify(DEPLOYMENT));
    const service = await connectService({ cwd: await aFolder() }, { deployment: 'team' });
    aws.answer((response) => response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}'));

    expect(await service.stacks.get('prod/network')).toBeUndefined();
    expect(JSON.parse(aws.requests[0]?.body ?? '')).toMatchObject({ TableName: 'team-table' });
    expect(aws.requests[0]?.headers.authorization).toContain('/eu-central-1/dynamodb/');
    service.close();
  });

  it('takes a local mode that runs in the usual place before a deployment', async () => {
    const service = await connectService({ cwd: await withLocalMode() }, {});

    expect(service.name).toBe('local mode in .holdfast/local');
    service.close();
  });

  it.each([{ region: 'eu-west-1' }, { deployment: 'holdfast' }])(
    'leaves the local mode out where %j is asked for',
    async (choice) => {
      const cwd = await withLocalMode();
      parameter(JSON.stringify(DEPLOYMENT));
      const service = await connectService({ cwd }, choice);

      expect(service.name).toBe('deployment holdfast in eu-central-1');
      service.close();
    },
  );

  it('finds a local mode in the folder that is named', async () => {
    const cwd = await withLocalMode('elsewhere');
    const service = await connectService({ cwd }, { local: 'elsewhere' });

    expect(service.name).toBe('local mode in elsewhere');
    service.close();
  });

  it.each([true, 'elsewhere'] as const)('fails where no local mode runs and one is asked for (%s)', async (local) => {
    await expect(connectService({ cwd: await aFolder() }, { local })).rejects.toMatchObject({
      code: 'ServiceFailed',
      hint: expect.stringContaining('npm start'),
    });
    expect(aws.requests).toEqual([]);
  });

  it('fails on a local mode and a deployment at once', async () => {
    await expect(connectService({ cwd: await aFolder() }, { local: true, region: 'eu-west-1' })).rejects.toMatchObject({
      code: 'ArgumentInvalid',
    });
  });

  it('fails where there is no such deployment, and says where it looked', async () => {
    const body = JSON.stringify({ __type: 'ParameterNotFound', message: 'no' });
    aws.answer((response) => response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(body));

    await expect(connectService({ cwd: await aFolder() }, {})).rejects.toMatchObject({
      code: 'ServiceFailed',
      message: 'no deployment holdfast in eu-west-1: there is no parameter /holdfast/holdfast',
    });
  });

  it('fails on a parameter that says something else', async () => {
    parameter('{"region":"eu-west-1"}');

    await expect(connectService({ cwd: await aFolder() }, {})).rejects.toMatchObject({ code: 'ItemUnreadable' });
  });
});
