import { expect, it } from 'vitest';
import { describeScenarios } from '../support/scenario.ts';

const SECRET = 'correct-horse-battery';

const variable = `variable "api_password" {
  type      = string
  sensitive = true
  default   = "${SECRET}"
}
`;

describeScenarios('a check without a verdict', (stage) => {
  it.concurrent('fails with the place of what can not be planned', async () => {
    const stack = await stage.scenario('plan-error', {
      'main.tf': `${variable}
resource "aws_ssm_parameter" "level" {
  name  = "/plan-error/level"
  type  = "Text"
  value = var.api_password
}
`,
    });
    const result = await stack.check();
    expect(result).toStrictEqual(
      stack.fails(
        {
          code: 'PlanFailed',
          message: 'terraform plan failed: expected type to be one of ["String" "StringList" "SecureString"], got Text',
          location: { file: 'main.tf', line: 9, column: 11 },
        },
        1,
      ),
    );
    expect(JSON.stringify(result)).not.toContain(SECRET);
  });

  it.concurrent('hides what only the half-made plan knows to be sensitive', async () => {
    const stack = await stage.scenario('plan-error-secret', {
      'main.tf': `variable "mode" {
  type      = string
  sensitive = true
  default   = "${SECRET}"
}
resource "aws_ssm_parameter" "level" {
  name  = "/plan-error-secret/level"
  type  = var.mode
  value = "x"
}
`,
    });
    const result = await stack.check();
    expect(result.failure?.message).toBe(
      'terraform plan failed: expected type to be one of ["String" "StringList" "SecureString"], got (sensitive)',
    );
  });

  it.concurrent('fails with the place of a syntax error', async () => {
    const stack = await stage.scenario('syntax-error', {
      'main.tf': `${variable}\nresource "aws_ssm_parameter" "level" {\n  name = "${SECRET}"\n`,
    });
    const result = await stack.check();
    expect(result).toStrictEqual(
      stack.fails(
        {
          code: 'InitFailed',
          message: 'terraform init failed: Unclosed configuration block (+1 more error)',
          location: { file: 'main.tf', line: 7, column: 38 },
        },
        null,
      ),
    );
    expect(JSON.stringify(result)).not.toContain(SECRET);
  });

  it.concurrent('fails with advice where a provider is not to be had', async () => {
    const stack = await stage.scenario('no-provider', {
      'main.tf': `terraform {
  required_providers {
    acme = { source = "registry.holdfast.invalid/acme/cloud" }
  }
}

resource "acme_thing" "it" {}
`,
      'provider.tf': '',
    });
    expect(await stack.check()).toStrictEqual(
      stack.fails(
        {
          code: 'InitFailed',
          message: 'terraform init failed: Failed to query available provider packages',
          hint: 'the registry could not be reached or lacks the provider: check its source and version, or set up a provider mirror in the file that TF_CLI_CONFIG_FILE names',
        },
        null,
      ),
    );
  });
});
