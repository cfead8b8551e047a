/** What a spoke account's roles depend on. Names are without wildcards unless said otherwise. */
export interface SpokeOptions {
  /** Account that Holdfast runs in. */
  readonly hubAccount: string;
  readonly externalId: string;
  /** Name of the role that the runner's tasks have there; `*` allowed, because CloudFormation makes names up. */
  readonly runnerRole: string;
  /** Names of the buckets that hold Terraform states. */
  readonly stateBuckets: readonly string[];
  /** ARNs of the keys that these are encrypted with. */
  readonly stateKeys: readonly string[];
  /** Names of lock tables in the spoke account, or their ARNs. */
  readonly lockTables: readonly string[];
  /** ARNs of managed policies: what remediation may change. */
  readonly applyPolicies: readonly string[];
}

/** Stand-ins in ARNs for what differs by account; each format has its own way to say it. */
export const PARTITION = '<partition>';
export const ACCOUNT = '<account>';

export interface Statement {
  readonly sid: string;
  /** For whoever reads the template. */
  readonly why: string;
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  /** All resources but `except`, or only `only`. */
  readonly resources: { readonly only: readonly string[] } | { readonly except: readonly string[] };
}

export type Condition = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface SpokeRole {
  readonly name: string;
  readonly description: string;
  /** Who may assume it: a principal, on these conditions. */
  readonly principal: string;
  readonly condition: Condition;
  readonly managedPolicies: readonly string[];
  readonly policyName: string;
  readonly statements: readonly Statement[];
}

export const PLAN_ROLE = 'holdfast-plan';
export const APPLY_ROLE = 'holdfast-apply';

/** The two roles of an account whose stacks Holdfast looks after: one that reads, and one that puts things back. */
export function spokeRoles(options: SpokeOptions): { readonly plan: SpokeRole; readonly apply: SpokeRole } {
  const trust = trustIn(options);
  return {
    plan: {
      name: PLAN_ROLE,
      description: 'Holdfast: plans stacks of this account. Reads settings, not data.',
      ...trust,
      managedPolicies: [`arn:${PARTITION}:iam::aws:policy/ReadOnlyAccess`],
      policyName: 'no-data',
      statements: planStatements(options),
    },
    apply: {
      name: APPLY_ROLE,
      description: 'Holdfast: applies approved plans in this account.',
      ...trust,
      managedPolicies: options.applyPolicies,
      policyName: 'state',
      statements: applyStatements(options),
    },
  };
}

/**
 * The account is the principal and a condition names the role: IAM would put a role's internal id in the place of its
 * ARN, so that one that is made anew in the hub would no longer be trusted.
 */
function trustIn({ hubAccount, externalId, runnerRole }: SpokeOptions): Pick<SpokeRole, 'principal' | 'condition'> {
  return {
    principal: `arn:${PARTITION}:iam::${hubAccount}:root`,
    condition: {
      StringEquals: { 'sts:ExternalId': externalId },
      ArnLike: { 'aws:PrincipalArn': `arn:${PARTITION}:iam::${hubAccount}:role/${runnerRole}` },
      StringLike: { 'sts:RoleSessionName': 'holdfast-*' },
    },
  };
}

function planStatements(options: SpokeOptions): readonly Statement[] {
  const { objects, keys, tables } = stateOf(options);
  return [
    ...stateStatements(options, { objects: ['s3:GetObject'], keys: ['kms:Decrypt'], tables: ['dynamodb:GetItem'] }),
    deny('NoSecrets', SECRET_READS, "A stack that manages versions of secrets can't be checked without this."),
    except(
      'NoObjects',
      OBJECT_READS,
      objects,
      'The state is an object too. A stack that manages objects needs theirs.',
    ),
    except('NoItems', ITEM_READS, tables, 'The S3 backend keeps digests of states in its lock table.'),
    except('NoPlaintext', ['kms:Decrypt'], keys, 'Also keeps SecureString parameters unread; plain ones can be read.'),
    deny('NoMessages', MESSAGE_READS, 'What is in queues and streams.'),
    deny('NoLogs', LOG_READS, 'What programs have written down.'),
    deny('NoQueries', QUERY_READS, 'What databases hold.'),
    deny(
      'NoCode',
      CODE_READS,
      'Sources and images. lambda:GetFunction, which links to code, is needed to plan functions.',
    ),
    deny('NoMachines', MACHINE_READS, 'Consoles, passwords and disks. User data can be read: it is an attribute.'),
    deny('NoPeople', PEOPLE_READS, 'Who the users of an application are.'),
  ];
}

const SECRET_READS = ['secretsmanager:BatchGetSecretValue', 'secretsmanager:GetSecretValue'];
const OBJECT_READS = ['s3:GetObject', 's3:GetObjectTorrent', 's3:GetObjectVersion', 's3:GetObjectVersionTorrent'];
const ITEM_READS = [
  'dynamodb:BatchGetItem',
  'dynamodb:GetItem',
  'dynamodb:GetRecords',
  'dynamodb:PartiQLSelect',
  'dynamodb:Query',
  'dynamodb:Scan',
];
const MESSAGE_READS = ['kinesis:GetRecords', 'kinesis:SubscribeToShard', 'kinesisvideo:GetMedia', 'sqs:ReceiveMessage'];
const LOG_READS = [
  'cloudtrail:GetQueryResults',
  'cloudtrail:LookupEvents',
  'logs:FilterLogEvents',
  'logs:GetLogEvents',
  'logs:GetLogRecord',
  'logs:GetQueryResults',
  'logs:StartLiveTail',
  'logs:StartQuery',
  'logs:Unmask',
  'rds:DownloadCompleteDBLogFile',
  'rds:DownloadDBLogFilePortion',
  'xray:BatchGetTraces',
];
const QUERY_READS = [
  'athena:GetQueryResults',
  'athena:GetQueryResultsStream',
  'cassandra:Select',
  'es:ESHttpGet',
  'es:ESHttpHead',
  'neptune-db:ReadDataViaQuery',
  'rds-data:BatchExecuteStatement',
  'rds-data:ExecuteStatement',
  'redshift-data:GetStatementResult',
  'redshift:GetClusterCredentials',
  'sdb:Select',
  'timestream:Select',
];
const CODE_READS = [
  'codecommit:BatchGetCommits',
  'codecommit:GetBlob',
  'codecommit:GetFile',
  'codecommit:GetFolder',
  'codecommit:GitPull',
  'ecr:BatchGetImage',
  'ecr:GetDownloadUrlForLayer',
];
const MACHINE_READS = [
  'ebs:GetSnapshotBlock',
  'ec2:GetConsoleOutput',
  'ec2:GetConsoleScreenshot',
  'ec2:GetPasswordData',
  'glacier:GetJobOutput',
  'lightsail:GetInstanceAccessDetails',
];
const PEOPLE_READS = [
  'cognito-identity:LookupDeveloperIdentity',
  'cognito-idp:AdminGetUser',
  'cognito-idp:ListUsers',
  'cognito-idp:ListUsersInGroup',
  'cognito-sync:ListRecords',
];

function applyStatements(options: SpokeOptions): readonly Statement[] {
  const own = [PLAN_ROLE, APPLY_ROLE].map((name) => `arn:${PARTITION}:iam::${ACCOUNT}:role/${name}`);
  return [
    ...stateStatements(options, {
      // Terraform's own lock is an object that goes again.
      objects: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
      keys: ['kms:Decrypt', 'kms:Encrypt', 'kms:GenerateDataKey'],
      tables: ['dynamodb:DeleteItem', 'dynamodb:DescribeTable', 'dynamodb:GetItem', 'dynamodb:PutItem'],
    }),
    {
      sid: 'NotItself',
      why: 'Whatever the policies of this role allow: it gives no more to itself.',
      effect: 'Deny',
      actions: ['iam:*'],
      resources: { only: own },
    },
  ];
}

function stateOf({ stateBuckets, stateKeys, lockTables }: SpokeOptions) {
  return {
    buckets: stateBuckets.map((name) => `arn:${PARTITION}:s3:::${name}`),
    objects: stateBuckets.map((name) => `arn:${PARTITION}:s3:::${name}/*`),
    keys: stateKeys,
    tables: lockTables.map((table) =>
      table.startsWith('arn:') ? table : `arn:${PARTITION}:dynamodb:*:${ACCOUNT}:table/${table}`,
    ),
  };
}

interface StateActions {
  readonly objects: readonly string[];
  readonly keys: readonly string[];
  readonly tables: readonly string[];
}

function stateStatements(options: SpokeOptions, actions: StateActions): readonly Statement[] {
  const { buckets, objects, keys, tables } = stateOf(options);
  const allow = (sid: string, why: string, allowed: readonly string[], only: readonly string[]): Statement[] =>
    only.length === 0 ? [] : [{ sid, why, effect: 'Allow', actions: allowed, resources: { only } }];
  return [
    ...allow('FindStates', 'Which states and workspaces there are.', ['s3:ListBucket'], buckets),
    ...allow('StateObjects', 'The states themselves.', actions.objects, objects),
    ...allow('StateKeys', 'What they are encrypted with.', actions.keys, keys),
    ...allow('StateLocks', 'Their locks, and the digests beside them.', actions.tables, tables),
  ];
}

function deny(sid: string, actions: readonly string[], why: string): Statement {
  return { sid, why, effect: 'Deny', actions, resources: { only: ['*'] } };
}

/** A denial without exceptions has to say so in other words: an empty list is none to IAM. */
function except(sid: string, actions: readonly string[], resources: readonly string[], why: string): Statement {
  if (resources.length === 0) return deny(sid, actions, why);
  return { sid, why, effect: 'Deny', actions, resources: { except: resources } };
}
