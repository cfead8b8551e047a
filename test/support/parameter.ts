import { DeleteParameterCommand, PutParameterCommand } from '@aws-sdk/client-ssm';
import type { World } from './world.ts';

/** What sets one `aws_ssm_parameter` apart. */
export interface ParameterArguments {
  /** Of the parameter, such as `/app/level`. */
  readonly name: string;
  /** Of the resource. */
  readonly label?: string;
  /** An HCL expression. */
  readonly value?: string;
  readonly description?: string;
  /** Further HCL lines. */
  readonly more?: string;
}

/**
 * An `aws_ssm_parameter`: the emulator makes, changes and deletes it at once, and so does the provider. It has a tag,
 * because a resource without any has them once more in another form after it was made.
 */
export function parameter({
  name,
  label = 'level',
  value = '"info"',
  description = 'how much to log',
  more = '',
}: ParameterArguments): string {
  return `resource "aws_ssm_parameter" "${label}" {
  name        = "${name}"
  type        = "String"
  value       = ${value}
  description = "${description}"
  tags        = { team = "orders" }
  ${more}
}
`;
}

/** Makes a parameter, or gives it another value, behind Terraform's back. */
export async function setParameter({ ssm }: World, name: string, value: string): Promise<void> {
  await ssm.send(new PutParameterCommand({ Name: name, Value: value, Type: 'String', Overwrite: true }));
}

export async function deleteParameter({ ssm }: World, name: string): Promise<void> {
  await ssm.send(new DeleteParameterCommand({ Name: name }));
}
