import { Command, Option } from '@commander-js/extra-typings';
import { validateCatalogue } from '../app/validate-catalogue.ts';
import { isError } from '../domain/catalogue-problem.ts';
import { HoldfastError } from '../domain/errors.ts';
import { formatCatalogue } from './format-catalogue.ts';
import { collect } from './options.ts';
import type { Services } from './services.ts';

const CATALOGUE_FORMATS = ['human', 'json'] as const;

export interface ValidateOptions {
  readonly format: (typeof CATALOGUE_FORMATS)[number];
  /** `URL=DIR` each. */
  readonly checkout: readonly string[];
  readonly strict?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

/** `holdfast validate`: reports everything that is wrong with a catalogue. Resolves with the exit code. */
export async function runValidate(
  services: Services,
  paths: readonly string[],
  options: ValidateOptions,
): Promise<number> {
  const { output, clock } = services;
  const { source, repository } = await services.openCatalogue(
    paths.length === 0 ? ['.'] : paths,
    options.checkout.map(parseCheckout),
  );
  const catalogue = await validateCatalogue({ source, clock }, { repository });
  const fails = options.strict === true ? catalogue.problems.length > 0 : catalogue.problems.some(isError);
  const { color } = output;
  const report =
    options.format === 'json'
      ? toJson(catalogue, !fails)
      : formatCatalogue(catalogue, { color, verbose: options.verbose ?? false });
  output.print(report);
  return fails ? 1 : 0;
}

function toJson({ files, stacks, problems }: Awaited<ReturnType<typeof validateCatalogue>>, valid: boolean): string {
  const found = stacks.map(({ spec, contexts }) => ({
    id: spec.id,
    source: spec.source,
    labels: spec.labels,
    contexts,
  }));
  return `${JSON.stringify({ valid, files, stacks: found, problems }, null, 2)}\n`;
}

/** URLs may hold `=` as well, directories hardly ever do. */
function parseCheckout(text: string): { readonly url: string; readonly directory: string } {
  const at = text.lastIndexOf('=');
  if (at > 0 && at < text.length - 1) return { url: text.slice(0, at), directory: text.slice(at + 1) };
  throw new HoldfastError('ArgumentInvalid', `"${text}" is no checkout, expected URL=DIR`, {
    hint: 'such as https://github.com/acme/infrastructure=../infrastructure',
  });
}

export function validateCommand(services: Services, finish: (exitCode: number) => void) {
  return new Command('validate')
    .description('Says what is wrong with a catalogue: its form, its references, and what is hardly meant.')
    .argument('[PATH...]', 'catalogue files, or folders of them (default: this directory)')
    .addOption(new Option('--format <format>', 'how to report').choices(CATALOGUE_FORMATS).default('human' as const))
    .addOption(
      new Option('--checkout <url=dir>', 'a copy of another repository that discover looks into (repeatable)')
        .argParser(collect)
        .default([] as string[], 'none'),
    )
    .option('--strict', 'exit with 1 for warnings as well')
    .option('--verbose', 'name the stacks')
    .addHelpText('after', HELP)
    .action(async (paths, options) => finish(await runValidate(services, paths, options)));
}

const HELP = `
In a folder, catalogue.yaml and all YAML files below catalogue/ count; where there are none, all YAML files below it.

Exit codes:
  0  nothing is wrong, or there are only warnings
  1  the catalogue has an error: the service would take nothing over from it

Examples:
  holdfast validate                              the catalogue in this directory
  holdfast validate catalogue.yaml --verbose     and what it comes to
  holdfast validate ops --checkout https://github.com/acme/infrastructure=../infrastructure`;
