import { join } from 'node:path';
import { createGitCheckout } from '../../lib/adapters/git-checkout.ts';
import { type GitCredential, loadGitCredentials, secretsOf } from '../../lib/adapters/git-credentials.ts';
import { type GitSettings, gitEnvironment, prepareGitSettings } from '../../lib/adapters/git-environment.ts';
import * as names from '../../lib/contract/env.ts';
import type { GitSource } from '../../lib/ports/git-source.ts';
import type { SecretSource } from '../../lib/ports/secret-source.ts';
import type { RunnerEnvironment } from './environment.ts';
import { withOwnFolders } from './local.ts';
import type { TaskContext } from './task-context.ts';

export interface OpenedGit {
  readonly source: GitSource;
  /** For programs that call Git themselves. */
  readonly git: GitSettings;
  /** What must not be shown. */
  readonly ownSecrets: readonly string[];
}

export interface OpenGitInput extends Pick<TaskContext, 'env'> {
  readonly environment: RunnerEnvironment;
  /** Private folder of the run. */
  readonly folder: string;
}

/** Gets credentials for Git and makes a source of them. Where there are none to be had, that is the source's error. */
export async function openGit(
  { secrets }: { readonly secrets: SecretSource },
  { env, environment, folder }: OpenGitInput,
): Promise<OpenedGit> {
  let refusal: unknown;
  const credentials = await loadGitCredentials({ secrets }, environment[names.GIT_CREDENTIALS]).catch(
    (error: unknown): readonly GitCredential[] => {
      refusal = error;
      return [];
    },
  );
  const protocols = environment[names.GIT_PROTOCOLS].split(':');
  const git = await prepareGitSettings({ credentials, protocols, folder: join(folder, 'git') });
  const ownSecrets = secretsOf(credentials);
  const forGit = gitEnvironment(env, git);
  const source = createGitCheckout({ root: folder, env: forGit, secrets: ownSecrets });
  if (refusal === undefined) return { git, ownSecrets, source: withOwnFolders(environment, source, forGit) };
  const refuse = () => Promise.reject(refusal);
  return { git, ownSecrets, source: { checkout: refuse, list: refuse } };
}
