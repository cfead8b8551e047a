import { Command, Option } from '@commander-js/extra-typings';
import { runCheck } from './check.ts';
import { runExplain } from './explain.ts';
import { collect, FORMATS, parseCount, parseDuration, parseEngine, parseExitCode, SEVERITIES } from './options.ts';
import type { Services } from './services.ts';

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
  const commands = [checkCommand(services, finish), explainCommand(services, finish), demoCommand(services, finish)];
  for (const command of commands) program.addCommand(command.copyInheritedSettings(program));
  return program;
}

const EXIT_CODES = `
Exit codes:
  0  in sync (also: only changes that are merged and not applied yet)
  2  drift or a failing check, at or above --fail-on
  1  something failed: at least one stack has no verdict
`;

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
    .option(
      '--env <name>',
      'environment variable that a provider needs, beside AWS_* and TF_VAR_* (repeatable)',
      collect,
      [],
    )
    .addOption(engineOption())
    .option('--refresh-only', 'compare state and reality only, without the configuration')
    .addOption(timeoutOption())
    .option('--show-values', 'show values that are not sensitive (terminal only)')
    .option('--verbose', 'name what is otherwise only counted')
    .option('--quiet', 'no progress')
    .addHelpText('after', EXIT_CODES)
    .addHelpText(
      'after',
      `
Examples:
  holdfast check                                       this directory
  holdfast check 'environments/*/*' --concurrency 4    many root modules
  holdfast check prod/network --state .holdfast --fail-on high
  holdfast check 'live/**' --format junit > drift.xml  for a CI that reads JUnit
`,
    )
    .action(async (patterns, options) => finish(await runCheck(services, patterns, options)));
}

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
  holdfast explain plan.json --format json > result.json
`,
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
