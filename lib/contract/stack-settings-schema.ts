import * as z from 'zod';
import {
  duration,
  EnvName,
  exactText,
  Scalar,
  SettingName,
  type TextOf,
  textsOf,
  VarName,
} from './catalogue-values.ts';
import { RulesFile } from './rules-schema.ts';
import { Schedule } from './schedule-schema.ts';

const exact = textsOf(exactText);

const Count = z.int('expected a whole number');
const Attempts = Count.min(1).max(10);

/** Settings that say how, wherever they stand. */
const machinery = {
  backendConfig: z
    .record(SettingName, Scalar)
    .describe('Settings for "init -backend-config", by name.')
    .exactOptional(),
  vars: z
    .record(VarName, z.json('expected a value that JSON can hold'))
    .describe('Values of Terraform variables. Secrets belong under secrets.')
    .exactOptional(),
  env: z.record(EnvName, Scalar).describe('Environment variables. Secrets belong under secrets.').exactOptional(),
  schedule: Schedule.describe('When the stack is checked.').exactOptional(),
  timeout: duration({ least: '1m', most: '1d' }).describe('Longest check. Default: 30m.').exactOptional(),
  retry: z
    .strictObject({
      attempts: Attempts.describe('Tries of one check, the first included. Default: 3.').exactOptional(),
      backoff: duration({ least: '1s', most: '1d' })
        .describe('Wait before the second try; doubles with each. Default: 1m.')
        .exactOptional(),
    })
    .describe('What happens when a check fails.')
    .exactOptional(),
  task: z
    .strictObject({
      cpu: Count.describe('CPU units: 256, 512, 1024, 2048, 4096, 8192 or 16384. Default: 1024.').exactOptional(),
      memory: Count.describe('MiB, as Fargate allows it for the CPU. Default: 2048.').exactOptional(),
      arch: z.enum(['arm64', 'amd64']).describe('Default: arm64.').exactOptional(),
    })
    .describe('Size of the Fargate task that checks the stack.')
    .exactOptional(),
  remediation: z
    .strictObject({
      mode: z
        .enum(['alert', 'approve', 'auto-minor', 'auto'])
        .describe(
          'alert: report only. approve: apply after approval. auto-minor: apply small changes, ask for others. auto: apply. Default: alert.',
        ),
    })
    .describe('What happens when drift is found.')
    .exactOptional(),
  alerts: z
    .strictObject({
      confirmChecks: Count.min(1).describe('Drifted checks in a row before the alert. Default: 1.').exactOptional(),
      failureStreak: Count.min(1).describe('Failed checks in a row before the alert. Default: 3.').exactOptional(),
      remindEvery: duration({ least: '10m' })
        .describe('Time between reminders while drift stands. Default: 1d.')
        .exactOptional(),
      escalateAfter: Count.min(1)
        .nullable()
        .describe('Drifted checks in a row before escalation. Default: never.')
        .exactOptional(),
    })
    .describe('When people hear of the stack.')
    .exactOptional(),
  ignore: RulesFile.shape.ignore
    .removeDefault()
    .describe('Findings to leave out until a date. They stay counted.')
    .exactOptional(),
  severity: RulesFile.shape.severity
    .removeDefault()
    .describe('Severities other than the built-in ones.')
    .exactOptional(),
  serviceOwned: RulesFile.shape.serviceOwned
    .removeDefault()
    .describe('Attributes that services move by themselves.')
    .exactOptional(),
  allowValues: RulesFile.shape.allowValues
    .removeDefault()
    .describe('Places whose values may be shown, unless sensitive.')
    .exactOptional(),
};

const ONE_PLACE = 'expected secretsManager (and a jsonKey, if wanted) or ssm';

/** Where a secret is kept: never the secret. */
const secretReference = (text: ReturnType<typeof textsOf>) =>
  z
    .strictObject({
      secretsManager: text('secretId').describe('Name or ARN of a secret in Secrets Manager.').exactOptional(),
      jsonKey: text('jsonKey').describe('With secretsManager: take this key of the JSON object.').exactOptional(),
      ssm: text('parameter').describe('Name or ARN of a parameter in Systems Manager.').exactOptional(),
    })
    .transform(({ secretsManager, jsonKey, ssm }, { issues, value: input }) => {
      if (secretsManager !== undefined && ssm === undefined) {
        return { kind: 'secrets-manager' as const, id: secretsManager, jsonKey: jsonKey ?? null };
      }
      if (secretsManager === undefined && ssm !== undefined && jsonKey === undefined) {
        return { kind: 'ssm' as const, name: ssm };
      }
      issues.push({ code: 'custom', message: ONE_PLACE, input });
      return z.NEVER;
    });

/** Settings that every stack may have; in `discover` their texts may hold placeholders. */
export function settings(textOf: TextOf) {
  const text = textsOf(textOf);
  return {
    engine: z
      .strictObject({
        name: z.enum(['terraform', 'tofu']).describe('Default: terraform.').exactOptional(),
        version: exact('constraint')
          .nullable()
          .describe('Such as "~> 1.11". Default: what the module asks for.')
          .exactOptional(),
      })
      .describe('What plans the stack.')
      .exactOptional(),
    workspace: text('workspace').describe('Default: default.').exactOptional(),
    varFiles: z
      .array(text('varFile'))
      .describe('For -var-file, relative to the root module. They add up.')
      .exactOptional(),
    secrets: z
      .record(EnvName, secretReference(text))
      .describe('Environment variables whose values are secret, such as TF_VAR_password, and where these are kept.')
      .exactOptional(),
    region: text('region').nullable().describe('AWS_REGION of the check.').exactOptional(),
    planRole: text('role').nullable().describe('Role that checks assume: it only reads.').exactOptional(),
    applyRole: text('role').nullable().describe('Role that remediation assumes.').exactOptional(),
    externalId: text('externalId').nullable().describe('External id for both roles.').exactOptional(),
    approval: z
      .strictObject({
        required: Count.min(1).max(20).describe('How many have to approve. Default: 1.').exactOptional(),
        approvers: z.array(text('line')).describe('Who may approve; empty: anybody who can sign in.').exactOptional(),
        expires: duration({ least: '5m', most: '30d' }).describe('Default: 1d.').exactOptional(),
      })
      .describe('What remediation in the mode approve waits for.')
      .exactOptional(),
    routes: z.array(text('name')).describe('Names of the routes that events of the stack go to.').exactOptional(),
    suspend: text('line').nullable().describe('Why the stack is not checked for now; null: it is.').exactOptional(),
    owner: text('line').nullable().describe('Who answers for the stack.').exactOptional(),
    ...machinery,
  };
}

/** What a single stack may have beyond settings. */
export function membership(textOf: TextOf) {
  const text = textsOf(textOf);
  return {
    labels: z.array(text('label')).describe('Such as environment:prod. They add up.').exactOptional(),
    contexts: z.array(text('name')).describe('Contexts to attach by name; later ones win.').exactOptional(),
    dependsOn: z.array(text('id')).describe('Stacks that are checked first.').exactOptional(),
  };
}
