import { Match } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { describe, expect, it } from 'vitest';
import { EventTopic } from '../../lib/constructs/event-topic.ts';
import { templateOf } from '../support/construct-template.ts';
import { permissionsOf } from '../support/template-values.ts';

const synth = () =>
  templateOf((stack) => {
    const topic = new EventTopic(stack, 'Events', { key: new Key(stack, 'Key') });
    topic.grantPublish(new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }));
  });

describe('EventTopic', () => {
  it('encrypts by the key it is given', () => {
    synth().hasResourceProperties('AWS::SNS::Topic', {
      KmsMasterKeyId: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Key'), 'Arn'] },
    });
  });

  it('refuses to be published to without TLS', () => {
    const denied = Match.objectLike({
      Effect: 'Deny',
      Action: 'sns:Publish',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });

    synth().hasResourceProperties('AWS::SNS::TopicPolicy', { PolicyDocument: { Statement: [denied] } });
  });

  it('lets a publisher publish and use the key', () => {
    expect(permissionsOf(synth(), 'Role')).toEqual([
      'kms:Decrypt {Key}',
      'kms:GenerateDataKey {Key}',
      'sns:Publish {Events}',
    ]);
  });
});
