import { STSClient } from '@aws-sdk/client-sts';
import { afterAll, describe, expect, it } from 'vitest';
import { createStsRoleAssumer } from '../../lib/adapters/sts-role-assumer.ts';
import { startAnsweringServer } from '../support/answering-server.ts';

const server = await startAnsweringServer();
const client = new STSClient({
  endpoint: server.endpoint,
  region: 'eu-west-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
});
const roles = createStsRoleAssumer({ client });
afterAll(async () => {
  client.destroy();
  await server.close();
});

const answer = (status: number, xml: string) =>
  server.answer((response) => response.writeHead(status, { 'content-type': 'text/xml' }).end(xml));

const REQUEST = {
  roleArn: 'arn:aws:iam::111122223333:role/holdfast-plan',
  externalId: 'ours',
  sessionName: 'holdfast-01KJ',
  durationSeconds: 900,
};

const granted = (credentials: string) =>
  `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult>${credentials}</AssumeRoleResult></AssumeRoleResponse>`;
const CREDENTIALS =
  '<Credentials><AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>secret</SecretAccessKey><SessionToken>token</SessionToken></Credentials>';

describe('the STS role assumer', () => {
  it('asks for the role by its external id, and names the session', async () => {
    answer(200, granted(CREDENTIALS));
    expect(await roles.assume(REQUEST)).toEqual({
      accessKeyId: 'ASIA',
      secretAccessKey: 'secret',
      sessionToken: 'token',
    });
    expect(Object.fromEntries(new URLSearchParams(server.requests[0]?.body))).toMatchObject({
      Action: 'AssumeRole',
      RoleArn: REQUEST.roleArn,
      ExternalId: 'ours',
      RoleSessionName: 'holdfast-01KJ',
      DurationSeconds: '900',
    });
  });

  it('gives no external id where the stack has none', async () => {
    answer(200, granted(CREDENTIALS));
    await roles.assume({ ...REQUEST, externalId: null });
    expect(server.requests[0]?.body).not.toContain('ExternalId');
  });

  it.each([
    [403, 'AccessDenied', /spoke-roles/],
    [400, 'ValidationError', undefined],
  ])('fails where STS answers %i %s', async (status, code, hint) => {
    answer(status, `<ErrorResponse><Error><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`);
    await expect(roles.assume(REQUEST)).rejects.toThrow(
      expect.objectContaining({
        code: 'RoleUnavailable',
        message: `role ${REQUEST.roleArn} can't be assumed: ${code}`,
        hint: hint === undefined ? undefined : expect.stringMatching(hint),
      }),
    );
  });

  it('fails where the answer holds no credentials', async () => {
    answer(200, granted(''));
    await expect(roles.assume(REQUEST)).rejects.toThrow(
      expect.objectContaining({ code: 'RoleUnavailable', message: expect.stringContaining('holds no credentials') }),
    );
  });
});
