import { mkdir, rm, writeFile } from 'node:fs/promises';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { GitCredential } from './git-credentials.ts';

export interface GitSettingsOptions {
  readonly credentials: readonly GitCredential[];
  /** Transports that Git may use, such as `https`. */
  readonly protocols: readonly string[];
  /** Private, for the programs and files that Git and ssh ask for credentials. */
  readonly folder: string;
}

/** Lets Git work without asking anybody, wherever it is called. */
export interface GitSettings {
  /** Environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Removes what the variables lead to. */
  forget(): Promise<void>;
}

const KEPT = ['PATH', 'HOME', 'USER', 'TMPDIR', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'SSH_AUTH_SOCK'];
const PROXY = /^(?:https?|no|all)_proxy$/i;

// Whatever a repository or a machine says, Git runs no program but its own, in the foreground.
const CONFIGURATION: Readonly<Record<string, string>> = {
  'core.hooksPath': devNull,
  'core.fsmonitor': 'false',
  'credential.helper': '',
  'credential.useHttpPath': 'false',
  'submodule.recurse': 'false',
  'fetch.recurseSubmodules': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  // Less than a kilobyte a second for a minute: the connection is dead.
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '60',
};

/** The whole environment for Git commands of our own: of the process's, what they need, and the settings. */
export function gitEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  settings: GitSettings,
): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (KEPT.includes(name) || PROXY.test(name)) ? [[name, value]] : [],
  );
  return { ...Object.fromEntries(kept), ...settings.env };
}

/**
 * Settings that make Git, whoever calls it (also `terraform init`, for modules), ask nobody, run nothing from a
 * repository, and log in where there are credentials. These are in variables and in files of a private folder, so that
 * they are neither in a URL nor among a program's arguments.
 */
export async function prepareGitSettings({ credentials, protocols, folder }: GitSettingsOptions): Promise<GitSettings> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const env = {
    // Prompts, which the askpass program reads, and messages come in English.
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: protocols.join(':'),
    ...asVariables(CONFIGURATION),
    ...(await askpass(folder, credentials)),
    GIT_SSH_COMMAND: await sshCommand(folder, credentials),
  };
  return { env, forget: () => rm(folder, { recursive: true, force: true }) };
}

function asVariables(configuration: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(configuration);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(entries.length)],
    ...entries.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ]);
}

/** A program that answers Git's prompts for the hosts it knows, out of variables that only Git's processes get. */
async function askpass(folder: string, credentials: readonly GitCredential[]): Promise<Record<string, string>> {
  const known = credentials.filter((credential) => credential.kind === 'password');
  const cases = known.flatMap(({ host }, at) => [
    `  "Username for "*"://${host}': ") answer "$HOLDFAST_GIT_USERNAME_${at}" ;;`,
    `  "Password for "*"@${host}': ") answer "$HOLDFAST_GIT_PASSWORD_${at}" ;;`,
  ]);
  const script = [
    '#!/bin/sh',
    'answer() { printf \'%s\\n\' "$1"; }',
    'case "$1" in',
    ...cases,
    '  *) exit 1 ;;',
    'esac',
  ];
  const program = join(folder, 'askpass');
  await writeFile(program, `${script.join('\n')}\n`, { mode: 0o700 });
  const answers = known.flatMap(({ username, password }, at) => [
    [`HOLDFAST_GIT_USERNAME_${at}`, username],
    [`HOLDFAST_GIT_PASSWORD_${at}`, password],
  ]);
  return { GIT_ASKPASS: program, ...Object.fromEntries(answers) };
}

/** An ssh that asks nobody, and that knows hosts and keys from the credentials, where there are any. */
async function sshCommand(folder: string, credentials: readonly GitCredential[]): Promise<string> {
  const known = credentials.filter((credential) => credential.kind === 'ssh-key');
  if (known.length === 0) return 'ssh -o BatchMode=yes';
  const hosts: string[] = [];
  for (const [at, { host, privateKey, knownHosts }] of known.entries()) {
    const key = join(folder, `key-${at}`);
    const hostKeys = join(folder, `known-hosts-${at}`);
    // ssh does not read a key without a line feed at its end, and editors of secrets like to drop it.
    await writeFile(key, `${privateKey.trimEnd()}\n`, { mode: 0o600 });
    await writeFile(hostKeys, `${knownHosts.trimEnd()}\n`, { mode: 0o600 });
    hosts.push(`Host ${host.replace(/:.*/, '')}`, `  IdentityFile "${key}"`, `  UserKnownHostsFile "${hostKeys}"`);
  }
  const always = ['Host *', '  BatchMode yes', '  IdentitiesOnly yes', '  StrictHostKeyChecking yes'];
  const configuration = join(folder, 'ssh-config');
  await writeFile(configuration, `${[...hosts, ...always].join('\n')}\n`, { mode: 0o600 });
  return `ssh -F '${configuration}'`;
}
