import { PutParameterCommand } from '@aws-sdk/client-ssm';
import { expect, it } from 'vitest';
import type { Finding } from '../../lib/domain/finding.ts';
import { parameter } from '../support/parameter.ts';
import { describeScenarios } from '../support/scenario.ts';

const REARRANGED = {
  address: 'aws_ssm_parameter.level',
  standing: 'pending',
  severity: 'info',
  actions: ['no-op'],
  paths: [],
} as const satisfies Partial<Finding>;

describeScenarios('a stack that is only rearranged', (stage) => {
  it.concurrent('is pending where only an output would change', async () => {
    const main = parameter({ name: '/output/level' });
    const stack = await stage.scenario('output', { 'main.tf': main });
    await stack.apply();
    await stack.write({ 'outputs.tf': 'output "arn" {\n  value = aws_ssm_parameter.level.arn\n}\n' });
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'pending',
        exitCode: 2,
        counts: { outputs: 1 },
        findings: [
          {
            ...REARRANGED,
            address: 'output.arn',
            class: 'outputs-only',
            actions: ['create'],
            cause: { kind: 'output-changed', inferred: false },
          },
        ],
      }),
    );
  });

  it.concurrent('is pending where a resource gets another address', async () => {
    const name = '/moved/level';
    const stack = await stage.scenario('moved', { 'main.tf': parameter({ name }) });
    await stack.apply();
    await stack.write({
      'main.tf': `${parameter({ name, label: 'log_level' })}
moved {
  from = aws_ssm_parameter.level
  to   = aws_ssm_parameter.log_level
}
`,
    });
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'pending',
        exitCode: 2,
        counts: { move: 1 },
        findings: [
          {
            ...REARRANGED,
            address: 'aws_ssm_parameter.log_level',
            class: 'moved',
            cause: { kind: 'moved-in-config', inferred: false, from: ['aws_ssm_parameter.level'] },
          },
        ],
      }),
    );
  });

  it.concurrent('is pending where Terraform would let go of a resource', async () => {
    const stack = await stage.scenario('forgotten', { 'main.tf': parameter({ name: '/forgotten/level' }) });
    await stack.apply();
    await stack.write({
      'main.tf': `removed {
  from = aws_ssm_parameter.level
  lifecycle {
    destroy = false
  }
}
`,
    });
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'pending',
        exitCode: 2,
        counts: { forget: 1 },
        findings: [
          {
            ...REARRANGED,
            class: 'forgotten',
            severity: 'medium',
            actions: ['forget'],
            cause: { kind: 'removed-block', inferred: false },
          },
        ],
      }),
    );
  });

  it.concurrent('is pending where it would import what is there', async () => {
    const name = '/imported/level';
    await stage.world.ssm.send(
      new PutParameterCommand({
        Name: name,
        Value: 'info',
        Type: 'String',
        Description: 'how much to log',
        Tags: [{ Key: 'team', Value: 'orders' }],
      }),
    );
    const stack = await stage.scenario('imported', {
      'main.tf': `${parameter({ name })}
import {
  to = aws_ssm_parameter.level
  id = "${name}"
}
`,
    });
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'pending',
        exitCode: 2,
        counts: { import: 1 },
        findings: [
          {
            ...REARRANGED,
            class: 'imported',
            cause: { kind: 'import-block', inferred: false },
          },
        ],
      }),
    );
  });
});
