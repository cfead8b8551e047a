import { inspect } from 'node:util';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { PutParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAwsSecretSource } from '../../lib/adapters/aws-secret-source.ts';
import type { SecretReference } from '../../lib/domain/stack-spec.ts';
import { type Answer, startAnsweringServer } from '../support/answering-server.ts';
import { type Moto, startMoto } from '../support/moto.ts';
import { describeInWorld } from '../support/world.ts';

const clientsOf = (endpoint: string) => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const config = { endpoint, region: 'us-east-1', credentials, maxAttempts: 1 };
  return { secretsManager: new SecretsManagerClient(config), ssm: new SSMClient(config) };
};

const aSecret = (id: string, jsonKey: string | null = null): SecretReference => ({
  kind: 'secrets-manager',
  id,
  jsonKey,
});
const aParameter = (name: string): SecretReference => ({ kind: 'ssm', name });

const json =
  (body: object, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));

describe('the AWS secret source', () => {
  let server: Awaited<ReturnType<typeof startAnsweringServer>>;
  let clients: ReturnType<typeof clientsOf>;
  beforeAll(async () => {
    server = await startAnsweringServer();
    clients = clientsOf(server.endpoint);
  });
  beforeEach(() => server.answer());
  afterAll(async () => {
    for (const client of Object.values(clients)) client.destroy();
    await server.close();
  });

  it('asks for a secret by its id, and for a parameter decrypted', async () => {
    const source = createAwsSecretSource(clients);
    server.answer(json({ SecretString: 'hunter2' }));
    expect(await source.get(aSecret('holdfast/db'))).toBe('hunter2');
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ SecretId: 'holdfast/db' });
    server.answer(json({ Parameter: { Value: 'hunter3' } }));
    expect(await source.get(aParameter('/holdfast/db'))).toBe('hunter3');
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ Name: '/holdfast/db', WithDecryption: true });
  });

  it.each([
    { key: 'password', value: 'hunter2' },
    { key: 'port', value: '5432' },
    { key: 'tls', value: 'false' },
    { key: 'empty', value: '' },
  ])('takes $key out of a secret in JSON', async ({ key, value }) => {
    server.answer(
      json({ SecretString: '{"password":"hunter2","port":5432,"tls":false,"empty":"","nested":{"a":1},"none":null}' }),
    );
    expect(await createAwsSecretSource(clients).get(aSecret('holdfast/db', key))).toBe(value);
  });

  it('asks for each secret once, also for several keys at the same time', async () => {
    server.answer(json({ SecretString: '{"a":"1","b":"2"}' }));
    const source = createAwsSecretSource(clients);
    const values = await Promise.all([
      source.get(aSecret('x', 'a')),
      source.get(aSecret('x', 'b')),
      source.get(aSecret('x')),
    ]);
    expect(values).toEqual(['1', '2', '{"a":"1","b":"2"}']);
    await source.get(aSecret('x', 'a'));
    expect(server.requests).toHaveLength(1);
  });

  it('tells a secret from a parameter of the same name', async () => {
    server.answer(json({ SecretString: 'secret' }), json({ Parameter: { Value: 'parameter' } }));
    const source = createAwsSecretSource(clients);
    expect([await source.get(aSecret('x')), await source.get(aParameter('x'))]).toEqual(['secret', 'parameter']);
  });

  it('asks again for what could not be read', async () => {
    const source = createAwsSecretSource(clients);
    server.answer(json({ __type: 'InternalServiceError', message: 'sorry' }, 500), json({ SecretString: 'hunter2' }));
    await expect(source.get(aSecret('x'))).rejects.toThrow('InternalServiceError');
    expect(await source.get(aSecret('x'))).toBe('hunter2');
  });

  it.each<{ what: string; reference: SecretReference; answer: Answer; message: string }>([
    {
      what: 'a secret that is missing',
      reference: aSecret('holdfast/db'),
      answer: json({ __type: 'ResourceNotFoundException', message: "Secrets Manager can't find it" }, 400),
      message: "secret holdfast/db can't be read: ResourceNotFoundException",
    },
    {
      what: 'a parameter that is denied',
      reference: aParameter('/db'),
      answer: json({ __type: 'AccessDeniedException', message: 'not authorized' }, 400),
      message: "parameter /db can't be read: AccessDeniedException",
    },
    {
      what: 'a secret without text',
      reference: aSecret('holdfast/db'),
      answer: json({ SecretBinary: 'aHVudGVyMg==' }),
      message: "secret holdfast/db can't be read: it holds no text",
    },
    ...['missing', 'nested', 'none', 'toString'].map((key) => ({
      what: `the key ${key}`,
      reference: aSecret('holdfast/db', key),
      answer: json({ SecretString: '{"password":"hunter2","nested":{"a":"hunter2"},"none":null}' }),
      message: `key ${key} of secret holdfast/db can't be read: it holds no text`,
    })),
    {
      what: 'a key of what is no JSON',
      reference: aSecret('holdfast/db', 'password'),
      answer: json({ SecretString: 'hunter2' }),
      message: "key password of secret holdfast/db can't be read: it holds no text",
    },
    {
      what: 'an answer that is no JSON',
      reference: aSecret('holdfast/db'),
      answer: (response) => response.end('hunter2'),
      message: "secret holdfast/db can't be read: SyntaxError",
    },
  ])('fails on $what, and names the reference only', async ({ reference, answer, message }) => {
    server.answer(answer);
    const error: unknown = await createAwsSecretSource(clients)
      .get(reference)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'SecretUnavailable', message });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('hunter2');
  });
});

describeInWorld('the AWS secret source on an emulator', () => {
  let moto: Moto;
  let clients: ReturnType<typeof clientsOf>;
  beforeAll(async () => {
    moto = await startMoto('moto_server', { PATH: process.env.PATH ?? '' });
    clients = clientsOf(moto.endpoint);
  });
  afterAll(async () => {
    for (const client of Object.values(clients)) client.destroy();
    await moto.close();
  });

  it('reads secrets, their keys, and encrypted parameters', async () => {
    const { secretsManager, ssm } = clients;
    await secretsManager.send(new CreateSecretCommand({ Name: 'holdfast/db', SecretString: '{"password":"hunter2"}' }));
    await ssm.send(new PutParameterCommand({ Name: '/holdfast/db', Value: 'hunter3', Type: 'SecureString' }));
    const source = createAwsSecretSource(clients);
    expect(await source.get(aSecret('holdfast/db'))).toBe('{"password":"hunter2"}');
    expect(await source.get(aSecret('holdfast/db', 'password'))).toBe('hunter2');
    expect(await source.get(aParameter('/holdfast/db'))).toBe('hunter3');
    await expect(source.get(aSecret('holdfast/none'))).rejects.toThrow('ResourceNotFoundException');
    await expect(source.get(aParameter('/none'))).rejects.toThrow('ParameterNotFound');
  });
});
