import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CreateRoleCommand, DeleteRoleCommand } from '@aws-sdk/client-iam';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { DeleteParameterCommand, PutParameterCommand } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../support/service-process.ts';
import { describeInWorld, startWorld, type World } from '../support/world.ts';
import type { WorldStack } from '../support/world-stack.ts';

function parameterNamed(name: string): Record<string, string> {
  return {
    'main.tf': `resource "aws_ssm_parameter" "level" {
  name  = "${name}"
  type  = "String"
  value = "info"
}
`,
  };
}

const ROLE = `resource "aws_iam_role" "runner" {
  name               = "runner"
  path               = "/app/"
  assume_role_policy = data.aws_iam_policy_document.trust.json
}

data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "Service"
      identifiers = ["ecs-tasks.amazonaws.com"]
    }
  }
}
`;

const QUEUE = `resource "aws_sqs_queue" "jobs" {
  name                       = "jobs"
  visibility_timeout_seconds = 45
}
`;

async function plan(stack: WorldStack): Promise<{ readonly exitCode: number; readonly stdout: string }> {
  return stack.terraform(['plan', '-detailed-exitcode', '-lock=false', '-input=false', '-no-color']);
}

describeInWorld('a world', () => {
  let world: World;

  beforeAll(async () => {
    world = await startWorld();
  }, 300_000);

  afterAll(() => world?.close());

  it('has stacks that are in sync once they are applied', async () => {
    const stack = await world.stack('dev/params', parameterNamed('/dev/level'));
    await stack.apply();
    expect((await plan(stack)).exitCode).toBe(0);
  });

  it('keeps stacks apart that run at the same time', async () => {
    const names = ['one', 'two', 'three'];
    const outputs = await Promise.all(
      names.map(async (name) => (await world.stack(name, parameterNamed(`/${name}/level`))).apply()),
    );
    for (const [index, output] of outputs.entries()) {
      expect(output).toContain('Resources: 1 added, 0 changed, 0 destroyed');
      expect(output).toContain(`[id=/${names[index]}/level]`);
    }
  });

  it('shows what is changed and deleted outside', async () => {
    const stack = await world.stack('outside', parameterNamed('/outside/level'));
    await stack.apply();
    await world.ssm.send(new PutParameterCommand({ Name: '/outside/level', Value: 'debug', Overwrite: true }));
    expect((await plan(stack)).stdout).toContain('0 to add, 1 to change, 0 to destroy');
    await world.ssm.send(new DeleteParameterCommand({ Name: '/outside/level' }));
    expect((await plan(stack)).stdout).toContain('1 to add, 0 to change, 0 to destroy');
  });

  it('replaces what is changed outside in a way that can not be undone', async () => {
    const stack = await world.stack('role', { 'main.tf': ROLE });
    await stack.apply();
    await world.iam.send(new DeleteRoleCommand({ RoleName: 'runner' }));
    await world.iam.send(new CreateRoleCommand({ RoleName: 'runner', Path: '/', AssumeRolePolicyDocument: '{}' }));
    expect((await plan(stack)).stdout).toMatch(/"\/" -> "\/app\/" # forces replacement/);
  });

  it('adopts a queue without changing it', async () => {
    const { QueueUrl = '' } = await world.sqs.send(
      new CreateQueueCommand({
        QueueName: 'jobs',
        // SQS has another default for the size than the provider.
        Attributes: { VisibilityTimeout: '45', MaximumMessageSize: '262144' },
      }),
    );
    const stack = await world.stack('queue', { 'main.tf': QUEUE });
    expect(await stack.adopt({ 'aws_sqs_queue.jobs': QueueUrl })).toContain('1 imported, 0 added, 0 changed');
    expect((await plan(stack)).exitCode).toBe(0);
  });

  it('leaves neither processes nor folders when it is closed', async () => {
    const other = await startWorld();
    const { directory } = await other.stack('gone', parameterNamed('/gone'));
    await other.close();
    expect(existsSync(dirname(dirname(directory)))).toBe(false);
    expect(other.pids).toHaveLength(2);
    for (const pid of other.pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

describe('startService', () => {
  it('fails with the output of a program that ends before it is ready', async () => {
    const script = "console.error('no port left'); process.exit(3)";
    const service = startService({ file: process.execPath, args: ['-e', script], env: {}, ready: /on (\d+)/ });
    await expect(service).rejects.toThrow(/ended before it was ready:\nno port left/);
  });

  it('fails on a program that is not there', async () => {
    const service = startService({ file: 'no-such-program', args: [], env: {}, ready: /on (\d+)/ });
    await expect(service).rejects.toThrow('ENOENT');
  });
});
