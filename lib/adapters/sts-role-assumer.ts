import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { HoldfastError } from '../domain/errors.ts';
import type { RoleAssumer, RoleCredentials, RoleRequest } from '../ports/role-assumer.ts';

export interface StsRoleAssumerOptions {
  readonly client?: STSClient;
}

/** Assumes roles as whoever runs this. */
export function createStsRoleAssumer({ client = new STSClient({}) }: StsRoleAssumerOptions = {}): RoleAssumer {
  return {
    async assume(request) {
      const { Credentials: credentials } = await client.send(commandFor(request)).catch((error: unknown) => {
        throw refused(request, error);
      });
      return requireWhole(request, credentials);
    },
  };
}

function commandFor({ roleArn, externalId, sessionName, durationSeconds }: RoleRequest): AssumeRoleCommand {
  return new AssumeRoleCommand({
    RoleArn: roleArn,
    RoleSessionName: sessionName,
    DurationSeconds: durationSeconds,
    ...(externalId !== null && { ExternalId: externalId }),
  });
}

function refused({ roleArn }: RoleRequest, error: unknown): HoldfastError {
  const name = error instanceof Error ? error.name : 'an unknown error';
  const hint =
    name === 'AccessDenied'
      ? 'the role has to trust the runner of this account with this external id, as "holdfast spoke-roles" writes it; and the runner may assume only the roles its deployment names'
      : undefined;
  const message = `role ${roleArn} can't be assumed: ${name}`;
  return new HoldfastError('RoleUnavailable', message, { cause: error, ...(hint !== undefined && { hint }) });
}

interface StsCredentials {
  readonly AccessKeyId?: string | undefined;
  readonly SecretAccessKey?: string | undefined;
  readonly SessionToken?: string | undefined;
}

function requireWhole({ roleArn }: RoleRequest, credentials: StsCredentials | undefined): RoleCredentials {
  const { AccessKeyId, SecretAccessKey, SessionToken } = credentials ?? {};
  if (AccessKeyId !== undefined && SecretAccessKey !== undefined && SessionToken !== undefined) {
    return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
  }
  throw new HoldfastError('RoleUnavailable', `role ${roleArn} was assumed, but the answer holds no credentials`);
}
