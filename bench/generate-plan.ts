/**
 * Writes a plan document the size of a very large stack: mostly untouched resources, some drift, some planned changes,
 * sensitive values and nested blocks, as `terraform show -json` lays them out.
 */
export function generatePlan(resources: number): string {
  const changes = Array.from({ length: resources }, (_, index) => change(index));
  const drift = changes.flatMap((_, index) => (index % 20 === 0 ? [driftOf(index)] : []));
  return JSON.stringify({
    format_version: '1.2',
    terraform_version: '1.11.4',
    variables: { db_password: { value: 'correct horse battery staple' } },
    planned_values: {
      root_module: { resources: changes.map(({ address, change: { after } }) => planned(address, after)) },
    },
    resource_drift: drift,
    resource_changes: changes,
    prior_state: {
      format_version: '1.0',
      values: {
        root_module: { resources: changes.map(({ address, change: { before } }) => planned(address, before)) },
      },
    },
    configuration: {
      root_module: {
        resources: changes.map((_, index) => ({
          address: `aws_sqs_queue.q${index}`,
          mode: 'managed',
          type: 'aws_sqs_queue',
          name: `q${index}`,
          expressions: {
            name: { constant_value: `queue-${index}` },
            visibility_timeout_seconds: { references: ['var.timeout'] },
          },
        })),
        variables: { db_password: { sensitive: true }, timeout: {} },
      },
    },
    applyable: true,
    complete: true,
    errored: false,
  });
}

function values(index: number, timeout: number) {
  return {
    arn: `arn:aws:sqs:eu-west-1:123456789012:queue-${index}`,
    id: `https://sqs.eu-west-1.amazonaws.com/123456789012/queue-${index}`,
    name: `queue-${index}`,
    delay_seconds: 0,
    fifo_queue: false,
    kms_master_key_id: '',
    max_message_size: 262_144,
    policy: JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: ['sqs:SendMessage', 'sqs:ReceiveMessage'], Resource: `queue-${index}` }],
    }),
    redrive_policy: JSON.stringify({ deadLetterTargetArn: `arn:dlq-${index}`, maxReceiveCount: 5 }),
    tags: { team: `team-${index % 40}`, environment: 'prod', cost_center: `${1000 + (index % 90)}` },
    tags_all: { team: `team-${index % 40}`, environment: 'prod', cost_center: `${1000 + (index % 90)}` },
    password: index % 10 === 0 ? `secret-${index}` : null,
    visibility_timeout_seconds: timeout,
  };
}

const mask = (index: number) => ({ tags: {}, tags_all: {}, ...(index % 10 === 0 ? { password: true } : {}) });

function change(index: number) {
  const drifted = index % 20 === 0;
  return {
    ...head(index),
    change: {
      actions: drifted ? ['update'] : ['no-op'],
      before: values(index, drifted ? 99 : 30),
      after: values(index, 30),
      after_unknown: {},
      before_sensitive: mask(index),
      after_sensitive: mask(index),
    },
  };
}

function driftOf(index: number) {
  return {
    ...head(index),
    change: {
      actions: ['update'],
      before: values(index, 30),
      after: values(index, 99),
      after_unknown: {},
      before_sensitive: mask(index),
      after_sensitive: mask(index),
    },
  };
}

function head(index: number) {
  return {
    address: `aws_sqs_queue.q${index}`,
    mode: 'managed',
    type: 'aws_sqs_queue',
    name: `q${index}`,
    provider_name: 'registry.terraform.io/hashicorp/aws',
  };
}

function planned(address: string, of: unknown) {
  return {
    address,
    mode: 'managed',
    type: 'aws_sqs_queue',
    name: address.split('.')[1],
    provider_name: 'registry.terraform.io/hashicorp/aws',
    schema_version: 0,
    values: of,
    sensitive_values: { tags: {}, tags_all: {} },
  };
}
