import type { NewQueue } from './demo-queues.ts';
import { EMULATOR_REGION } from './emulator.ts';

/** One of the stacks in `examples/environments`, with the queues its configuration describes. */
export interface DemoStack {
  /** Environment and layer, which is also where it is in `examples/environments`. */
  readonly id: string;
  readonly queues: readonly AddressedQueue[];
}

export interface AddressedQueue extends NewQueue {
  readonly address: string;
}

/** Variables of `examples/modules/queue`, where they differ from its defaults. */
interface ModuleInput {
  readonly module: string;
  readonly visibilityTimeout?: number;
  readonly retention?: number;
  readonly maxReceiveCount?: number;
}

/** The emulator's only account. */
const ACCOUNT = '000000000000';

// What the Terraform provider sets where the configuration says nothing, as far as SQS itself would choose otherwise.
const PROVIDER_DEFAULTS = { MaximumMessageSize: '262144', SqsManagedSseEnabled: 'true' };

export const DEMO_STACKS: readonly [DemoStack, ...DemoStack[]] = [
  demoStack('dev', 'messaging', [
    { module: 'orders', visibilityTimeout: 30 },
    { module: 'emails', retention: 86_400 },
  ]),
  demoStack('dev', 'workers', [{ module: 'thumbnails', visibilityTimeout: 120, maxReceiveCount: 3 }]),
  demoStack('staging', 'messaging', [{ module: 'orders', visibilityTimeout: 60 }, { module: 'emails' }]),
  demoStack('prod', 'messaging', [{ module: 'orders', visibilityTimeout: 60 }, { module: 'emails' }]),
  demoStack('prod', 'workers', [{ module: 'thumbnails', visibilityTimeout: 120, maxReceiveCount: 3 }]),
];

function demoStack(environment: string, layer: string, modules: readonly ModuleInput[]): DemoStack {
  const tags = { Environment: environment, Layer: layer };
  return {
    id: `${environment}/${layer}`,
    queues: modules.flatMap((input) => queuePair(environment, input).map((queue) => ({ ...queue, tags }))),
  };
}

/** A dead-letter queue and, after it, the queue that needs it. */
function queuePair(
  environment: string,
  { module, visibilityTimeout = 30, retention = 345_600, maxReceiveCount = 5 }: ModuleInput,
): Omit<AddressedQueue, 'tags'>[] {
  const name = `${environment}-${module}`;
  const deadLetterTargetArn = `arn:aws:sqs:${EMULATOR_REGION}:${ACCOUNT}:${name}-dead-letter`;
  return [
    {
      address: `module.${module}.aws_sqs_queue.dead_letter`,
      name: `${name}-dead-letter`,
      attributes: { ...PROVIDER_DEFAULTS, MessageRetentionPeriod: '1209600' },
    },
    {
      address: `module.${module}.aws_sqs_queue.main`,
      name,
      attributes: {
        ...PROVIDER_DEFAULTS,
        VisibilityTimeout: String(visibilityTimeout),
        MessageRetentionPeriod: String(retention),
        ReceiveMessageWaitTimeSeconds: '20',
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }),
      },
    },
  ];
}
