import { classify } from '../../lib/domain/classify.ts';
import type { ClassifyInput, Reading } from '../../lib/domain/draft.ts';
import { formatPath } from '../../lib/domain/path.ts';
import { readPlanDocument } from '../../lib/domain/plan-document.ts';
import { NO_RULES } from '../../lib/domain/rules.ts';

type Values = Readonly<Record<string, unknown>>;

/** One entry of `resource_changes` or `resource_drift`, as Terraform writes it. */
export interface Entry {
  readonly address: string;
  readonly actions?: readonly string[];
  readonly before?: Values | null;
  readonly after?: Values | null;
  readonly unknown?: unknown;
  readonly beforeSensitive?: unknown;
  readonly afterSensitive?: unknown;
  readonly mode?: 'managed' | 'data';
  readonly reason?: string;
  readonly deposed?: string;
  readonly from?: string;
  readonly importing?: boolean;
  readonly replacePaths?: readonly unknown[];
}

export interface PlanParts {
  readonly changes?: readonly Entry[];
  readonly drift?: readonly Entry[];
  readonly outputs?: Readonly<Record<string, readonly string[]>>;
  /** Expressions of root resources, by address: `{ 'aws_x.y': { name: { constant_value: 'a' } } }`. */
  readonly config?: Readonly<Record<string, Values>>;
  /** Further members of the root module's configuration: `module_calls`, `outputs`, `variables`. */
  readonly rootModule?: Values;
  readonly relevant?: readonly string[];
  /** Further members of the document. */
  readonly more?: Values;
}

/** A plan document of format 1.2 as text. A `no-op` unless an entry says otherwise. */
export function planText({ changes, drift, outputs, config, rootModule, relevant, more }: PlanParts): string {
  return JSON.stringify({
    format_version: '1.2',
    terraform_version: '1.11.4',
    resource_changes: (changes ?? []).map(toEntry),
    ...(drift === undefined ? {} : { resource_drift: drift.map(toEntry) }),
    output_changes: Object.fromEntries(Object.entries(outputs ?? {}).map(([name, actions]) => [name, { actions }])),
    ...(relevant === undefined
      ? {}
      : { relevant_attributes: relevant.map((resource) => ({ resource, attribute: ['id'] })) }),
    ...(config === undefined && rootModule === undefined
      ? {}
      : { configuration: { root_module: { resources: Object.entries(config ?? {}).map(toConfig), ...rootModule } } }),
    ...more,
  });
}

function toEntry(entry: Entry) {
  const { before = {}, after = before, unknown = {}, beforeSensitive = {}, afterSensitive = {} } = entry;
  const data = entry.mode === 'data';
  const [type = '', name = ''] = entry.address
    .replace(/^(module\.[^.]+\.)+/, '')
    .replace(/^data\./, '')
    .split(/[.[]/);
  return {
    address: entry.address,
    mode: data ? 'data' : 'managed',
    type,
    name,
    provider_name: 'registry.terraform.io/hashicorp/aws',
    ...(entry.deposed === undefined ? {} : { deposed: entry.deposed }),
    ...(entry.from === undefined ? {} : { previous_address: entry.from }),
    ...(entry.reason === undefined ? {} : { action_reason: entry.reason }),
    change: {
      actions: entry.actions ?? ['no-op'],
      before,
      after,
      after_unknown: unknown,
      before_sensitive: beforeSensitive,
      after_sensitive: afterSensitive,
      ...(entry.importing === true ? { importing: { id: 'existing' } } : {}),
      ...(entry.replacePaths === undefined ? {} : { replace_paths: entry.replacePaths }),
    },
  };
}

function toConfig([address, expressions]: readonly [string, Values]) {
  const data = address.startsWith('data.');
  const [type, name] = address.replace('data.', '').split('.');
  const { count_expression, for_each_expression, ...attributes } = expressions;
  return {
    address,
    mode: data ? 'data' : 'managed',
    type,
    name,
    expressions: attributes,
    ...(count_expression === undefined ? {} : { count_expression }),
    ...(for_each_expression === undefined ? {} : { for_each_expression }),
  };
}

export const update = (address: string, before: Values, after: Values, more: Partial<Entry> = {}): Entry => ({
  address,
  actions: ['update'],
  before,
  after,
  ...more,
});

/** Classifies a document of these parts. */
export function classifyPlan(parts: PlanParts, context: Partial<Omit<ClassifyInput, 'document'>> = {}): Reading {
  return classify({
    stack: 'test',
    document: readPlanDocument(planText(parts)),
    mode: 'plan',
    baseline: { kind: 'none' },
    basis: 'files',
    ignoreChanges: undefined,
    rules: NO_RULES,
    ...context,
  });
}

/** Drafts in one line each: `address class standing [paths] cause`, a `?` where the cause is inferred. */
export function summarise({ drafts }: Reading): string[] {
  return drafts.map(({ address, class: findingClass, standing, changes, cause }) => {
    const paths = changes.map(({ path }) => formatPath(path)).join(',');
    return `${address} ${findingClass} ${standing} [${paths}] ${cause.kind}${cause.inferred ? '?' : ''}`;
  });
}
