import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { describe, expect, it } from 'vitest';
import { ArtifactBucket, type ArtifactBucketProps } from '../../lib/constructs/artifact-bucket.ts';
import { templateOf } from '../support/construct-template.ts';
import { permissionsOf, propertiesOf } from '../support/template-values.ts';

const synth = (
  props: Partial<ArtifactBucketProps> = {},
  grant: (bucket: ArtifactBucket, role: Role) => void = () => {},
) =>
  templateOf((stack) => {
    const bucket = new ArtifactBucket(stack, 'Artifacts', {
      key: new Key(stack, 'Key'),
      planRetention: Duration.days(3),
      resultRetention: Duration.days(30),
      removalPolicy: RemovalPolicy.RETAIN,
      ...props,
    });
    grant(bucket, new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }));
  });

const BUCKET = 'AWS::S3::Bucket';
const artifacts = (expected: object) =>
  Match.objectLike({ VersioningConfiguration: { Status: 'Enabled' }, ...expected });
const allowed = (grant: (bucket: ArtifactBucket, role: Role) => void) => permissionsOf(synth({}, grant), 'Role');

describe('ArtifactBucket', () => {
  it('encrypts by the key it is given', () => {
    const rule = {
      BucketKeyEnabled: true,
      ServerSideEncryptionByDefault: Match.objectLike({ SSEAlgorithm: 'aws:kms' }),
    };

    synth().hasResourceProperties(
      BUCKET,
      artifacts({ BucketEncryption: { ServerSideEncryptionConfiguration: [rule] } }),
    );
  });

  it('can never be made public', () => {
    synth().allResourcesProperties(BUCKET, {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
    });
  });

  it.each([
    ['without TLS', { Bool: { 'aws:SecureTransport': 'false' } }],
    ['with TLS before 1.2', { NumericLessThan: { 's3:TlsVersion': 1.2 } }],
  ])('refuses requests %s', (_, Condition) => {
    const denied = Match.objectLike({ Effect: 'Deny', Principal: { AWS: '*' }, Action: 's3:*', Condition });

    synth().allResourcesProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: { Statement: Match.arrayWith([denied]) },
    });
  });

  it('deletes plan files before results', () => {
    const rules = [
      Match.objectLike({ TagFilters: [{ Key: 'holdfast:content', Value: 'plan' }], ExpirationInDays: 3 }),
      Match.objectLike({ Prefix: 'runs/', ExpirationInDays: 30 }),
    ];

    synth().hasResourceProperties(BUCKET, artifacts({ LifecycleConfiguration: { Rules: Match.arrayWith(rules) } }));
  });

  it('deletes what an expiry only hid', () => {
    const rules = [Match.objectLike({ NoncurrentVersionExpiration: { NoncurrentDays: 1 } })];

    synth().hasResourceProperties(BUCKET, artifacts({ LifecycleConfiguration: { Rules: Match.arrayWith(rules) } }));
  });

  it('tells EventBridge of new objects', () => {
    synth().hasResourceProperties(
      BUCKET,
      artifacts({ NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } } }),
    );
  });

  it('logs who reads what', () => {
    synth().hasResourceProperties(
      BUCKET,
      artifacts({ LoggingConfiguration: { DestinationBucketName: Match.anyValue() } }),
    );
  });

  it('outlives the stack', () => {
    synth().allResources(BUCKET, { DeletionPolicy: 'Retain' });
  });

  it('brings no function along', () => {
    synth().resourceCountIs('AWS::Lambda::Function', 0);
  });

  it('is emptied where everything is to go with the stack', () => {
    expect(propertiesOf(synth({ removalPolicy: RemovalPolicy.DESTROY }), 'Custom::S3AutoDeleteObjects')).toHaveLength(
      2,
    );
  });
});

describe('grants of ArtifactBucket', () => {
  it('let the dispatcher write specs and nothing else', () => {
    expect(allowed((bucket, role) => bucket.grantWriteSpecs(role))).toEqual([
      'kms:GenerateDataKey {Key}',
      's3:PutObject {Artifacts}/runs/*/*/spec.json',
    ]);
  });

  it('let the recorder read results, and see that there is none', () => {
    expect(allowed((bucket, role) => bucket.grantReadResults(role))).toEqual([
      'kms:Decrypt {Key}',
      's3:GetObject {Artifacts}/runs/*/*/result.json',
      's3:ListBucket {Artifacts}',
    ]);
  });

  it('let a check read specs and write what a run leaves, but no spec', () => {
    expect(allowed((bucket, role) => bucket.grantCheck(role))).toEqual([
      'kms:Decrypt {Key}',
      'kms:GenerateDataKey {Key}',
      's3:GetObject {Artifacts}/runs/*/*/spec.json',
      ...['plan.json', 'plan.tfplan', 'result.json', 'run.log', 'state-identity.json'].flatMap(
        (file) => `s3:PutObject {Artifacts}/runs/*/*/${file}`,
      ),
      ...['plan.json', 'plan.tfplan', 'result.json', 'run.log', 'state-identity.json'].flatMap(
        (file) => `s3:PutObjectTagging {Artifacts}/runs/*/*/${file}`,
      ),
    ]);
  });

  it('let the sync task write the catalogue', () => {
    expect(allowed((bucket, role) => bucket.grantWriteCatalogue(role))).toEqual([
      'kms:GenerateDataKey {Key}',
      's3:PutObject {Artifacts}/catalogue/latest.json',
    ]);
  });

  it('let the function behind it read the catalogue', () => {
    expect(allowed((bucket, role) => bucket.grantReadCatalogue(role))).toEqual([
      'kms:Decrypt {Key}',
      's3:GetObject {Artifacts}/catalogue/latest.json',
    ]);
  });
});
