import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDemo, type Demo } from '../../lib/local/demo.ts';
import type { DemoWorld } from '../../lib/local/demo-prepare.ts';
import { connectQueues } from '../../lib/local/demo-queues.ts';
import { restore } from '../../lib/local/demo-restore.ts';
import { runProgram } from '../support/run-program.ts';
import { findTools, TEST_CACHE, type TestTools } from '../support/tools.ts';

describe('the demo', { timeout: 300_000 }, () => {
  const said: string[] = [];
  let tools: TestTools;
  let demo: Demo;
  let world: DemoWorld;

  beforeAll(async () => {
    tools = await findTools();
    const say = (line: string): void => void said.push(line);
    demo = createDemo({ engine: tools.terraform, env: tools.env, cacheDir: TEST_CACHE, say });
    world = await demo.prepare();
  }, 600_000);

  afterAll(() => demo?.close());

  /** Exit codes of `plan -detailed-exitcode` by stack. */
  async function planAll(): Promise<Record<string, number>> {
    const plans = world.stacks.map(async ({ id, directory }) => {
      const args = ['plan', '-detailed-exitcode', '-lock=false', '-input=false'];
      const { exitCode } = await runProgram(tools.terraform.path, args, { cwd: directory, env: world.env });
      return [id, exitCode] as const;
    });
    return Object.fromEntries(await Promise.all(plans));
  }

  it('makes every queue as the configuration describes it, so that Terraform has nothing to add or change', () => {
    const summaries = said.filter((line) => line.includes('imported'));
    expect(summaries).toHaveLength(world.stacks.length);
    for (const line of summaries) expect(line).toMatch(/: [24] imported, 0 added, 0 changed, 0 destroyed$/);
  });

  it('drifts where it is disturbed, and is in sync again once that is undone', async () => {
    const deeds = await demo.disturb();
    expect(deeds.map((deed) => deed.split(':')[0]).sort()).toEqual(world.stacks.map(({ id }) => id).sort());
    expect(await planAll()).toEqual({
      'dev/messaging': 2,
      'dev/workers': 0,
      'staging/messaging': 2,
      // A policy on a queue whose configuration names none: for Terraform itself, nothing has changed.
      'prod/messaging': 0,
      'prod/workers': 2,
    });

    const { AWS_ENDPOINT_URL: endpoint = '' } = world.env;
    const queues = await connectQueues({ endpoint, env: world.env });
    const directoryOf = (id: string): string => join(world.folder, 'environments', id);
    const undone = await restore({ queues, directoryOf });
    queues.close();
    expect(undone).toHaveLength(4);
    expect(new Set(Object.values(await planAll()))).toEqual(new Set([0]));
  });
});
