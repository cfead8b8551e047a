import { AuthorizeSecurityGroupIngressCommand, DescribeSecurityGroupsCommand } from '@aws-sdk/client-ec2';
import { AttachRolePolicyCommand, CreatePolicyCommand } from '@aws-sdk/client-iam';
import { CreateQueueCommand, SetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { expect, it } from 'vitest';
import type { Finding, Noise } from '../../lib/domain/finding.ts';
import { parameter, setParameter } from '../support/parameter.ts';
import { describeScenarios } from '../support/scenario.ts';

const queue = (name: string, more = '') => `resource "aws_sqs_queue" "jobs" {
  name = "${name}"
  tags = { team = "orders" }
  ${more}
}
`;

const OPEN_TO_EVERYONE = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: '*', Action: 'sqs:*', Resource: '*' }],
};

const OPENED: Finding = {
  address: 'aws_sqs_queue.jobs',
  class: 'changed-outside-unmanaged',
  standing: 'drift',
  severity: 'high',
  actions: ['no-op'],
  paths: ['policy'],
  cause: { kind: 'unconfigured-attribute', inferred: false },
};

const GROUP = `resource "aws_security_group" "web" {
  name = "separate-rules"
  tags = { team = "orders" }
}

resource "aws_security_group_rule" "https" {
  type              = "ingress"
  security_group_id = aws_security_group.web.id
  protocol          = "tcp"
  from_port         = 443
  to_port           = 443
  cidr_blocks       = ["10.0.0.0/8", "192.168.0.0/16"]
}

resource "aws_vpc_security_group_egress_rule" "postgres" {
  security_group_id = aws_security_group.web.id
  ip_protocol       = "tcp"
  from_port         = 5432
  to_port           = 5432
  cidr_ipv4         = "10.1.0.0/16"
}
`;

const role = (policyArn: string) => `resource "aws_iam_role" "runner" {
  name = "attachments"
  tags = { team = "orders" }
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ecs-tasks.amazonaws.com" } }]
  })
}

resource "aws_iam_role_policy_attachment" "read" {
  role       = aws_iam_role.runner.name
  policy_arn = "${policyArn}"
}
`;

const mirrored = (address: string, ...paths: string[]): Noise => ({ address, paths, reason: 'mirrors-resource' });

describeScenarios('a change that Terraform leaves alone', (stage) => {
  const createQueue = async (name: string): Promise<string> => {
    // SQS has another default for the size than the provider.
    const Attributes = { MaximumMessageSize: '262144' };
    const { QueueUrl = '' } = await stage.world.sqs.send(
      new CreateQueueCommand({ QueueName: name, Attributes, tags: { team: 'orders' } }),
    );
    return QueueUrl;
  };
  const openQueue = (QueueUrl: string) =>
    stage.world.sqs.send(
      new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: JSON.stringify(OPEN_TO_EVERYONE) } }),
    );

  const { Version } = OPEN_TO_EVERYONE;
  const createPolicy = async (PolicyName: string): Promise<string> => {
    const PolicyDocument = JSON.stringify({
      Version,
      Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
    });
    const { Policy } = await stage.world.iam.send(new CreatePolicyCommand({ PolicyName, PolicyDocument }));
    return Policy?.Arn ?? '';
  };

  it.concurrent('is drift where it opens a queue to the world', async () => {
    const url = await createQueue('opened');
    const stack = await stage.scenario('opened', { 'main.tf': queue('opened') });
    await stack.adopt({ 'aws_sqs_queue.jobs': url });
    await openQueue(url);
    expect(await stack.check()).toStrictEqual(stack.concludes({ verdict: 'drifted', exitCode: 0, findings: [OPENED] }));
  });

  it.concurrent('is for information where ignore_changes covers it', async () => {
    const url = await createQueue('ignored');
    const stack = await stage.scenario('ignored', {
      'main.tf': queue('ignored', 'lifecycle {\n    ignore_changes = [policy]\n  }'),
    });
    await stack.adopt({ 'aws_sqs_queue.jobs': url });
    await openQueue(url);
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'in-sync',
        exitCode: 0,
        findings: [
          {
            ...OPENED,
            standing: 'informational',
            severity: 'info',
            cause: { kind: 'ignore-changes', inferred: false },
          },
        ],
      }),
    );
  });

  it.concurrent('is for information where it gives nobody access, even if Terraform would write it otherwise', async () => {
    const url = await createQueue('redriven');
    await createQueue('redriven-dead');
    const stack = await stage.scenario('redriven', { 'main.tf': queue('redriven') });
    await stack.adopt({ 'aws_sqs_queue.jobs': url });
    const deadLetterTargetArn = 'arn:aws:sqs:us-east-1:123456789012:redriven-dead';
    const Attributes = { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 3 }) };
    await stage.world.sqs.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes }));
    const { address } = OPENED;
    const paths = ['redrive_policy'];
    // The emulator answers with spaces that the provider takes out: an update of nothing.
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'in-sync',
        exitCode: 2,
        counts: { change: 1 },
        findings: [{ ...OPENED, standing: 'informational', severity: 'info', actions: ['update'], paths }],
        noise: [{ address, paths, reason: 'same-json' }],
      }),
    );
  });

  it.concurrent('shows in what is made from it', async () => {
    const url = await createQueue('followed');
    const stack = await stage.scenario('followed', {
      'main.tf': queue('followed'),
      'policy.tf': parameter({
        name: '/followed/policy',
        label: 'policy',
        value: `"policy: \${aws_sqs_queue.jobs.policy}"`,
      }),
    });
    await stack.adopt({ 'aws_sqs_queue.jobs': url });
    await openQueue(url);
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'drifted',
        exitCode: 2,
        counts: { change: 1 },
        findings: [
          OPENED,
          {
            address: 'aws_ssm_parameter.policy',
            class: 'data-driven',
            standing: 'informational',
            severity: 'info',
            actions: ['update'],
            paths: ['value'],
            cause: { kind: 'follows-drift', inferred: true, from: ['aws_sqs_queue.jobs'] },
          },
        ],
      }),
    );
  });

  it.concurrent('is pending where only what is made from it would change', async () => {
    const more = 'lifecycle {\n    ignore_changes = [value]\n  }';
    const stack = await stage.scenario('ignored-follow', {
      'source.tf': parameter({ name: '/ignored-follow/source', label: 'source', more }),
      'copy.tf': parameter({ name: '/ignored-follow/copy', label: 'copy', value: 'aws_ssm_parameter.source.value' }),
    });
    await stack.apply();
    await setParameter(stage.world, '/ignored-follow/source', 'debug');
    const source = 'aws_ssm_parameter.source';
    const inform: Finding = { ...OPENED, address: source, standing: 'informational', severity: 'info' };
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'pending',
        exitCode: 2,
        counts: { change: 1 },
        findings: [
          {
            address: 'aws_ssm_parameter.copy',
            class: 'data-driven',
            standing: 'pending',
            severity: 'info',
            actions: ['update'],
            paths: ['value'],
            cause: { kind: 'follows-drift', inferred: true, from: [source] },
          },
          { ...inform, paths: ['value'], cause: { kind: 'ignore-changes', inferred: false } },
          { ...inform, paths: ['version'] },
        ],
      }),
    );
  });

  it.concurrent('is noise where a rule of the stack shows it, and drift where none does', async () => {
    const stack = await stage.scenario('separate-rules', { 'main.tf': GROUP });
    await stack.apply();
    const group = 'aws_security_group.web';
    expect(await stack.check()).toStrictEqual(
      stack.concludes({ verdict: 'in-sync', exitCode: 0, noise: [mirrored(group, 'egress', 'ingress')] }),
    );
    const Filters = [{ Name: 'group-name', Values: ['separate-rules'] }];
    const { SecurityGroups = [] } = await stage.world.ec2.send(new DescribeSecurityGroupsCommand({ Filters }));
    await stage.world.ec2.send(
      new AuthorizeSecurityGroupIngressCommand({
        GroupId: SecurityGroups[0]?.GroupId,
        IpPermissions: [{ IpProtocol: 'tcp', FromPort: 22, ToPort: 22, IpRanges: [{ CidrIp: '0.0.0.0/0' }] }],
      }),
    );
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'drifted',
        exitCode: 0,
        findings: [{ ...OPENED, address: group, paths: ['ingress'] }],
        noise: [mirrored(group, 'egress')],
        baseline: { kind: 'same' },
      }),
    );
  });

  it.concurrent('is noise where a policy of the stack shows it', async () => {
    const url = await createQueue('own-policy');
    const stack = await stage.scenario('own-policy', { 'main.tf': queue('own-policy') });
    await stack.adopt({ 'aws_sqs_queue.jobs': url });
    await stack.write({
      'policy.tf': `resource "aws_sqs_queue_policy" "jobs" {
  queue_url = aws_sqs_queue.jobs.id
  policy    = jsonencode(${JSON.stringify(OPEN_TO_EVERYONE)})
}
`,
    });
    await stack.apply();
    expect(await stack.check()).toStrictEqual(
      stack.concludes({ verdict: 'in-sync', exitCode: 0, noise: [mirrored('aws_sqs_queue.jobs', 'policy')] }),
    );
  });

  it.concurrent('is noise where an attachment of the stack shows it, and drift where none does', async () => {
    const own = await createPolicy('own');
    const stack = await stage.scenario('attachments', { 'main.tf': role(own) });
    await stack.apply();
    const address = 'aws_iam_role.runner';
    expect(await stack.check()).toStrictEqual(
      stack.concludes({ verdict: 'in-sync', exitCode: 0, noise: [mirrored(address, 'managed_policy_arns')] }),
    );
    const PolicyArn = await createPolicy('by-hand');
    await stage.world.iam.send(new AttachRolePolicyCommand({ RoleName: 'attachments', PolicyArn }));
    expect(await stack.check()).toStrictEqual(
      stack.concludes({
        verdict: 'drifted',
        exitCode: 0,
        findings: [{ ...OPENED, address, paths: ['managed_policy_arns'] }],
        baseline: { kind: 'same' },
      }),
    );
  });
});
