import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { HoldfastError } from '../domain/errors.ts';
import { runCheck } from './check.ts';
import { runExplain } from './explain.ts';
import { localCommand } from './local.ts';
import { collect, FORMATS, parseCount, parseDuration, parseEngine, parseExitCode, SEVERITIES } from './options.ts';
import type { ServiceChoice } from './service.ts';
import {
  deploymentOption,
  localOption,
  profileOption,
  regionOption,
  serviceCommands,
  WHICH_SERVICE,
} from './service-commands.ts';
import type { Services } from './services.ts';
import { spokeRolesCommand } from './spoke-roles.ts';
import { runTrigger } from './trigger.ts';
import { validateCommand } from './validate.ts';

const DEFAULT_TIMEOUT = '30m';

/**
 * The whole command line. `finish` gets the exit code of the command that ran. Throws `CommanderError` for help and for
 * arguments that can't be read, after printing: how the process ends is the caller's to decide.
 */
export function createProgram(services: Services, finish: (exitCode: number) => void) {
  const { output } = services;
  const program = new Command('holdfast')
    .description('Finds Terraform drift and says what changed, why, and how bad it is.')
    .version(services.version)
    .exitOverride()
    .configureOutput({ writeOut: output.print, writeErr: (text) => output.say(text.trimEnd()) });
  const commands = [
    checkCommand(services, finish),
    explainCommand(services, finish),
    localCommand(services, finish),
    ...serviceCommands(services, finish),
    validateCommand(services, finish),
    spokeRolesCommand(services, finish),
    demoCommand(services, finish),
  ];
  for (const command of commands) addCommand(program, command);
  return program;
}

/** Settings are inherited when a command is added, so those of its own commands are inherited anew. */
function addCommand(program: CommandUnknownOpts, command: CommandUnknownOpts): void {
  program.addCommand(command.copyInheritedSettings(program));
  for (const own of command.commands) own.copyInheritedSettings(program);
}

const EXIT_CODES = `
Exit codes:
  0  in sync (also: only changes that are merged and not applied yet)
  2  drift or a failing check, at or above --fail-on
  1  something failed: at least one stack has no verdict`;

function checkCommand(services: Services, finish: (exitCode: number) => void) {
  return new Command('check')
    .description('Plans root modules with the real Terraform or OpenTofu, read-only, and reports drift.')
    .argument('[DIR...]', 'root modules or globs of them (default: this directory)')
    .addOption(formatOption())
    .addOption(failOnOption())
    .option('--ignore <file>', 'rules: what to ignore, severities, values that may be shown (YAML)')
    .option('--state <dir>', 'keep baselines here, so that accepted drift can be told from unapplied configuration')
    .option('--concurrency <n>', 'checks side by side', parseCount, services.defaultConcurrency)
    .option('--workspace <name>', 'workspace (default: the one selected in the directory)')
    .addOption(repeatable('--var-file <file>', 'variables file, relative to each DIR'))
    .addOption(repeatable('--var <name=value>', 'variable'))
    .addOption(repeatable('--backend-config <setting>', 'for init: key=value or a file'))
    .addOption(repeatable('--env <name>', 'environment variable that a provider needs, beside AWS_* and TF_VAR_*'))
    .addOption(engineOption())
    .option('--refresh-only', 'compare state and reality only, without the configuration')
    .addOption(timeoutOption())
    .option('--show-values', 'show values that are not sensitive (terminal only)')
    .option('--verbose', 'name what is otherwise only counted')
    .option('--quiet', 'no progress')
    .addOption(
      new Option('--stack <id>', 'have the service check this stack now, and wait for it').conflicts(HERE_ONLY),
    )
    .addOption(localOption())
    .addOption(profileOption())
    .addOption(regionOption())
    .addOption(deploymentOption())
    .addHelpText('after', EXIT_CODES)
    .addHelpText(
      'after',
      `
Examples:
  holdfast check                                       this directory
  holdfast check 'environments/*/*' --concurrency 4    many root modules
  holdfast check prod/network --state .holdfast --fail-on high
  holdfast check 'live/**' --format junit > drift.xml  for a CI that reads JUnit
  holdfast check --stack prod/network                  a stack of the service`,
    )
    .addHelpText('after', WHICH_SERVICE)
    .action(async (patterns, options) => {
      const { stack } = options;
      if (stack === undefined) requireNoService(options);
      else requireNoPatterns(patterns);
      finish(
        await (stack === undefined ? runCheck(services, patterns, options) : runTrigger(services, stack, options)),
      );
    });
}

function requireNoPatterns(patterns: readonly string[]): void {
  if (patterns.length === 0) return;
  throw new HoldfastError('ArgumentInvalid', '--stack names a stack of the service, so no DIR goes with it');
}

function requireNoService(choice: ServiceChoice): void {
  const { local, profile, region, deployment } = choice;
  if ([local, profile, region, deployment].every((option) => option === undefined)) return;
  throw new HoldfastError('ArgumentInvalid', '--local, --profile, --region and --deployment go with --stack', {
    hint: 'for the provider of a stack in a DIR, set AWS_PROFILE and AWS_REGION',
  });
}

/** Of a stack of the service, these are in the catalogue. */
const HERE_ONLY = [
  'ignore',
  'state',
  'concurrency',
  'workspace',
  'varFile',
  'var',
  'backendConfig',
  'env',
  'engine',
  'refreshOnly',
  'showValues',
];

function explainCommand(services: Services, finish: (exitCode: number) => void) {
  return new Command('explain')
    .description('Reads a plan document that another pipeline made with "terraform show -json" and reports.')
    .argument('<plan>', 'the document, or - for standard input')
    .addOption(formatOption())
    .addOption(failOnOption())
    .option('--ignore <file>', 'rules: what to ignore, severities, values that may be shown (YAML)')
    .option('--ui <file>', 'what "plan -json" printed, to check the document against')
    .option('--exit-code <n>', 'what "plan -detailed-exitcode" returned', parseExitCode)
    .option('--baseline <file>', 'a result of explain (--format json) from when nothing was pending')
    .option('--stack <name>', 'what to call the stack (default: the name of the file)')
    .option('--show-values', 'show values that are not sensitive (terminal only)')
    .option('--verbose', 'name what is otherwise only counted')
    .addHelpText('after', EXIT_CODES)
    .addHelpText(
      'after',
      `
Examples:
  terraform show -json plan.tfplan | holdfast explain -
  holdfast explain plan.json --ui plan.jsonl --exit-code 2 --stack prod/network
  holdfast explain plan.json --format json > result.json`,
    )
    .action(async (plan, options) => finish(await runExplain(services, plan, options)));
}

function demoCommand(services: Services, finish: (exitCode: number) => void) {
  return new Command('demo')
    .description('Applies example stacks to an embedded emulator, changes things behind their back, and checks them.')
    .action(async () => finish(await services.demo()));
}

function formatOption() {
  return new Option('--format <format>', 'how to report').choices(FORMATS).default('human' as const);
}

function repeatable<Flags extends string>(flags: Flags, description: string) {
  const none: string[] = [];
  return new Option(flags, `${description} (repeatable)`).argParser(collect).default(none, 'none');
}

function engineOption() {
  return new Option('--engine <name[@version]>', 'terraform, tofu or auto, with a version constraint if wanted')
    .argParser(parseEngine)
    .default(parseEngine('auto'), 'auto');
}

function timeoutOption() {
  return new Option('--timeout <duration>', 'for each stack: 90s, 30m, 2h')
    .argParser(parseDuration)
    .default(parseDuration(DEFAULT_TIMEOUT), DEFAULT_TIMEOUT);
}

function failOnOption() {
  return new Option('--fail-on <severity>', 'exit with 2 from this severity on')
    .choices(SEVERITIES)
    .default('low' as const);
}
