import { CreateRoleCommand, DeleteRoleCommand } from '@aws-sdk/client-iam';
import { expect, it } from 'vitest';
import type { Finding, Noise } from '../../lib/domain/finding.ts';
import { deleteParameter, parameter, setParameter } from '../support/parameter.ts';
import { describeScenarios } from '../support/scenario.ts';

const TRUST = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'ecs-tasks.amazonaws.com' } }],
};

const ROLE = `resource "aws_iam_role" "runner" {
  name               = "replaced"
  path               = "/app/"
  assume_role_policy = jsonencode(${JSON.stringify(TRUST)})
}
`;

const CHANGED: Finding = {
  address: 'aws_ssm_parameter.level',
  class: 'changed-outside',
  standing: 'drift',
  severity: 'medium',
  actions: ['update'],
  paths: ['value', 'version'],
  cause: { kind: 'outside-change', inferred: false },
};

const DELETED: Finding = {
  ...CHANGED,
  class: 'deleted-outside',
  severity: 'critical',
  actions: ['create'],
  paths: [],
};

const NO_TAGS: Noise = { address: 'aws_iam_role.runner', paths: ['tags'], reason: 'empty-flip' };

describeScenarios('a stack that somebody changed', (stage) => {
  it.concurrent('is in sync before', async () => {
    const stack = await stage.scenario('in-sync', { 'main.tf': parameter({ name: '/in-sync/level' }) });
    await stack.apply();
    expect(await stack.check()).toStrictEqual(stack.concludes({ verdict: 'in-sync', exitCode: 0, hasDocument: false }));
  });

  it.concurrent('has drifted where an attribute has another value', async () => {
    const stack = await stage.scenario('changed', { 'main.tf': parameter({ name: '/changed/level' }) });
    await stack.apply();
    await setParameter(stage.world, '/changed/level', 'debug');
    expect(await stack.check()).toStrictEqual(
      stack.concludes({ verdict: 'drifted', exitCode: 2, counts: { change: 1 }, findings: [CHANGED] }),
    );
  });

  it.concurrent('has drifted where a resource is gone', async () => {
    const stack = await stage.scenario('deleted', { 'main.tf': parameter({ name: '/deleted/level' }) });
    await stack.apply();
    await deleteParameter(stage.world, '/deleted/level');
    expect(await stack.check()).toStrictEqual(
      stack.concludes({ verdict: 'drifted', exitCode: 2, counts: { add: 1 }, findings: [DELETED] }),
    );
  });

  it.concurrent('comes with a warning where all of it is gone', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const stack = await stage.scenario('all-gone', {
      'main.tf': parameter({ name: `/all-gone/\${each.key}`, more: `for_each = toset(${JSON.stringify(names)})` }),
    });
    await stack.apply();
    for (const name of names) await deleteParameter(stage.world, `/all-gone/${name}`);
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'drifted',
        exitCode: 2,
        counts: { add: 5 },
        findings: names.map((name) => ({ ...DELETED, address: `aws_ssm_parameter.level["${name}"]` })),
        warnings: [
          {
            code: 'mass-deletion',
            message: '5 of 5 resources look deleted: check that the credentials of this run may still read them',
          },
        ],
      }),
    );
  });

  it.concurrent('shows neither the old nor the new value of a secret', async () => {
    const before = 'correct-horse-battery';
    const after = 'staple-of-the-intruder';
    const stack = await stage.scenario('secret', {
      'main.tf': parameter({ name: '/secret/level', value: 'var.api_password' }),
      'variables.tf': 'variable "api_password" {\n  type      = string\n  sensitive = true\n}\n',
    });
    const vars = [`api_password=${before}`];
    await stack.apply(vars.map((assignment) => `-var=${assignment}`));
    await setParameter(stage.world, '/secret/level', after);
    const result = await stack.check({ vars });
    expect(result).toStrictEqual(
      stack.concludes({ verdict: 'drifted', exitCode: 2, counts: { change: 1 }, findings: [CHANGED] }),
    );
    expect(JSON.stringify(result)).not.toContain(before);
    expect(JSON.stringify(result)).not.toContain(after);
  });

  it.concurrent('is told apart by keys with slashes, dots and quotes', async () => {
    const stack = await stage.scenario('keys', {
      'main.tf': parameter({
        name: `/keys/\${each.value}`,
        more: 'for_each = { "eu/a.b" = "slash", "say \\"hi\\"" = "quote", "clean" = "clean" }',
      }),
    });
    await stack.apply();
    await setParameter(stage.world, '/keys/slash', 'debug');
    await deleteParameter(stage.world, '/keys/quote');
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'drifted',
        exitCode: 2,
        counts: { add: 1, change: 1 },
        findings: [
          { ...DELETED, address: 'aws_ssm_parameter.level["say \\"hi\\""]' },
          { ...CHANGED, address: 'aws_ssm_parameter.level["eu/a.b"]' },
        ],
      }),
    );
  });

  it.concurrent('has drifted where a module in a module has', async () => {
    const stack = await stage.scenario('modules', {
      'main.tf': 'module "app" {\n  source = "./app"\n}\n',
      'app/main.tf': `module "settings" {
  source   = "../settings"
  for_each = toset(["eu", "us"])
  region   = each.key
}
`,
      'settings/main.tf': `variable "region" {
  type = string
}

${parameter({ name: `/modules/\${var.region}` })}`,
    });
    await stack.apply();
    await setParameter(stage.world, '/modules/us', 'debug');
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'drifted',
        exitCode: 2,
        counts: { change: 1 },
        findings: [{ ...CHANGED, address: 'module.app.module.settings["us"].aws_ssm_parameter.level' }],
      }),
    );
  });

  it.concurrent('has one finding for drift that only a replacement can undo', async () => {
    const stack = await stage.scenario('replaced', { 'main.tf': ROLE });
    await stack.apply();
    const before = await stack.check();
    expect(before).toStrictEqual(stack.concludes({ verdict: 'in-sync', exitCode: 0, noise: [NO_TAGS] }));
    await stage.world.iam.send(new DeleteRoleCommand({ RoleName: 'replaced' }));
    await stage.world.iam.send(
      new CreateRoleCommand({ RoleName: 'replaced', Path: '/', AssumeRolePolicyDocument: JSON.stringify(TRUST) }),
    );
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'drifted',
        exitCode: 2,
        counts: { add: 1, remove: 1 },
        findings: [
          {
            address: 'aws_iam_role.runner',
            class: 'changed-outside',
            standing: 'drift',
            severity: 'high',
            actions: ['delete', 'create'],
            paths: ['arn', 'create_date', 'path', 'unique_id'],
            cause: { kind: 'outside-change', inferred: false },
          },
        ],
        noise: [NO_TAGS],
        baseline: { kind: 'same' },
      }),
    );
  });

  it.concurrent('has drifted in a refresh-only check, which plans nothing', async () => {
    const stack = await stage.scenario('refresh-only', { 'main.tf': parameter({ name: '/refresh-only/level' }) });
    await stack.apply();
    await setParameter(stage.world, '/refresh-only/level', 'debug');
    expect(await stack.check({ mode: 'refresh-only' })).toStrictEqual(
      stack.concludes({
        mode: 'refresh-only',
        verdict: 'drifted',
        exitCode: 2,
        findings: [
          { ...CHANGED, actions: ['no-op'], paths: ['value'] },
          {
            ...CHANGED,
            class: 'changed-outside-unmanaged',
            standing: 'informational',
            severity: 'info',
            actions: ['no-op'],
            paths: ['version'],
            cause: { kind: 'unconfigured-attribute', inferred: false },
          },
        ],
      }),
    );
  });
});
