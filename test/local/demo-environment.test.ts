import { devNull } from 'node:os';
import { describe, expect, it } from 'vitest';
import { demoEnvironment } from '../../lib/local/demo-environment.ts';
import type { Emulator } from '../../lib/local/emulator.ts';

const emulator: Emulator = {
  endpoint: 'http://127.0.0.1:4566',
  env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:4566', AWS_ACCESS_KEY_ID: 'emulator' },
  close: async () => undefined,
};

function environmentFrom(env: Record<string, string>): Record<string, string> {
  return demoEnvironment({ env, emulator, pluginCache: '/cache/providers' });
}

describe('demoEnvironment', () => {
  it('replaces everything that leads to an account of the user', () => {
    const env = environmentFrom({
      AWS_PROFILE: 'production',
      AWS_SESSION_TOKEN: 'real',
      AWS_ACCESS_KEY_ID: 'real',
      AWS_ENDPOINT_URL_SQS: 'https://sqs.eu-west-1.amazonaws.com',
      AWS_CONFIG_FILE: '/home/me/.aws/config',
    });
    expect(Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('AWS_')))).toEqual({
      ...emulator.env,
      AWS_CONFIG_FILE: devNull,
      AWS_SHARED_CREDENTIALS_FILE: devNull,
    });
  });

  it('keeps inputs, data directories and providers of other work out', () => {
    const names = ['TF_VAR_name', 'TF_DATA_DIR', 'TF_REATTACH_PROVIDERS', 'TF_WORKSPACE', 'TF_CLI_ARGS'];
    const env = environmentFrom(Object.fromEntries(names.map((name) => [name, 'x'])));
    expect(Object.keys(env)).not.toEqual(expect.arrayContaining([expect.stringMatching(names.join('|'))]));
  });

  it('keeps the ways to find programs and providers', () => {
    const env = { PATH: '/bin', HTTPS_PROXY: 'http://proxy:3128', TF_CLI_CONFIG_FILE: '/etc/terraform.tfrc' };
    expect(environmentFrom(env)).toMatchObject(env);
  });

  it('keeps providers in the cache it is given, unless the user has one', () => {
    expect(environmentFrom({})).toHaveProperty('TF_PLUGIN_CACHE_DIR', '/cache/providers');
    expect(environmentFrom({ TF_PLUGIN_CACHE_DIR: '/mine' })).toHaveProperty('TF_PLUGIN_CACHE_DIR', '/mine');
  });
});
