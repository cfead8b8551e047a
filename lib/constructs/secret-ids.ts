import { Stack } from 'aws-cdk-lib';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';

/** ARNs of secrets by Git host, as the runner wants them: JSON. */
export function secretIds(scope: Construct, secrets: Readonly<Record<string, ISecret>>): string {
  const ids = Object.entries(secrets).map(([host, secret]) => [host, secret.secretArn]);
  return Stack.of(scope).toJsonString(Object.fromEntries(ids));
}
