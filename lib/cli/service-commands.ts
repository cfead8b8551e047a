import { Command, Option } from '@commander-js/extra-typings';
import { runDescribe } from './describe.ts';
import { runEvents } from './events.ts';
import { FORMATS, parseCount, SEVERITIES } from './options.ts';
import { runResume } from './resume.ts';
import { runRunLog } from './run-log.ts';
import { runRunShow } from './run-show.ts';
import { runRuns } from './runs.ts';
import type { Services } from './services.ts';
import { runStatus } from './status.ts';
import { runSuspend } from './suspend.ts';

type Finish = (exitCode: number) => void;

export const WHICH_SERVICE = `
Which Holdfast:
  A local mode that runs in this directory (.holdfast/local), else the deployment that --profile, --region and
  --deployment lead to. Naming one of the three leaves the local mode out.`;

export function localOption() {
  return new Option('--local [dir]', 'a local mode on this machine, by its state folder');
}

export function profileOption() {
  return new Option('--profile <name>', 'profile of the AWS configuration files');
}

export function regionOption() {
  return new Option('--region <name>', 'AWS region of the deployment');
}

export function deploymentOption() {
  return new Option('--deployment <name>', 'name of the deployment (default: holdfast)');
}

function serviceCommand(name: string, description: string) {
  return new Command(name)
    .description(description)
    .addOption(localOption())
    .addOption(profileOption())
    .addOption(regionOption())
    .addOption(deploymentOption())
    .addHelpText('after', WHICH_SERVICE);
}

/** The commands that look at, or act on, a Holdfast that runs. */
export function serviceCommands(services: Services, finish: Finish) {
  return [
    serviceCommand('status', 'Shows how all stacks are, or those whose ids match (* stands for any text).')
      .argument('[STACK...]')
      .option('--json', 'for programs')
      .option('--watch', 'show it again and again')
      .action(async (patterns, options) => finish(await runStatus(services, patterns, options))),
    serviceCommand('describe', 'Shows everything about one stack: state, findings, specification.')
      .argument('<STACK>')
      .option('--catalogue <path>', 'catalogue file or folder, to show where each setting comes from')
      .option('--json', 'for programs')
      .action(async (stackId, options) => finish(await runDescribe(services, stackId, options))),
    serviceCommand('runs', 'Lists the last runs of a stack.')
      .argument('<STACK>')
      .option('--limit <n>', 'how many', parseCount, 20)
      .option('--json', 'for programs')
      .action(async (stackId, options) => finish(await runRuns(services, stackId, options))),
    runCommand(services, finish),
    serviceCommand('suspend', 'Takes a stack out of the schedule until it is resumed.')
      .argument('<STACK>')
      .requiredOption('--reason <text>', 'why, for everybody who looks at it')
      .action(async (stackId, options) => finish(await runSuspend(services, stackId, options))),
    serviceCommand('resume', 'Puts a stack back into its schedule.')
      .argument('<STACK>')
      .action(async (stackId, options) => finish(await runResume(services, stackId, options))),
    serviceCommand(
      'events',
      'Prints events as they are published. They are not kept, so there is nothing else to print.',
    )
      .requiredOption('--follow', 'until Ctrl-C')
      .option('--json', 'one JSON document a line, as consumers get it')
      .action(async (options) => finish(await runEvents(services, options))),
  ] as const;
}

function runCommand(services: Services, finish: Finish) {
  return new Command('run')
    .description('Looks at one run.')
    .addCommand(
      serviceCommand('show', 'Reports what a run found, as check does.')
        .argument('<RUN>')
        .addOption(new Option('--format <format>', 'how to report').choices(FORMATS).default('human' as const))
        .addOption(
          new Option('--fail-on <severity>', 'exit with 2 from this severity on')
            .choices(SEVERITIES)
            .default('low' as const),
        )
        .option('--verbose', 'name what is otherwise only counted')
        .action(async (runId, options) => finish(await runRunShow(services, runId, options))),
    )
    .addCommand(
      serviceCommand('log', 'Prints what the runner noted while it worked.')
        .argument('<RUN>')
        .action(async (runId, options) => finish(await runRunLog(services, runId, options))),
    );
}
