import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGitCheckout } from '../../lib/adapters/git-checkout.ts';
import type { GitCredential } from '../../lib/adapters/git-credentials.ts';
import { gitEnvironment, prepareGitSettings } from '../../lib/adapters/git-environment.ts';
import { aRepository } from '../support/git-repository.ts';

async function aFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'git-env-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function settingsFor(credentials: readonly GitCredential[], folder?: string) {
  const made = folder ?? (await aFolder());
  return prepareGitSettings({ credentials, protocols: ['https', 'ssh'], folder: made });
}

const password = (host: string, username: string, secret: string): GitCredential => ({
  kind: 'password',
  host,
  username,
  password: secret,
});

describe('the environment of Git', () => {
  it('holds nothing of the process but what Git needs', async () => {
    const process = {
      PATH: '/bin',
      https_proxy: 'http://proxy',
      AWS_SECRET_ACCESS_KEY: 'a',
      GIT_TRACE: '1',
      GIT_DIR: 'x',
    };
    const env = gitEnvironment(process, await settingsFor([]));
    expect(env).toMatchObject({ PATH: '/bin', https_proxy: 'http://proxy', GIT_TERMINAL_PROMPT: '0' });
    expect(Object.keys(env).filter((name) => /AWS|TRACE|GIT_DIR/.test(name))).toEqual([]);
  });

  it('allows the transports that it is given, and no others', async () => {
    const { env } = await settingsFor([]);
    expect(env.GIT_ALLOW_PROTOCOL).toBe('https:ssh');
  });

  it('is forgotten as a whole', async () => {
    const folder = await aFolder();
    const settings = await settingsFor([password('a.example', 'u', 'p')], join(folder, 'git'));
    await settings.forget();
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the program that answers for Git', () => {
  const ask = (env: Readonly<Record<string, string>>, prompt: string) =>
    execFileSync(env.GIT_ASKPASS ?? '', [prompt], { env, encoding: 'utf8', stdio: 'pipe' });

  it('knows each host its own', async () => {
    const { env } = await settingsFor([
      password('github.com', 'bot', 'one'),
      password('git.example:8443', 'x-token', 't\'w"o $(id) \\n'),
    ]);
    expect(ask(env, "Username for 'https://github.com': ")).toBe('bot\n');
    expect(ask(env, "Password for 'https://bot@github.com': ")).toBe('one\n');
    expect(ask(env, "Username for 'https://git.example:8443': ")).toBe('x-token\n');
    expect(ask(env, "Password for 'https://x-token@git.example:8443': ")).toBe('t\'w"o $(id) \\n\n');
  });

  it.each([
    "Username for 'https://evil.example': ",
    "Password for 'https://bot@github.com.evil.example': ",
    "Password for 'https://bot@notgithub.com': ",
    'Enter passphrase for key: ',
  ])('has no answer to %j', async (prompt) => {
    const { env } = await settingsFor([password('github.com', 'bot', 'one')]);
    expect(() => ask(env, prompt)).toThrow('Command failed');
  });

  it('is for this user only', async () => {
    const { env } = await settingsFor([password('github.com', 'bot', 'one')]);
    expect(((await stat(env.GIT_ASKPASS ?? '')).mode & 0o777).toString(8)).toBe('700');
  });
});

describe('a checkout over ssh', () => {
  const KEY: GitCredential = {
    kind: 'ssh-key',
    host: 'git.example',
    privateKey: 'PRIVATE KEY',
    knownHosts: 'git.example ssh-ed25519 AAAA',
  };

  /** An ssh that notes what it was called with and runs the command here. */
  async function aFakeSsh() {
    const bin = await aFolder();
    const log = join(bin, 'log');
    const script = `#!/bin/sh\nfor word in "$@"; do echo "$word" >> '${log}'; last=$word; done\nexec sh -c "$last"\n`;
    await writeFile(join(bin, 'ssh'), script, { mode: 0o755 });
    return { env: { ...process.env, PATH: `${bin}:${process.env.PATH}` }, words: () => readFile(log, 'utf8') };
  }

  it('hands ssh key and known hosts of the host in files for this user only', async () => {
    const repository = await aRepository();
    const commit = await repository.commit({ 'main.tf': '# here\n' });
    const { env, words } = await aFakeSsh();
    const root = await aFolder();
    const settings = await settingsFor([KEY], join(root, 'git'));
    const source = createGitCheckout({ root, env: gitEnvironment(env, settings), secrets: [] });
    const url = `ssh://git@git.example:2222${repository.directory}`;
    const request = { url, ref: 'main', path: '.', files: 'all', signal: new AbortController().signal } as const;
    expect(await source.checkout(request)).toMatchObject({ commit });
    expect(await words()).toContain(`-F\n${root}/git/ssh-config\n`);
    expect(await readFile(join(root, 'git/ssh-config'), 'utf8')).toBe(
      [
        'Host git.example',
        `  IdentityFile "${root}/git/key-0"`,
        `  UserKnownHostsFile "${root}/git/known-hosts-0"`,
        'Host *',
        '  BatchMode yes',
        '  IdentitiesOnly yes',
        '  StrictHostKeyChecking yes',
        '',
      ].join('\n'),
    );
    expect(await readFile(join(root, 'git/key-0'), 'utf8')).toBe('PRIVATE KEY\n');
    expect(((await stat(join(root, 'git/key-0'))).mode & 0o777).toString(8)).toBe('600');
  });

  it('is understood by the real ssh', async () => {
    const { env } = await settingsFor([KEY]);
    const [, , file = ''] = (env.GIT_SSH_COMMAND ?? '').split(' ');
    const shown = execFileSync('ssh', ['-G', '-F', file.replaceAll("'", ''), 'git.example'], { encoding: 'utf8' });
    expect(shown).toMatch(/^identityfile .*\/key-0$/m);
    expect(shown).toMatch(/^userknownhostsfile .*\/known-hosts-0$/m);
    expect(shown).toMatch(/^stricthostkeychecking true$/m);
    expect(shown).toMatch(/^batchmode yes$/m);
  });

  it('asks nobody where there is no key', async () => {
    const { env } = await settingsFor([]);
    expect(env.GIT_SSH_COMMAND).toBe('ssh -o BatchMode=yes');
  });
});
