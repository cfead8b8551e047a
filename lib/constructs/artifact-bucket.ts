import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  CfnBucket,
  type IBucket,
  type LifecycleRule,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { CATALOGUE_OBJECT, REPORT_OBJECT, runPrefix, SPEC_OBJECT } from '../contract/keys.ts';
import { PLAN_TAG } from '../contract/object-tags.ts';
import { allow } from './allow.ts';

export interface ArtifactBucketProps {
  readonly key: IKey;

  /** How long plan files are kept. They hold attribute values, secrets among them. */
  readonly planRetention: Duration;

  /** How long results and logs of runs are kept. They are redacted. */
  readonly resultRetention: Duration;

  /** With `DESTROY`, what the buckets hold goes with them. */
  readonly removalPolicy: RemovalPolicy;
}

const RUNS = runPrefix('*', '*');
const SPECS = `${RUNS}${SPEC_OBJECT}`;
/** What a check may write. */
const RUN_FILES = [REPORT_OBJECT, 'run.log', 'plan.tfplan', 'plan.json', 'state-identity.json'];
const RESULTS = `${RUNS}${REPORT_OBJECT}`;

/** Keeps what runs read and write, and who has accessed it. */
export class ArtifactBucket extends Construct {
  readonly bucket: Bucket;
  readonly #key: IKey;

  constructor(scope: Construct, id: string, props: ArtifactBucketProps) {
    super(scope, id);
    this.#key = props.key;
    const shared = sharedProps(props.removalPolicy);

    const accessLogs = new Bucket(this, 'AccessLogs', {
      ...shared,
      // The only encryption that log delivery can write to.
      encryption: BucketEncryption.S3_MANAGED,
      lifecycleRules: [{ id: 'expire', expiration: Duration.days(90) }],
    });
    this.bucket = new Bucket(this, 'Resource', {
      ...shared,
      encryption: BucketEncryption.KMS,
      encryptionKey: props.key,
      bucketKeyEnabled: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      versioned: true,
      lifecycleRules: lifecycleRules(props),
      // Plan files hold secrets, so it must be known who has read them. (CDK's classes fit its own interfaces only where
      // exactOptionalPropertyTypes is off, hence the cast.)
      serverAccessLogsBucket: accessLogs as IBucket,
    });
    announceObjects(this.bucket);
  }

  grantWriteSpecs(role: Role): void {
    this.#allowWrite(role, SPECS);
  }

  grantReadResults(role: Role): void {
    this.#allowRead(role, RESULTS);
    // Without it S3 answers 403 for a result that is not there, which can't be told from a real refusal. A condition on
    // the prefix would never hold: reading an object names none.
    allow(role, { actions: ['s3:ListBucket'], resources: [this.bucket.bucketArn] });
  }

  /** What a check does: reads its spec, writes what it found. It can't write a spec. */
  grantCheck(role: Role): void {
    this.#allowRead(role, SPECS);
    for (const file of RUN_FILES) this.#allowWrite(role, `${RUNS}${file}`, ['s3:PutObjectTagging']);
  }

  grantWriteCatalogue(role: Role): void {
    this.#allowWrite(role, CATALOGUE_OBJECT);
  }

  grantReadCatalogue(role: Role): void {
    this.#allowRead(role, CATALOGUE_OBJECT);
  }

  #allowRead(role: Role, keys: string): void {
    this.#allow(role, keys, ['s3:GetObject'], 'kms:Decrypt');
  }

  #allowWrite(role: Role, keys: string, further: readonly string[] = []): void {
    this.#allow(role, keys, ['s3:PutObject', ...further], 'kms:GenerateDataKey');
  }

  #allow(role: Role, keys: string, actions: readonly string[], keyAction: string): void {
    const wildcard = 'Keys of objects hold ids of stacks and runs, which come later.';
    allow(role, { actions, resources: [this.bucket.arnForObjects(keys)], wildcard });
    allow(role, { actions: [keyAction], resources: [this.#key.keyArn] });
  }
}

function sharedProps(removalPolicy: RemovalPolicy): BucketProps {
  return {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    removalPolicy,
    autoDeleteObjects: removalPolicy === RemovalPolicy.DESTROY,
  };
}

function lifecycleRules({ planRetention, resultRetention }: ArtifactBucketProps): LifecycleRule[] {
  return [
    { id: 'plans', tagFilters: { [PLAN_TAG.key]: PLAN_TAG.value }, expiration: planRetention },
    { id: 'runs', prefix: 'runs/', expiration: resultRetention },
    {
      id: 'leftovers',
      // Expiry only hides an object: what it hid goes a day later, plan files included.
      noncurrentVersionExpiration: Duration.days(1),
      expiredObjectDeleteMarker: true,
      abortIncompleteMultipartUploadAfter: Duration.days(1),
    },
  ];
}

/**
 * Sends the bucket's events to EventBridge. CDK's own way takes a custom resource with a function that may change any
 * bucket of the account.
 */
function announceObjects(bucket: Bucket): void {
  if (!(bucket.node.defaultChild instanceof CfnBucket)) {
    throw new TypeError('a bucket without its CloudFormation resource');
  }
  bucket.node.defaultChild.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
}
