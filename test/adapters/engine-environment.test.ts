import { describe, expect, it } from 'vitest';
import { engineEnvironment } from '../../lib/adapters/engine-environment.ts';

const ALWAYS = { TF_IN_AUTOMATION: '1', TF_INPUT: '0', CHECKPOINT_DISABLE: '1' };

describe('engineEnvironment', () => {
  it.each([
    'PATH',
    'HOME',
    'TMPDIR',
    'LC_ALL',
    'HTTPS_PROXY',
    'https_proxy',
    'no_proxy',
    'SSL_CERT_FILE',
    'AWS_PROFILE',
    'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'CLOUDSDK_CONFIG',
    'ARM_TENANT_ID',
    'TF_VAR_region',
    'TF_TOKEN_app_example_com',
    'TF_REGISTRY_CLIENT_TIMEOUT',
    'TF_CLI_CONFIG_FILE',
    'TERRAFORM_CONFIG',
    'TF_DATA_DIR',
    'TF_REATTACH_PROVIDERS',
    'SSH_AUTH_SOCK',
    'XDG_CONFIG_HOME',
  ])('hands on %s', (name) => {
    expect(engineEnvironment({ [name]: 'value' })).toEqual({ [name]: 'value', ...ALWAYS });
  });

  it.each([
    'TF_CLI_ARGS',
    'TF_CLI_ARGS_plan',
    'TF_LOG',
    'TF_LOG_PROVIDER',
    'TF_WORKSPACE',
    'TASK_TOKEN',
    'SLACK_BOT_TOKEN',
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'MY_AWS_PROFILE',
    'PATHS',
    'aws_profile',
  ])('keeps %s back', (name) => {
    expect(engineEnvironment({ [name]: 'value' })).toEqual(ALWAYS);
  });

  it('leaves out what is not set', () => {
    expect(engineEnvironment({ HOME: undefined })).toEqual(ALWAYS);
  });

  it('asks for no input even where the environment does', () => {
    expect(engineEnvironment({ TF_INPUT: '1', CHECKPOINT_DISABLE: '', TF_IN_AUTOMATION: '' })).toEqual(ALWAYS);
  });
});
