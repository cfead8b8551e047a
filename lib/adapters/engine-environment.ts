const NAMES: ReadonlySet<string> = new Set([
  'PATH',
  'HOME',
  'USER',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LANG',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSH_COMMAND',
  'SSH_AUTH_SOCK',
  'TERRAFORM_CONFIG',
  'TF_CLI_CONFIG_FILE',
  'TF_DATA_DIR',
  'TF_ENCRYPTION',
  'TF_PLUGIN_CACHE_DIR',
  'TF_REATTACH_PROVIDERS',
]);

const PREFIXES = ['AWS_', 'ARM_', 'CLOUDSDK_', 'GOOGLE_', 'LC_', 'TF_REGISTRY_', 'TF_TOKEN_', 'TF_VAR_', 'XDG_'];

const PROXY = /^(?:https?|no|all)_proxy$/i;

/**
 * What the engine and its providers, which are foreign code, may see of an environment. An allow-list: a variable that
 * nobody thought of stays out. So do `TF_CLI_ARGS`, which would change what is run, `TF_LOG`, which would flood the
 * output, and `TF_WORKSPACE`, which the runner sets itself. `handOn` names what else a provider needs.
 */
export function engineEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  handOn: readonly string[] = [],
): Record<string, string> {
  const allowed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (isAllowed(name) || handOn.includes(name))) allowed[name] = value;
  }
  return { ...allowed, TF_IN_AUTOMATION: '1', TF_INPUT: '0', CHECKPOINT_DISABLE: '1' };
}

function isAllowed(name: string): boolean {
  return NAMES.has(name) || PROXY.test(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
}
