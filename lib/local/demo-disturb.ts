import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldfastError } from '../domain/errors.ts';
import type { Queues } from './demo-queues.ts';

export interface DisturbDeps {
  readonly queues: Queues;
  /** Directory of a stack, by its id. */
  readonly directoryOf: (id: string) => string;
}

/** Does to the stacks what happens to stacks. Returns a sentence per stack. */
export async function disturb({ queues, directoryOf }: DisturbDeps): Promise<readonly string[]> {
  await queues.setAttributes('dev-orders', { VisibilityTimeout: '300' });
  await queues.remove('staging-emails-dead-letter');
  await queues.setAttributes('prod-orders', { Policy: JSON.stringify(OPEN_TO_EVERYONE) });
  await edit(join(directoryOf('prod/workers'), 'main.tf'), /(max_receive_count\s*=\s*)3\b/, '$18');
  return [
    'dev/messaging: somebody raised the visibility timeout of dev-orders from 30 to 300 seconds',
    'staging/messaging: somebody deleted the queue staging-emails-dead-letter, because it was empty',
    'prod/messaging: somebody let everyone in the world read and write prod-orders, in a policy Terraform does not manage',
    'prod/workers: somebody merged max_receive_count = 8 for prod-thumbnails, and nobody applied it',
    'dev/workers: nothing happened',
  ];
}

const OPEN_TO_EVERYONE = {
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: '*', Action: 'sqs:*', Resource: '*' }],
};

async function edit(file: string, pattern: RegExp, replacement: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const edited = text.replace(pattern, replacement);
  if (edited === text) throw new HoldfastError('ArgumentInvalid', `${file} has nothing that matches ${pattern}`);
  await writeFile(file, edited);
}
