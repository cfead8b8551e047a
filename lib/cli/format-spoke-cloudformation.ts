import { Document, isMap, isSeq, Scalar } from 'yaml';
import { ACCOUNT, type Condition, PARTITION, type SpokeRole, type Statement } from '../domain/spoke-roles.ts';

/** The roles as a CloudFormation template, for a stack or a stack set. */
export function formatCloudFormation({ plan, apply }: { readonly plan: SpokeRole; readonly apply: SpokeRole }): string {
  const document = new Document({
    AWSTemplateFormatVersion: dated('2010-09-09'),
    Description: 'Roles that Holdfast assumes in this account: one to plan, one to apply.',
    Resources: { PlanRole: resource(plan), ApplyRole: resource(apply) },
    Outputs: {
      PlanRoleArn: { Description: 'For planRole in the catalogue.', Value: tagged('!GetAtt', 'PlanRole.Arn') },
      ApplyRoleArn: { Description: 'For applyRole in the catalogue.', Value: tagged('!GetAtt', 'ApplyRole.Arn') },
    },
  });
  comment(document, 'PlanRole', plan.statements);
  comment(document, 'ApplyRole', apply.statements);
  return document.toString({ lineWidth: 0 });
}

function resource({ name, description, principal, condition, ...role }: SpokeRole): object {
  return {
    Type: 'AWS::IAM::Role',
    Properties: {
      RoleName: name,
      Description: description,
      MaxSessionDuration: 3600,
      AssumeRolePolicyDocument: {
        Version: dated('2012-10-17'),
        Statement: [
          {
            Effect: 'Allow',
            Action: 'sts:AssumeRole',
            Principal: { AWS: text(principal) },
            Condition: conditionOf(condition),
          },
        ],
      },
      ...(role.managedPolicies.length > 0 && { ManagedPolicyArns: role.managedPolicies.map(text) }),
      Policies: [
        {
          PolicyName: role.policyName,
          PolicyDocument: { Version: dated('2012-10-17'), Statement: role.statements.map(statement) },
        },
      ],
    },
  };
}

function statement({ sid, effect, actions, resources }: Statement): object {
  return {
    Sid: sid,
    Effect: effect,
    Action: actions,
    ...('only' in resources ? { Resource: resources.only.map(text) } : { NotResource: resources.except.map(text) }),
  };
}

function conditionOf(condition: Condition): object {
  return Object.fromEntries(
    Object.entries(condition).map(([operator, tests]) => [
      operator,
      Object.fromEntries(Object.entries(tests).map(([key, value]) => [key, text(value)])),
    ]),
  );
}

const pseudo = (parameter: string) => `\${AWS::${parameter}}`;

function text(value: string): string | Scalar {
  const filled = value.replaceAll(PARTITION, pseudo('Partition')).replaceAll(ACCOUNT, pseudo('AccountId'));
  return filled === value ? value : tagged('!Sub', filled);
}

/** In quotes: a reader of YAML may take it for a date. */
function dated(value: string): Scalar {
  const scalar = new Scalar(value);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

function tagged(tag: string, value: string): Scalar {
  const scalar = new Scalar(value);
  scalar.tag = tag;
  return scalar;
}

function comment(document: Document, resourceId: string, statements: readonly Statement[]): void {
  const list = document.getIn(
    ['Resources', resourceId, 'Properties', 'Policies', 0, 'PolicyDocument', 'Statement'],
    true,
  );
  if (!isSeq(list)) throw new TypeError(`${resourceId} has no statements`);
  for (const [at, node] of list.items.entries()) {
    if (isMap(node)) node.commentBefore = ` ${statements[at]?.why}`;
  }
}
