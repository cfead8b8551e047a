import { ACCOUNT, PARTITION, type SpokeRole, type Statement } from '../domain/spoke-roles.ts';

/** The roles as a Terraform configuration, formatted as `terraform fmt` does it. */
export function formatTerraform({ plan, apply }: { readonly plan: SpokeRole; readonly apply: SpokeRole }): string {
  return `${[
    '# Roles that Holdfast assumes in this account: one to plan, one to apply.',
    HEAD,
    ...resources('plan', plan),
    ...resources('apply', apply),
    output('plan', 'For planRole in the catalogue.'),
    output('apply', 'For applyRole in the catalogue.'),
  ].join('\n\n')}\n`;
}

const HEAD = `terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

data "aws_partition" "current" {}

data "aws_caller_identity" "current" {}`;

function resources(id: string, role: SpokeRole): readonly string[] {
  const { name, description, principal, condition, managedPolicies, policyName, statements } = role;
  const trust = { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { AWS: principal }, Condition: condition };
  return [
    `resource "aws_iam_role" "${id}" {
  name                 = ${quote(name)}
  description          = ${quote(description)}
  max_session_duration = 3600

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
${indent(expression(trust), 6)}
    ]
  })
}`,
    ...managedPolicies.map(
      (arn, at) => `resource "aws_iam_role_policy_attachment" "${id}${at === 0 ? '' : `_${at + 1}`}" {
  role       = aws_iam_role.${id}.name
  policy_arn = ${quote(arn)}
}`,
    ),
    `resource "aws_iam_role_policy" "${id}" {
  name = ${quote(policyName)}
  role = aws_iam_role.${id}.id

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
${statements.map((statement) => indent(`# ${statement.why}\n${expression(toPolicy(statement))},`, 6)).join('\n')}
    ]
  })
}`,
  ];
}

function toPolicy({ sid, effect, actions, resources: where }: Statement): object {
  return {
    Sid: sid,
    Effect: effect,
    Action: actions,
    ...('only' in where ? { Resource: where.only } : { NotResource: where.except }),
  };
}

function output(id: string, description: string): string {
  return `output "${id}_role_arn" {
  description = ${quote(description)}
  value       = aws_iam_role.${id}.arn
}`;
}

/** A value as an HCL expression. */
function expression(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[\n${value.map((member) => indent(`${expression(member)},`, 2)).join('\n')}\n]`;
  const entries = Object.entries(value as object).map(([key, member]) => ({
    key: /^\w+$/.test(key) ? key : quote(key),
    text: expression(member),
  }));
  return `{\n${indent(align(entries).join('\n'), 2)}\n}`;
}

interface Entry {
  readonly key: string;
  readonly text: string;
}

/** Equals signs of lines that follow each other stand below each other; a value of several lines ends such a block. */
function align(entries: readonly Entry[]): readonly string[] {
  const isLong = ({ text }: Entry) => text.includes('\n');
  return entries.map((entry, at) => {
    if (isLong(entry)) return `${entry.key} = ${entry.text}`;
    const start = entries.slice(0, at).findLastIndex(isLong) + 1;
    const end = entries.findIndex((other, index) => index > at && isLong(other));
    const block = entries.slice(start, end === -1 ? entries.length : end);
    const width = Math.max(...block.map(({ key }) => key.length));
    return `${entry.key.padEnd(width)} = ${entry.text}`;
  });
}

function quote(value: string): string {
  return JSON.stringify(value)
    .replaceAll(PARTITION, interpolate('data.aws_partition.current.partition'))
    .replaceAll(ACCOUNT, interpolate('data.aws_caller_identity.current.account_id'));
}

const interpolate = (expression: string) => `\${${expression}}`;

function indent(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}
