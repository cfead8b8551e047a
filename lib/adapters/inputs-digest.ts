import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { HoldfastError } from '../domain/errors.ts';
import type { PlanRequest } from '../ports/engine-runner.ts';
import { createSaltedDigest } from './framed-digest.ts';

export interface InputsDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly salt: Uint8Array | string;
}

const AUTOMATIC = /^terraform\.tfvars(?:\.json)?$|\.auto\.tfvars(?:\.json)?$/;

// Credentials say how the state is reached, not which state it is, and CI systems make new ones for each run.
const BACKEND_CREDENTIAL =
  /^(?:access_key|secret_key|token|username|password|client_secret|sas_token|oidc_token|credentials|access_token)=/;

/**
 * Salted digest of what a plan is given beside its configuration: variable files, variables, backend settings,
 * `TF_VAR_…` and the workspace. Throws `ArgumentInvalid` for a file that can't be read.
 */
export async function digestInputs(
  { env, salt }: InputsDeps,
  request: PlanRequest,
  workspace: string,
): Promise<string> {
  const digest = createSaltedDigest(salt);
  digest.add('workspace', workspace);
  for (const name of await automaticVarFiles(request.directory)) {
    digest.add('automatic', name, await readArgument(request.directory, name, 'variable file'));
  }
  for (const file of request.varFiles) {
    digest.add('var-file', await readArgument(request.directory, file, 'variable file'));
  }
  for (const assignment of request.vars) digest.add('var', assignment);
  for (const setting of request.backendConfig) {
    if (BACKEND_CREDENTIAL.test(setting)) continue;
    // As Terraform has it: what holds no "=" is the name of a file.
    const content = setting.includes('=') ? setting : await readArgument(request.directory, setting, 'backend file');
    digest.add('backend', content);
  }
  for (const [name, value] of variablesOf(env)) digest.add('env', name, value);
  return digest.hex();
}

async function automaticVarFiles(directory: string): Promise<readonly string[]> {
  const names = await readdir(directory);
  return names.filter((name) => AUTOMATIC.test(name)).sort();
}

function variablesOf(env: InputsDeps['env']): readonly (readonly [string, string])[] {
  return Object.entries(env)
    .filter(([name]) => name.startsWith('TF_VAR_'))
    .map(([name, value]) => [name, value ?? ''] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

async function readArgument(directory: string, file: string, role: string): Promise<Buffer> {
  try {
    return await readFile(path.resolve(directory, file));
  } catch (error) {
    throw new HoldfastError('ArgumentInvalid', `${role} ${JSON.stringify(file)} can't be read`, {
      hint: `Relative names are looked for in ${directory}.`,
      location: { file: path.resolve(directory, file) },
      cause: error,
    });
  }
}
