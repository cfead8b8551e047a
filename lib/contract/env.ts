/** Names of environment variables that infrastructure sets and handlers read. */
export const TABLE_NAME = 'TABLE_NAME';
export const ARTIFACTS_BUCKET = 'ARTIFACTS_BUCKET';
export const TOPIC_ARN = 'TOPIC_ARN';
export const CLUSTER_ARN = 'CLUSTER_ARN';
/** JSON: task definition ARN by architecture, `{"arm64":"…"}`. */
export const TASK_DEFINITIONS = 'TASK_DEFINITIONS';
/** Comma-separated. */
export const SUBNET_IDS = 'SUBNET_IDS';
/** Comma-separated. */
export const SECURITY_GROUP_IDS = 'SECURITY_GROUP_IDS';
/** `ENABLED` or `DISABLED`: public subnets without NAT need a public address. */
export const ASSIGN_PUBLIC_IP = 'ASSIGN_PUBLIC_IP';
/** Checks at the same time, over all stacks. */
export const MAX_CONCURRENCY = 'MAX_CONCURRENCY';
/** Checks at the same time in one account, by that of the plan role. @default - as many as over all stacks */
export const MAX_CONCURRENCY_PER_ACCOUNT = 'MAX_CONCURRENCY_PER_ACCOUNT';
/** Tasks launched in one invocation of the dispatcher. */
export const MAX_LAUNCHES = 'MAX_LAUNCHES';

/**
 * `guarded`: a catalogue that would remove more than half of the stacks, or all of them, is refused; or `any`.
 *
 * @default guarded
 */
export const CATALOGUE_REMOVALS = 'CATALOGUE_REMOVALS';

/** Of the runner's container. Overrides carry ids only: ECS limits them to 8 KiB. */
export const RUN_ID = 'HOLDFAST_RUN_ID';
export const STACK_ID = 'HOLDFAST_STACK_ID';
/** `check` or `sync-catalogue`. */
export const MODE = 'HOLDFAST_MODE';
/** Where the catalogue is: Git URL, ref and path of its files. */
export const CATALOGUE_URL = 'HOLDFAST_CATALOGUE_URL';
export const CATALOGUE_REF = 'HOLDFAST_CATALOGUE_REF';
export const CATALOGUE_PATH = 'HOLDFAST_CATALOGUE_PATH';
/**
 * JSON, by host: Secrets Manager ids of Git credentials, `{"username":…,"password":…}` or, for ssh,
 * `{"privateKey":…,"knownHosts":…}`.
 */
export const GIT_CREDENTIALS = 'HOLDFAST_GIT_CREDENTIALS';

/** Transports that Git may use, as `GIT_ALLOW_PROTOCOL` has them. @default https:ssh */
export const GIT_PROTOCOLS = 'HOLDFAST_GIT_PROTOCOLS';
/**
 * A secret, the same for all runs of a deployment: digests of inputs, which the table keeps, are made with it. ECS puts
 * the value of a secret there.
 */
export const DIGEST_SALT = 'HOLDFAST_DIGEST_SALT';
/**
 * Folder that one run at a time may fill. In the same place for every run of a stack, because paths end up in plans.
 *
 * @default - one of its own under the folder for temporary files
 */
export const WORK_FOLDER = 'HOLDFAST_WORK_FOLDER';
/** Folder for tools that are downloaded; runs may share it. @default - in the work folder */
export const CACHE_FOLDER = 'HOLDFAST_CACHE_DIR';

/**
 * Address of the S3 that keeps the artefacts where that is not AWS's: the local mode. A runner with it works on its
 * user's own machine: folders that `file:` URLs name count as they are, and stacks without a plan role are checked with
 * its user's credentials.
 */
export const LOCAL_ENDPOINT = 'HOLDFAST_LOCAL_ENDPOINT';

/** The container whose exit counts; sidecars don't. */
export const RUNNER_CONTAINER = 'runner';
