import { Command, Option } from '@commander-js/extra-typings';
import { LOCAL_FOLDER } from '../contract/local-mode.ts';
import { parseDuration } from './options.ts';
import type { Services } from './services.ts';

const DEFAULT_EVERY = '5s';

/** `holdfast local`: the whole service on this machine. */
export function localCommand(services: Services, finish: (exitCode: number) => void) {
  return new Command('local')
    .description('Runs the whole service on this machine: the same handlers against embedded emulators of AWS.')
    .option('--catalogue <path>', 'your own stacks: a catalogue file or folder (default: a demo with example stacks)')
    .option('--state <dir>', 'keeps everything for the next time', LOCAL_FOLDER)
    .option('--fresh', 'begin anew: empties the state folder first', false)
    .option(
      '--every <duration>',
      `how often due stacks are looked for; on AWS every minute (default: ${DEFAULT_EVERY})`,
      parseDuration,
    )
    .addOption(
      new Option('--once', 'end when the story of the demo is over').default(false, 'no').conflicts('catalogue'),
    )
    .addHelpText('after', MORE)
    .action(async ({ every = parseDuration(DEFAULT_EVERY), catalogue, ...options }) =>
      finish(await services.local({ ...options, catalogue, everyMs: every })),
    );
}

const MORE = `
It runs until Ctrl-C. From another terminal, in the same directory:
  holdfast status --watch
  holdfast events --follow
  holdfast check --stack STACK

In your own catalogue, a URL such as file:///home/me/infrastructure means that folder as it is, and stacks without a URL
are looked for in the folder of the catalogue. Stacks without a plan role are checked with your own credentials.`;
