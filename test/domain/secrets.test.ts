import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonArray, isJsonObject, type Json, type JsonObject, PreciseNumber } from '../../lib/domain/json.ts';
import { collectSecrets, isSecretName, secretSettings, secretsInText } from '../../lib/domain/secrets.ts';
import { maskedAttributes } from '../support/masked-values.ts';

describe('isSecretName', () => {
  it.each([
    'password',
    'db_password',
    'DB_PASSWORD',
    'dbPassword',
    'db-password',
    '/prod/db/password',
    'master_user_secret',
    'secretKey',
    'AWS_SECRET_ACCESS_KEY',
    'apiKey',
    'api_key',
    'APIKEY',
    'x-api-key',
    'session_token',
    'private_key_pem',
    'GOOGLE_CREDENTIALS',
    'connectionString',
    'passphrase',
  ])('holds for %s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each([
    '',
    'name',
    'password_length',
    'minimum_password_length',
    'tokenizer',
    'secrets_manager_arn',
    'kms_key',
    'passwords',
    'compassword',
  ])('does not hold for %s', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

/** Every place of a plan document that holds marked values. */
const PLACES: Readonly<Record<string, (value: JsonObject, mask: JsonObject) => JsonObject>> = {
  'before of a change': (value, mask) => ({
    resource_changes: [{ change: { before: value, before_sensitive: mask } }],
  }),
  'after of a change': (value, mask) => ({ resource_changes: [{ change: { after: value, after_sensitive: mask } }] }),
  'before of drift': (value, mask) => ({ resource_drift: [{ change: { before: value, before_sensitive: mask } }] }),
  'after of drift': (value, mask) => ({ resource_drift: [{ change: { after: value, after_sensitive: mask } }] }),
  'a deferred change': (value, mask) => ({
    deferred_changes: [{ resource_change: { change: { after: value, after_sensitive: mask } } }],
  }),
  'an output that changes': (value, mask) => ({ output_changes: { o: { before: value, before_sensitive: mask } } }),
  'an action': (value, mask) => ({ action_invocations: [{ config_values: value, config_sensitive: mask }] }),
  'planned values': (value, mask) => ({
    planned_values: { root_module: { resources: [{ values: value, sensitive_values: mask }] } },
  }),
  'prior state, inside a module': (value, mask) => ({
    prior_state: {
      values: {
        root_module: {
          child_modules: [{ child_modules: [{ resources: [{ values: value, sensitive_values: mask }] }] }],
        },
      },
    },
  }),
};

const leaf = fc.oneof(
  fc.constantFrom<Json>(null, true, false, ''),
  fc.nat().map((at) => `text-${at}`),
  fc.integer(),
  fc.bigInt({ min: 10n ** 20n, max: 10n ** 30n }).map((value) => new PreciseNumber(`${value}1`)),
);
const attributes = maskedAttributes(fc.constantFrom('a', 'b', 'password', '__proto__', 'toString'), leaf);

/** What has to be collected: below a mark, below a secret's name, in a list with a mark. By another way of going there. */
function marked(value: Json, mask: Json | undefined, hidden: boolean): string[] {
  const here = hidden || mask === true || (isJsonArray(mask) && JSON.stringify(mask).includes('true'));
  if (isJsonArray(value)) return value.flatMap((member) => marked(member, false, here));
  if (isJsonObject(value)) {
    const masks = new Map(isJsonObject(mask) ? Object.entries(mask) : []);
    return Object.entries(value).flatMap(([key, member]) => marked(member, masks.get(key), here || key === 'password'));
  }
  if (!here || value === null || typeof value === 'boolean') return [];
  return [value instanceof PreciseNumber ? value.source : String(value)];
}

describe('collectSecrets', () => {
  it.each(Object.keys(PLACES))('collects every marked value in %s, and no other', (place) => {
    const build = PLACES[place] as (value: JsonObject, mask: JsonObject) => JsonObject;
    fc.assert(
      fc.property(attributes, ({ value, mask }) => {
        expect([...collectSecrets(build(value, mask))].sort()).toEqual([...new Set(marked(value, mask, false))].sort());
      }),
    );
  });

  it('collects a set block whole where one member of one block is marked', () => {
    const before = { auth: [{ user: 'root', pin: 'abc' }, { user: 'guest' }] };
    const mask = { auth: [{ pin: true }, {}] };
    const raw = { resource_changes: [{ change: { before, before_sensitive: mask } }] };
    expect([...collectSecrets(raw)]).toEqual(['root', 'abc', 'guest']);
  });

  it('collects by name only in documents without masks', () => {
    const change = { before: { name: 'jobs', password: 'old' }, after: { name: 'jobs', password: 'new' } };
    expect([...collectSecrets({ resource_changes: [{ change }] })]).toEqual(['old', 'new']);
  });

  it('collects variables that are declared as sensitive or are named as secrets', () => {
    const raw = {
      variables: {
        pin: { value: 'by-declaration' },
        api_key: { value: 'by-name' },
        settings: { value: { url: 'open', token: 'by-name-inside' } },
        region: { value: 'eu-west-1' },
        unset: {},
      },
      configuration: { root_module: { variables: { pin: { sensitive: true }, region: { sensitive: false } } } },
    };
    expect([...collectSecrets(raw)]).toEqual(['by-declaration', 'by-name', 'by-name-inside']);
  });

  it.each<[string, (outputs: JsonObject) => JsonObject]>([
    ['planned values', (outputs) => ({ planned_values: { outputs } })],
    ['prior state', (outputs) => ({ prior_state: { values: { outputs } } })],
  ])('collects sensitive outputs of %s, and outputs named as secrets', (_, build) => {
    const outputs = {
      url: { value: 'open', sensitive: false },
      dsn: { value: { host: 'by-mark', ports: [5432] }, sensitive: true },
      admin_password: { value: 'by-name' },
      unknown: { sensitive: true },
    };
    expect([...collectSecrets(build(outputs))]).toEqual(['by-mark', '5432', 'by-name']);
  });

  it('collects changed outputs that are named as secrets', () => {
    const raw = { output_changes: { admin_password: { before: 'old', after: 'new', before_sensitive: false } } };
    expect([...collectSecrets(raw)]).toEqual(['old', 'new']);
  });

  it('collects from a document that is only at hand as text, where it can be read', () => {
    const text = '{"planned_values":{"outputs":{"a":{"value":"hunter2","sensitive":true}}}}';
    expect(secretsInText(text)).toEqual(['hunter2']);
    expect(secretsInText('')).toEqual([]);
  });

  it('collects nothing from a document that is empty or odd', () => {
    for (const raw of [
      {},
      { resource_changes: null, variables: [], planned_values: 'x', resource_drift: [null, 'x'] },
    ]) {
      expect(collectSecrets(raw).size).toBe(0);
    }
  });
});

describe('secretSettings', () => {
  it('takes credentials and secret variables from the environment', () => {
    const env = {
      AWS_SECRET_ACCESS_KEY: 'aws-key',
      AWS_SESSION_TOKEN: 'aws-token',
      AWS_ACCESS_KEY_ID: 'AKIA',
      ARM_CLIENT_SECRET: 'arm',
      GOOGLE_CREDENTIALS: 'google',
      TF_TOKEN_app_terraform_io: 'registry',
      TF_VAR_db_password: 'variable',
      TF_VAR_region: 'eu-west-1',
      TF_VAR_token: '',
      PATH: '/bin',
      VAULT_TOKEN: undefined,
    };
    expect(secretSettings(env, [])).toEqual(['aws-key', 'aws-token', 'arm', 'google', 'registry', 'variable']);
  });

  it('takes values of secret variables from the command line', () => {
    expect(secretSettings({}, ['db_password=a=b', 'region=eu', 'token', 'api_key=', '=x'])).toEqual(['a=b']);
  });
});
