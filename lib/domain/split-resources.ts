import { asList, asObject, canonicalJson, type Json, type JsonObject } from './json.ts';
import type { ResourceChange } from './plan-document.ts';

/**
 * The AWS provider lets one thing be managed in two places: a queue's policy as an attribute of the queue, or as a
 * resource of its own. In the second case the queue's attribute follows the other resource: it "drifts" after every apply
 * until the state is refreshed, and says nothing that the other resource does not say.
 */
export interface SplitIndex {
  /** True where other resources of the stack account for all that changed in an attribute. */
  explains(entry: ResourceChange, attribute: string): boolean;
}

/** An attribute of `parent` that a resource of type `sibling` manages; `link` is its attribute that names the parent. */
interface Split {
  readonly parent: string;
  readonly attribute: string;
  readonly sibling: string;
  readonly link: string;
  /** Absent where one sibling manages the whole attribute. */
  readonly parts?: Parts;
}

/** How to take an attribute that many siblings share apart, so that a part no sibling accounts for stands out. */
interface Parts {
  /** Names of the parts, each with what it holds. */
  readonly ofParent: (value: Json) => ReadonlyMap<string, Json>;
  /** Names of the parts that a sibling manages. */
  readonly ofSibling: (values: JsonObject) => readonly string[];
}

export function indexSplits(changes: readonly ResourceChange[], drift: readonly ResourceChange[]): SplitIndex {
  // What stands now is in `before` of the planned changes, what stood until it was removed in `before` of the drift.
  const now = byType(changes);
  const earlier = byType(drift);
  return {
    explains(entry, attribute) {
      const splits = SPLITS.filter((split) => split.parent === entry.type && split.attribute === attribute);
      if (splits.length === 0) return false;
      const siblings = (types: typeof now) =>
        splits.flatMap((split) => siblingsOf(split, entry, types).map((values) => ({ split, values })));
      return accountsFor(entry, attribute, siblings(now), siblings(earlier));
    },
  };
}

interface Sibling {
  readonly split: Split;
  readonly values: JsonObject;
}

function accountsFor(
  entry: ResourceChange,
  attribute: string,
  now: readonly Sibling[],
  earlier: readonly Sibling[],
): boolean {
  const [sibling] = [...now, ...earlier];
  if (sibling === undefined) return false;
  const { parts } = sibling.split;
  if (parts === undefined) return true;
  const before = parts.ofParent(asObject(entry.before)[attribute] ?? null);
  const after = parts.ofParent(asObject(entry.after)[attribute] ?? null);
  const isSame = (part: string) =>
    before.has(part) && canonicalJson(before.get(part) as Json) === canonicalJson(after.get(part) as Json);
  const set = new Set([...after.keys()].filter((part) => !isSame(part)));
  const gone = new Set([...before.keys()].filter((part) => !after.has(part)));
  return set.isSubsetOf(partsOf(parts, now)) && gone.isSubsetOf(partsOf(parts, earlier));
}

function partsOf(parts: Parts, siblings: readonly Sibling[]): ReadonlySet<string> {
  return new Set(siblings.flatMap(({ values }) => parts.ofSibling(values)));
}

function byType(changes: readonly ResourceChange[]): ReadonlyMap<string, readonly JsonObject[]> {
  const standing = changes.filter(({ mode, before }) => mode === 'managed' && before !== null);
  return new Map(
    [...Map.groupBy(standing, ({ type }) => type)].map(([type, members]) => [
      type,
      members.map(({ before }) => asObject(before)),
    ]),
  );
}

function siblingsOf(
  split: Split,
  entry: ResourceChange,
  types: ReadonlyMap<string, readonly JsonObject[]>,
): readonly JsonObject[] {
  const names = namesOf(entry);
  return (types.get(split.sibling) ?? []).filter((values) => names.has(values[split.link] ?? null));
}

/** Everything a sibling may call its parent by. */
function namesOf({ after }: ResourceChange): ReadonlySet<Json> {
  const values = asObject(after);
  const names = ['id', 'arn', 'name', 'url', 'bucket'].map((attribute) => values[attribute] ?? '');
  return new Set(names.filter((name) => name !== ''));
}

/** Parts that are told apart by one of their members. */
function keyed(parentKeys: readonly string[], siblingKeys: readonly string[]): Parts {
  const keyOf = (values: JsonObject, keys: readonly string[]) =>
    keys.flatMap((key) => (typeof values[key] === 'string' && values[key] !== '' ? [values[key]] : []));
  const namesOf = (part: Json) => (typeof part === 'string' ? [part] : keyOf(asObject(part), parentKeys));
  return {
    ofParent: (value) => new Map(asList(value).flatMap((part) => namesOf(part).map((name) => [name, part]))),
    ofSibling: (values) => keyOf(values, siblingKeys),
  };
}

/** Rules of a security group: one permission for each source, since the provider merges and splits them at will. */
function permissions(direction: 'ingress' | 'egress'): Parts {
  return {
    // A permission holds nothing beyond its name.
    ofParent: (value) =>
      new Map(asList(value).flatMap((rule) => permissionsOf(asObject(rule)).map((name) => [name, null]))),
    ofSibling: (rule) => (rule.type === undefined || rule.type === direction ? permissionsOf(rule) : []),
  };
}

function permissionsOf(rule: JsonObject): string[] {
  const protocol = rule.protocol ?? rule.ip_protocol;
  const ports = protocol === '-1' || protocol === 'all' ? 'all' : `${protocol} ${rule.from_port}-${rule.to_port}`;
  const sources = [
    ...SOURCE_LISTS.flatMap((key) => asList(rule[key])),
    ...SOURCES.flatMap((key) => (typeof rule[key] === 'string' && rule[key] !== '' ? [rule[key]] : [])),
    ...(rule.self === true ? ['self'] : []),
  ];
  return sources.map((source) => `${ports} ${source}`);
}

const SOURCE_LISTS = ['cidr_blocks', 'ipv6_cidr_blocks', 'prefix_list_ids', 'security_groups'];
const SOURCES = [
  'source_security_group_id',
  'referenced_security_group_id',
  'cidr_ipv4',
  'cidr_ipv6',
  'prefix_list_id',
];

const bucket = (attribute: string, suffix = attribute): Split => ({
  parent: 'aws_s3_bucket',
  attribute,
  sibling: `aws_s3_bucket_${suffix}`,
  link: 'bucket',
});

const SPLITS: readonly Split[] = [
  bucket('policy'),
  bucket('acl'),
  bucket('grant', 'acl'),
  bucket('logging'),
  bucket('versioning'),
  bucket('server_side_encryption_configuration'),
  bucket('lifecycle_rule', 'lifecycle_configuration'),
  bucket('cors_rule', 'cors_configuration'),
  bucket('website', 'website_configuration'),
  bucket('replication_configuration'),
  bucket('acceleration_status', 'accelerate_configuration'),
  bucket('request_payer', 'request_payment_configuration'),
  bucket('object_lock_configuration'),
  { parent: 'aws_sqs_queue', attribute: 'policy', sibling: 'aws_sqs_queue_policy', link: 'queue_url' },
  { parent: 'aws_sqs_queue', attribute: 'redrive_policy', sibling: 'aws_sqs_queue_redrive_policy', link: 'queue_url' },
  {
    parent: 'aws_sqs_queue',
    attribute: 'redrive_allow_policy',
    sibling: 'aws_sqs_queue_redrive_allow_policy',
    link: 'queue_url',
  },
  { parent: 'aws_sns_topic', attribute: 'policy', sibling: 'aws_sns_topic_policy', link: 'arn' },
  { parent: 'aws_kms_key', attribute: 'policy', sibling: 'aws_kms_key_policy', link: 'key_id' },
  { parent: 'aws_efs_file_system', attribute: 'policy', sibling: 'aws_efs_file_system_policy', link: 'file_system_id' },
  ...(['ingress', 'egress'] as const).flatMap((direction): Split[] => {
    const group = { parent: 'aws_security_group', attribute: direction, link: 'security_group_id' };
    const parts = permissions(direction);
    return [
      { ...group, sibling: 'aws_security_group_rule', parts },
      { ...group, sibling: `aws_vpc_security_group_${direction}_rule`, parts },
    ];
  }),
  {
    parent: 'aws_iam_role',
    attribute: 'managed_policy_arns',
    sibling: 'aws_iam_role_policy_attachment',
    link: 'role',
    parts: keyed([], ['policy_arn']),
  },
  {
    parent: 'aws_iam_role',
    attribute: 'inline_policy',
    sibling: 'aws_iam_role_policy',
    link: 'role',
    parts: keyed(['name'], ['name']),
  },
  {
    parent: 'aws_route_table',
    attribute: 'route',
    sibling: 'aws_route',
    link: 'route_table_id',
    parts: keyed(
      ['cidr_block', 'ipv6_cidr_block', 'destination_prefix_list_id'],
      ['destination_cidr_block', 'destination_ipv6_cidr_block', 'destination_prefix_list_id'],
    ),
  },
  {
    parent: 'aws_instance',
    attribute: 'ebs_block_device',
    sibling: 'aws_volume_attachment',
    link: 'instance_id',
    parts: keyed(['device_name'], ['device_name']),
  },
];
