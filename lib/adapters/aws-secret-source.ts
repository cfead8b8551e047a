import {
  GetSecretValueCommand,
  SecretsManagerClient,
  SecretsManagerServiceException,
} from '@aws-sdk/client-secrets-manager';
import { GetParameterCommand, SSMClient, SSMServiceException } from '@aws-sdk/client-ssm';
import { assertNever, HoldfastError } from '../domain/errors.ts';
import type { SecretReference } from '../domain/stack-spec.ts';
import type { SecretSource } from '../ports/secret-source.ts';

export interface AwsSecretSourceOptions {
  readonly secretsManager?: SecretsManagerClient;
  readonly ssm?: SSMClient;
}

type Clients = Required<AwsSecretSourceOptions>;
type SecretPlace =
  | Pick<Extract<SecretReference, { kind: 'secrets-manager' }>, 'kind' | 'id'>
  | Extract<SecretReference, { kind: 'ssm' }>;

/** Reads secrets from Secrets Manager and parameters from Systems Manager, each once: a new value needs a new source. */
export function createAwsSecretSource({
  secretsManager = new SecretsManagerClient({}),
  ssm = new SSMClient({}),
}: AwsSecretSourceOptions = {}): SecretSource {
  const known = new Map<string, Promise<string | undefined>>();
  const readOnce = (place: SecretPlace): Promise<string | undefined> => {
    const name = place.kind === 'ssm' ? `ssm ${place.name}` : `secrets-manager ${place.id}`;
    const reading = known.get(name) ?? read({ secretsManager, ssm }, place);
    known.set(name, reading);
    // What failed may work the next time.
    reading.catch(() => known.delete(name));
    return reading;
  };
  return {
    async get(reference) {
      const text = await readOnce(reference).catch((error: unknown) => {
        throw unavailable(reference, error instanceof Error ? error.name : 'an unknown error', safeCause(error));
      });
      const value = isMember(reference) ? memberOf(text, reference.jsonKey) : text;
      if (value === undefined) throw unavailable(reference, 'it holds no text');
      return value;
    },
  };
}

async function read({ secretsManager, ssm }: Clients, place: SecretPlace): Promise<string | undefined> {
  switch (place.kind) {
    case 'secrets-manager':
      return (await secretsManager.send(new GetSecretValueCommand({ SecretId: place.id }))).SecretString;
    case 'ssm':
      return (await ssm.send(new GetParameterCommand({ Name: place.name, WithDecryption: true }))).Parameter?.Value;
    default:
      return assertNever(place);
  }
}

function isMember(reference: SecretReference): reference is SecretReference & { readonly jsonKey: string } {
  return reference.kind === 'secrets-manager' && reference.jsonKey !== null;
}

function memberOf(text: string | undefined, key: string): string | undefined {
  const value = parseIfJson(text ?? '');
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  const member = (value as Readonly<Record<string, unknown>>)[key];
  return typeof member === 'object' ? undefined : String(member);
}

// A syntax error would quote the secret.
function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Errors of the services name the caller and what is denied. Others, such as of an answer cut off, may quote the value. */
function safeCause(error: unknown): Error | undefined {
  return error instanceof SecretsManagerServiceException || error instanceof SSMServiceException ? error : undefined;
}

function unavailable(reference: SecretReference, why: string, cause?: Error): HoldfastError {
  return new HoldfastError('SecretUnavailable', `${describe(reference)} can't be read: ${why}`, {
    hint: 'check that it is there, in this region, and that the deployment lets the runner read it',
    ...(cause !== undefined && { cause }),
  });
}

function describe(reference: SecretReference): string {
  if (reference.kind === 'ssm') return `parameter ${reference.name}`;
  return reference.jsonKey === null ? `secret ${reference.id}` : `key ${reference.jsonKey} of secret ${reference.id}`;
}
