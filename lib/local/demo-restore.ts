import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DisturbDeps } from './demo-disturb.ts';
import { EXAMPLES } from './demo-prepare.ts';
import { DEMO_STACKS } from './demo-stacks.ts';

/** Undoes what `disturb` did, or a part of it, as people do who find out. Returns a sentence per stack. */
export async function restore({ queues, directoryOf }: DisturbDeps): Promise<readonly string[]> {
  await queues.setAttributes('dev-orders', { VisibilityTimeout: '30' });
  await queues.setAttributes('prod-orders', { Policy: '' });
  const lost = DEMO_STACKS.flatMap((stack) => stack.queues).find(({ name }) => name === 'staging-emails-dead-letter');
  if (lost !== undefined) await queues.create(lost);
  const file = join('environments', 'prod/workers', 'main.tf');
  await copyFile(join(EXAMPLES, file), join(directoryOf('prod/workers'), 'main.tf'));
  return [
    'dev/messaging: the visibility timeout of dev-orders is 30 seconds again',
    'staging/messaging: the queue staging-emails-dead-letter is back',
    'prod/messaging: the policy of prod-orders is gone',
    'prod/workers: the merge of max_receive_count = 8 is reverted',
  ];
}
