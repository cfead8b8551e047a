import { describe, expect, it } from 'vitest';
import { loadGitCredentials, secretsOf } from '../../lib/adapters/git-credentials.ts';
import type { SecretSource } from '../../lib/ports/secret-source.ts';

const secretsIn = (values: Readonly<Record<string, string>>): SecretSource => ({
  get: async (reference) => (reference.kind === 'secrets-manager' ? (values[reference.id] ?? '') : ''),
});

describe('loadGitCredentials', () => {
  it('reads user names, passwords and keys by host', async () => {
    const secrets = secretsIn({
      'holdfast/github': '{"username":"bot","password":"one","note":"ours"}',
      'holdfast/ssh': '{"privateKey":"KEY","knownHosts":"git.example ssh-ed25519 AAAA"}',
    });
    const setting = '{"github.com":"holdfast/github","git.example:2222":"holdfast/ssh"}';
    const credentials = await loadGitCredentials({ secrets }, setting);
    expect(credentials).toMatchObject([
      { kind: 'password', host: 'github.com', username: 'bot', password: 'one' },
      { kind: 'ssh-key', host: 'git.example:2222', privateKey: 'KEY', knownHosts: 'git.example ssh-ed25519 AAAA' },
    ]);
    expect(secretsOf(credentials)).toEqual(['one', 'KEY']);
  });

  it('has none where no setting names any', async () => {
    expect(await loadGitCredentials({ secrets: secretsIn({}) }, undefined)).toEqual([]);
  });

  it.each(['github.com', '[]', '{"github.com":1}', '{"git hub":"x"}', '{"*":"x"}', '{"a\'b":"x"}'])(
    'fails on the setting %s',
    async (setting) => {
      await expect(loadGitCredentials({ secrets: secretsIn({}) }, setting)).rejects.toThrow(
        expect.objectContaining({ code: 'ArgumentInvalid', hint: expect.stringContaining('expected JSON such as') }),
      );
    },
  );

  it.each([
    'hunter2',
    '{"username":"hunter2"}',
    '{"username":"hunter2","password":"a\\nb"}',
    '{"privateKey":"hunter2"}',
  ])('fails on the secret %s without showing it', async (secret) => {
    const load = loadGitCredentials({ secrets: secretsIn({ x: secret }) }, '{"github.com":"x"}');
    const error: unknown = await load.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'SecretUnavailable',
      message: 'secret x holds no Git credentials for github.com',
    });
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });
});
