import * as z from 'zod';
import { HoldfastError } from '../domain/errors.ts';
import type { SecretSource } from '../ports/secret-source.ts';

/** How to log in at one Git host. */
export type GitCredential =
  | { readonly kind: 'password'; readonly host: string; readonly username: string; readonly password: string }
  | {
      readonly kind: 'ssh-key';
      readonly host: string;
      readonly privateKey: string;
      /** Lines as in `~/.ssh/known_hosts`: without them anybody could pass for the host. */
      readonly knownHosts: string;
    };

const SHAPES = '{"username":…,"password":…} or {"privateKey":…,"knownHosts":…}';

// Hosts end up in a shell script and in a configuration file of ssh.
const Host = z.string().regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i);

const Setting = z.record(Host, z.string().min(1));

// A line feed would end the answer to a prompt.
const Line = z.string().regex(/^[^\r\n\0]+$/);

const Secret = z.union([
  z.object({ username: Line, password: Line }).transform((secret) => ({ kind: 'password' as const, ...secret })),
  z
    .object({ privateKey: z.string().min(1), knownHosts: z.string().min(1) })
    .transform((secret) => ({ kind: 'ssh-key' as const, ...secret })),
]);

/**
 * Credentials by host, from a setting that says which secret holds which: `{"github.com":"holdfast/github"}`. Throws
 * `ArgumentInvalid` for the setting, `SecretUnavailable` for a secret that can't be read or holds something else.
 */
export async function loadGitCredentials(
  { secrets }: { readonly secrets: SecretSource },
  setting: string | undefined,
): Promise<readonly GitCredential[]> {
  const ids = Object.entries(readSetting(setting ?? '{}'));
  return Promise.all(
    ids.map(async ([host, id]) => {
      const text = await secrets.get({ kind: 'secrets-manager', id, jsonKey: null });
      return { host, ...readSecret(text, { host, id }) };
    }),
  );
}

function readSetting(text: string): Readonly<Record<string, string>> {
  const parsed = Setting.safeParse(parseIfJson(text));
  if (parsed.success) return parsed.data;
  throw new HoldfastError('ArgumentInvalid', `Git credentials are not given by host: ${text}`, {
    hint: 'expected JSON such as {"github.com":"name or ARN of a secret"}',
  });
}

// The text is left out of the message: it is the secret.
function readSecret(text: string, { host, id }: { readonly host: string; readonly id: string }) {
  const parsed = Secret.safeParse(parseIfJson(text));
  if (parsed.success) return parsed.data;
  throw new HoldfastError('SecretUnavailable', `secret ${id} holds no Git credentials for ${host}`, {
    hint: `expected JSON: ${SHAPES}`,
  });
}

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What must not be shown of credentials. */
export function secretsOf(credentials: readonly GitCredential[]): readonly string[] {
  return credentials.map((credential) =>
    credential.kind === 'password' ? credential.password : credential.privateKey,
  );
}
