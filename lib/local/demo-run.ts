import { join } from 'node:path';
import { createChecker } from '../adapters/checker.ts';
import { type CheckOptions, runCheck } from '../cli/check.ts';
import { parseDuration } from '../cli/options.ts';
import type { Services } from '../cli/services.ts';
import type { Toolchain } from '../ports/toolchain.ts';
import { createDemo, type Demo } from './demo.ts';
import type { DemoWorld } from './demo-prepare.ts';

export interface RunDemoDeps {
  readonly toolchain: Toolchain;
  readonly services: Services;
  /** Absolute. */
  readonly cacheDir: string;
}

/**
 * The main job on example stacks: everything in sync, then changed behind Terraform's back, then found. Resolves with 0
 * where both checks came out as the story goes.
 */
export async function runDemo({ toolchain, services, cacheDir }: RunDemoDeps): Promise<number> {
  const { signal, output } = services;
  const engine = await toolchain.engine({ name: 'auto' });
  const mirrors = await toolchain.cliConfig({ engine: engine.name, directory: process.cwd() });
  const env = mirrors === undefined ? services.env : { ...services.env, TF_CLI_CONFIG_FILE: mirrors };
  const demo = createDemo({ engine, env, cacheDir, say: output.say, signal });
  try {
    return await tell(demo, { toolchain, services });
  } finally {
    await demo.close();
  }
}

async function tell(demo: Demo, { toolchain, services }: Pick<RunDemoDeps, 'toolchain' | 'services'>): Promise<number> {
  const { say } = services.output;
  say('1/4  five stacks of three environments are applied to an AWS emulator');
  const world = await demo.prepare();
  const inDemo = servicesIn(world, { toolchain, services });
  say('\n2/4  a check finds them in sync');
  const before = await runCheck(inDemo, [], checkOptions(world));
  say('\n3/4  things happen behind the back of Terraform');
  for (const what of await demo.disturb()) say(`  ${what}`);
  say('\n4/4  the next check finds out');
  const after = await runCheck(inDemo, [], checkOptions(world));
  say(`\nThat was exit code ${after}: drift. Now your own stacks, read-only:\n${NEXT}`);
  return before === 0 && after === 2 ? 0 : 1;
}

const NEXT = `
  npm run holdfast -- check DIR...        root modules or globs; exit 0 in sync, 2 drift, 1 failed
  npm run holdfast -- explain plan.json   a plan that another pipeline made
  npm run holdfast -- check --help        all options`;

/** The same commands as ever, in the account and the folder of the demo. */
function servicesIn(world: DemoWorld, { toolchain, services }: Pick<RunDemoDeps, 'toolchain' | 'services'>): Services {
  return {
    ...services,
    env: world.env,
    stacks: {
      find: async () => world.stacks.map(({ id, directory }) => ({ stack: `environments/${id}`, directory })),
    },
    checker: (options) => createChecker({ toolchain, env: world.env }, options),
  };
}

function checkOptions({ folder }: DemoWorld): CheckOptions {
  return {
    format: 'human',
    failOn: 'low',
    // In the second check the baselines of the first tell unapplied configuration from accepted drift.
    state: join(folder, 'baselines'),
    engine: { name: 'auto' },
    concurrency: 2,
    timeout: parseDuration('10m'),
    varFile: [],
    var: [],
    backendConfig: [],
    env: [],
  };
}
