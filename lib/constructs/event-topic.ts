import type { Role } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { allow } from './allow.ts';

export interface EventTopicProps {
  /** Encrypts what waits for delivery. */
  readonly key: IKey;
}

/** Carries the drift events of all stacks to whoever subscribes. */
export class EventTopic extends Construct {
  readonly topic: Topic;
  readonly #key: IKey;

  constructor(scope: Construct, id: string, { key }: EventTopicProps) {
    super(scope, id);
    this.#key = key;
    this.topic = new Topic(this, 'Resource', { masterKey: key, enforceSSL: true });
  }

  grantPublish(role: Role): void {
    allow(role, { actions: ['sns:Publish'], resources: [this.topic.topicArn] });
    // SNS asks for the data key in the publisher's name.
    allow(role, { actions: ['kms:Decrypt', 'kms:GenerateDataKey'], resources: [this.#key.keyArn] });
  }
}
