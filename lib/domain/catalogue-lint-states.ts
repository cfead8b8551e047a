import { type CatalogueProblem, errorAt, nameStacks } from './catalogue-problem.ts';
import { placeOfField, type ResolvedStack } from './resolved-stack.ts';
import { repositoryKey } from './same-repository.ts';
import type { StackSpec } from './stack-spec.ts';

/** Settings that together name one state, whatever module asks for it: of s3, of gcs, of azurerm, of http, of pg. */
const NAMES_STATE = [
  ['bucket', 'key'],
  ['bucket', 'prefix'],
  ['container_name', 'key'],
  ['address'],
  ['conn_str', 'schema_name'],
];

/** All settings that say where a state is. Others, such as credentials, don't tell two states apart. */
const LOCATES = [
  ...new Set(NAMES_STATE.flat()),
  'workspace_key_prefix',
  'storage_account_name',
  'path',
  'hostname',
  'organization',
  'namespace',
  'secret_suffix',
];

const LOCATING_ENV = /^(?:TF_HTTP_ADDRESS|TF_CLOUD_\w+|PG_CONN_STR|PG_SCHEMA_NAME|CONSUL_HTTP_ADDR)$/;

/** Stacks that would read, and put back, one and the same state. */
export function lintStates(stacks: readonly ResolvedStack[]): readonly CatalogueProblem[] {
  return [...Map.groupBy(stacks, ({ spec }) => stateOf(spec)).values()].flatMap((sharing) => {
    const [first, second] = sharing;
    if (first === undefined || second === undefined) return [];
    return errorAt(placeOfField(second, 'backendConfig.key'), {
      code: 'state-shared',
      message: `one state for ${nameStacks(sharing.map(({ spec }) => spec.id))}: same backend, same workspace`,
      hint: 'Give each its own key under backendConfig, or its own workspace.',
    });
  });
}

/** Where the state is, as far as the catalogue says: the rest of the backend's settings stands in the root module. */
function stateOf({ source, workspace, backendConfig, env, secrets }: StackSpec): string {
  const named = NAMES_STATE.some((names) => names.every((name) => Object.hasOwn(backendConfig, name)));
  return JSON.stringify([
    workspace,
    LOCATES.map((name) => backendConfig[name]),
    locating(env),
    locating(secrets),
    named ? null : [repositoryKey(source.url), source.path],
  ]);
}

function locating(variables: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Object.entries(variables)
    .filter(([name]) => LOCATING_ENV.test(name))
    .sort();
}
