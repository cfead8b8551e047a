import type { Template } from 'aws-cdk-lib/assertions';

type Resource = { readonly Type: string; readonly Properties: Record<string, unknown> };

/** Properties of all resources of a type. */
export function propertiesOf(template: Template, type: string): Record<string, unknown>[] {
  return resources(template)
    .filter(([, { Type }]) => Type === type)
    .map(([, { Properties }]) => Properties);
}

/**
 * What the roles whose id begins with `prefix` may do, as lines of `action resource`, such as
 * `s3:GetObject {Artifacts}/runs/*`. Conditions follow in JSON.
 */
export function permissionsOf(template: Template, prefix: string): string[] {
  const policies = resources(template).filter(([id, { Type }]) => Type === 'AWS::IAM::Policy' && id.startsWith(prefix));
  const permissions = policies
    .flatMap(([, { Properties }]) => (Properties.PolicyDocument as { Statement: Statement[] }).Statement)
    .flatMap(lines);
  return [...new Set(permissions)].toSorted();
}

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

function lines({ Action, Resource, Condition }: Statement): string[] {
  const condition = Condition === undefined ? '' : ` ${flatten(Condition)}`;
  return [Action].flat().flatMap((action) => [Resource].flat().map((to) => `${action} ${flatten(to)}${condition}`));
}

/** A value with its references in braces, without the hashes that CDK appends to ids. */
export function flatten(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(flatten).join(', ')}]`;
  const entries = Object.entries(value as object);
  const [[name, content] = ['', '']] = entries;
  if (name === 'Ref') return `{${withoutHash(content)}}`;
  if (name === 'Fn::GetAtt') return `{${withoutHash(content[0])}}`;
  if (name === 'Fn::Join') return content[1].map(flatten).join(content[0]);
  return `{${entries.map(([key, part]) => `${key}: ${flatten(part)}`).join(', ')}}`;
}

const withoutHash = (id: string) => id.replace(/[0-9A-F]{8}$/, '');

function resources(template: Template): [string, Resource][] {
  return Object.entries(template.toJSON().Resources as Record<string, Resource>);
}
