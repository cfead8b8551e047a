import { Command, Option } from '@commander-js/extra-typings';
import { HoldfastError } from '../domain/errors.ts';
import { type SpokeOptions, spokeRoles } from '../domain/spoke-roles.ts';
import { formatCloudFormation } from './format-spoke-cloudformation.ts';
import { formatTerraform } from './format-spoke-terraform.ts';
import { collect } from './options.ts';
import type { Services } from './services.ts';

const FORMATTERS = { cloudformation: formatCloudFormation, terraform: formatTerraform } as const;
const FORMATS = ['cloudformation', 'terraform'] as const;

/** `holdfast spoke-roles`: prints the roles that an account needs to be checked, and to be put right. */
export function spokeRolesCommand({ output }: Pick<Services, 'output'>, finish: (exitCode: number) => void) {
  return new Command('spoke-roles')
    .description('Prints the plan and the apply role of an account whose stacks Holdfast checks.')
    .addOption(new Option('--format <format>', 'what to print').choices(FORMATS).default('cloudformation' as const))
    .requiredOption('--hub-account <id>', 'account that Holdfast runs in', reader('account', ACCOUNT_ID))
    .requiredOption(
      '--external-id <id>',
      'what the runner has to say, as in the catalogue',
      reader('external id', EXTERNAL_ID),
    )
    .requiredOption(
      '--runner-role <name>',
      "name of the runner's role there, * allowed",
      reader('role name', ROLE_NAME),
    )
    .addOption(several('--state-bucket <name>', 'bucket with Terraform states', reader('bucket', BUCKET)))
    .addOption(several('--state-key <arn>', 'KMS key that it is encrypted with', reader('key ARN', KEY_ARN)))
    .addOption(several('--lock-table <name>', 'lock table, or its ARN', reader('table', TABLE)))
    .addOption(several('--apply-policy <arn>', 'managed policy for the apply role', reader('policy ARN', POLICY_ARN)))
    .addHelpText('after', EXAMPLES)
    .action(({ format, ...options }) => {
      output.print(FORMATTERS[format](spokeRoles(toOptions(options))));
      finish(0);
    });
}

const EXAMPLES = `
Examples:
  holdfast spoke-roles --hub-account 111122223333 --external-id "$ID" --runner-role 'Holdfast-*' \\
    --state-bucket acme-terraform > roles.yaml
  holdfast spoke-roles --format terraform --hub-account 111122223333 --external-id "$ID" --runner-role 'Holdfast-*' \\
    --state-bucket acme-terraform --apply-policy arn:aws:iam::aws:policy/PowerUserAccess > roles.tf
`;

interface ParsedOptions {
  readonly hubAccount: string;
  readonly externalId: string;
  readonly runnerRole: string;
  readonly stateBucket: readonly string[];
  readonly stateKey: readonly string[];
  readonly lockTable: readonly string[];
  readonly applyPolicy: readonly string[];
}

function toOptions({ stateBucket, stateKey, lockTable, applyPolicy, ...options }: ParsedOptions): SpokeOptions {
  return {
    ...options,
    stateBuckets: stateBucket,
    stateKeys: stateKey,
    lockTables: lockTable,
    applyPolicies: applyPolicy,
  };
}

// What is printed is code: nothing of what comes in may be more than a name.
const ACCOUNT_ID = /^\d{12}$/;
const EXTERNAL_ID = /^[\w+=,.@:/-]{2,1224}$/;
const ROLE_NAME = /^[\w+=,.@*/-]{1,512}$/;
const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/;
const KEY_ARN = /^arn:aws[a-z-]*:kms:[a-z\d-]+:\d{12}:key\/[\w-]+$/;
const TABLE = /^(?:arn:aws[a-z-]*:dynamodb:[a-z\d-]+:\d{12}:table\/)?[\w.-]{3,255}$/;
const POLICY_ARN = /^arn:aws[a-z-]*:iam::(?:\d{12}|aws):policy\/[\w+=,.@/-]+$/;

function reader(what: string, pattern: RegExp): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new HoldfastError('ArgumentInvalid', `${JSON.stringify(text)} is no ${what}`);
  };
}

function several<Flags extends string>(flags: Flags, description: string, read: (text: string) => string) {
  const none: string[] = [];
  return new Option(flags, `${description} (repeatable)`)
    .argParser((text, previous: string[]) => collect(read(text), previous))
    .default(none, 'none');
}
