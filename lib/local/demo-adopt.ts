import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type EngineSession, runEngine } from '../adapters/engine-command.ts';
import type { Queues } from './demo-queues.ts';
import type { DemoStack } from './demo-stacks.ts';

export interface AdoptDeps {
  readonly session: EngineSession;
  readonly queues: Queues;
}

export async function initialise(session: EngineSession): Promise<void> {
  await run(session, 'init');
}

/**
 * Makes the queues of a stack and has Terraform adopt them. Terraform could make them as well, but the AWS provider
 * then waits 25 seconds for each, and as long again for a queue that needs another. Returns Terraform's own summary.
 */
export async function adopt({ session, queues }: AdoptDeps, stack: DemoStack): Promise<string> {
  const blocks: string[] = [];
  for (const queue of stack.queues) {
    const url = await queues.create(queue);
    blocks.push(`import {\n  to = ${queue.address}\n  id = ${JSON.stringify(url)}\n}\n`);
  }
  const file = join(session.directory, 'adopt.tf');
  await writeFile(file, blocks.join('\n'));
  const output = await run(session, 'apply', '-auto-approve');
  await rm(file);
  return /^Apply complete! Resources: (.*)\.$/m.exec(output)?.[1] ?? '';
}

async function run(session: EngineSession, name: 'init' | 'apply', ...args: readonly string[]): Promise<string> {
  const output: Buffer[] = [];
  const onStdout = (chunk: Buffer): void => void output.push(chunk);
  await runEngine(session, { name, args: [...args, '-input=false', '-no-color'], answers: [0], onStdout });
  return Buffer.concat(output).toString('utf8');
}
