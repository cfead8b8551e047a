import { describe, expect, it } from 'vitest';
import { stackEnvironment } from '../../lib/adapters/stack-environment.ts';

const CREDENTIALS = { accessKeyId: 'ASIA', secretAccessKey: 'secret', sessionToken: 'token' };
const nothing = { task: {}, settings: {}, region: null, credentials: null };

describe('stackEnvironment', () => {
  it.each([
    'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
    'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    'AWS_CONTAINER_AUTHORIZATION_TOKEN',
    'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
    'AWS_PROFILE',
    'AWS_WEB_IDENTITY_TOKEN_FILE',
    'AWS_ROLE_ARN',
    'AWS_ENDPOINT_URL',
    'AWS_ENDPOINT_URL_S3',
    'AWS_EXECUTION_ENV',
    'ECS_CONTAINER_METADATA_URI',
    'ECS_CONTAINER_METADATA_URI_V4',
    'ECS_AGENT_URI',
    'SFN_TASK_TOKEN',
    'HOLDFAST_RUN_ID',
    'HOLDFAST_DIGEST_SALT',
    'HOLDFAST_GIT_CREDENTIALS',
    'ARTIFACTS_BUCKET',
  ])('keeps %s of the task back', (name) => {
    expect(stackEnvironment({ ...nothing, task: { [name]: 'value' } })).toEqual(stackEnvironment(nothing));
  });

  it.each([
    'PATH',
    'HOME',
    'https_proxy',
    'AWS_REGION',
    'AWS_CA_BUNDLE',
    'TF_PLUGIN_CACHE_DIR',
    'TF_TOKEN_app_terraform_io',
  ])('hands on %s of the task', (name) => {
    expect(stackEnvironment({ ...nothing, task: { [name]: 'value' } })).toMatchObject({ [name]: 'value' });
  });

  it('gives the stack its region, its settings and its role', () => {
    const environment = stackEnvironment({
      task: { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'task' },
      settings: { TF_VAR_size: '3', AWS_ACCESS_KEY_ID: 'setting', DATADOG_API_KEY: 'x' },
      region: 'eu-west-1',
      credentials: CREDENTIALS,
    });
    expect(environment).toMatchObject({
      AWS_REGION: 'eu-west-1',
      AWS_DEFAULT_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'ASIA',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'token',
      AWS_EC2_METADATA_DISABLED: 'true',
      TF_VAR_size: '3',
      DATADOG_API_KEY: 'x',
    });
  });

  it('leaves a stack without a role the credentials of its settings', () => {
    const settings = { AWS_ACCESS_KEY_ID: 'setting', AWS_REGION: 'eu-north-1' };
    expect(stackEnvironment({ ...nothing, settings, region: 'eu-west-1' })).toMatchObject(settings);
  });

  it.each([
    'TF_CLI_ARGS',
    'TF_CLI_ARGS_plan',
    'TF_WORKSPACE',
    'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    'ECS_CONTAINER_METADATA_URI_V4',
  ])('fails on the setting %s', (name) => {
    expect(() => stackEnvironment({ ...nothing, settings: { [name]: 'value' } })).toThrow(
      expect.objectContaining({
        code: 'ArgumentInvalid',
        message: `the catalogue sets the environment variable ${name}`,
        hint: expect.stringMatching(/^take it out: /),
      }),
    );
  });
});

describe("stackEnvironment on somebody's own machine", () => {
  const task = {
    AWS_PROFILE: 'sandbox',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:4566',
    HOLDFAST_RUN_ID: 'run',
    HOME: '/home/me',
  };

  it('hands its own AWS settings on to a stack without a plan role', () => {
    const env = stackEnvironment({ ...nothing, task, identity: 'own' });

    expect(env).toMatchObject({ AWS_PROFILE: 'sandbox', AWS_ENDPOINT_URL: 'http://127.0.0.1:4566', HOME: '/home/me' });
    expect(env).not.toHaveProperty('AWS_EC2_METADATA_DISABLED');
    expect(env).not.toHaveProperty('HOLDFAST_RUN_ID');
  });

  it('keeps them back from a stack that has one', () => {
    const env = stackEnvironment({ ...nothing, task, credentials: CREDENTIALS, identity: 'own' });

    expect(env).not.toHaveProperty('AWS_PROFILE');
    expect(env).toMatchObject({ AWS_ACCESS_KEY_ID: 'ASIA', AWS_EC2_METADATA_DISABLED: 'true' });
  });
});
