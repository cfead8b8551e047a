import { HoldfastError } from '../domain/errors.ts';
import type { RoleCredentials } from '../ports/role-assumer.ts';
import { engineEnvironment } from './engine-environment.ts';

export interface StackEnvironmentInput {
  /** Environment of the runner's own process. */
  readonly task: Readonly<Record<string, string | undefined>>;
  /** What the catalogue sets, with secrets resolved. */
  readonly settings: Readonly<Record<string, string>>;
  /** `null`: where the runner itself is. */
  readonly region: string | null;
  /** `null`: the stack has none but what its settings hold. */
  readonly credentials: RoleCredentials | null;
  /**
   * As whom a stack without credentials is checked: as nobody, or as who runs this, which is for one's own machine.
   *
   * @default 'plan-role'
   */
  readonly identity?: 'plan-role' | 'own';
}

// Of the runner's AWS settings, those that say how to call AWS. The others say as whom.
const MANNERS: ReadonlySet<string> = new Set([
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_CA_BUNDLE',
  'AWS_USE_FIPS_ENDPOINT',
  'AWS_USE_DUALSTACK_ENDPOINT',
  'AWS_RETRY_MODE',
  'AWS_MAX_ATTEMPTS',
]);

/**
 * What Terraform and its providers, which are foreign code, see of the environment when they check a stack of the
 * service. On AWS they act as the stack's plan role or as nobody: the runner's own credentials, and the addresses where a
 * task asks for its own, stay out. Throws `ArgumentInvalid` for a setting that would undo that, or change what is run.
 */
export function stackEnvironment({
  task,
  settings,
  region,
  credentials,
  identity = 'plan-role',
}: StackEnvironmentInput): Record<string, string> {
  for (const name of Object.keys(settings)) requireHarmless(name);
  const isOwn = identity === 'own' && credentials === null;
  const shared = Object.entries(engineEnvironment(task)).filter(
    ([name]) => isOwn || !name.startsWith('AWS_') || MANNERS.has(name),
  );
  return {
    ...Object.fromEntries(shared),
    ...(region !== null && { AWS_REGION: region, AWS_DEFAULT_REGION: region }),
    // Without credentials, SDKs would look for those of the machine, and wait for an answer.
    ...(!isOwn && { AWS_EC2_METADATA_DISABLED: 'true' }),
    ...settings,
    ...(credentials !== null && {
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_SESSION_TOKEN: credentials.sessionToken,
    }),
  };
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^TF_CLI_ARGS/, 'it would change what is run behind the result; use vars, varFiles and backendConfig'],
  [/^TF_WORKSPACE$/, 'use workspace'],
  [/^(?:AWS_CONTAINER_|ECS_)/, 'it leads to the credentials of the runner itself'],
];

function requireHarmless(name: string): void {
  const reason = REASONS.find(([pattern]) => pattern.test(name))?.[1];
  if (reason === undefined) return;
  throw new HoldfastError('ArgumentInvalid', `the catalogue sets the environment variable ${name}`, {
    hint: `take it out: ${reason}`,
  });
}
