import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, type PolicyStatementProps, type Role } from 'aws-cdk-lib/aws-iam';
import { acknowledge } from './acknowledge.ts';

export interface Permission {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions?: NonNullable<PolicyStatementProps['conditions']>;

  /**
   * Why resources with a `*` are as narrow as it gets.
   *
   * @default - none: cdk-nag objects where there is a `*`
   */
  readonly wildcard?: string;
}

/**
 * Allows exactly these actions. The `grant…` methods of CDK's own constructs bring wildcard actions and operations that
 * no part of Holdfast uses.
 */
export function allow(role: Role, { actions, resources, conditions, wildcard }: Permission): void {
  role.addToPrincipalPolicy(
    new PolicyStatement({ actions: [...actions], resources: [...resources], ...(conditions && { conditions }) }),
  );
  if (wildcard !== undefined) acknowledgeWildcards(role, resources, wildcard);
}

function acknowledgeWildcards(role: Role, resources: readonly string[], reason: string): void {
  for (const resource of resources.map((arn) => readable(role, arn)).filter((arn) => arn.includes('*'))) {
    acknowledge(role, `IAM5[Resource::${resource}]`, reason);
  }
}

/** An ARN in the form that cdk-nag reports it in: `arn:<AWS::Partition>:s3:::<Bucket>/runs/*`. */
function readable(role: Role, arn: string): string {
  const flat = (value: unknown): string => {
    if (typeof value === 'string') return value;
    const [[name, content] = []] = Object.entries(value ?? {});
    if (name === 'Fn::Join') return content[1].map(flat).join(content[0]);
    if (name === 'Fn::GetAtt') return `<${content.join('.')}>`;
    return `<${content}>`;
  };
  return flat(Stack.of(role).resolve(arn));
}
