import { assertNever } from '../domain/errors.ts';
import type { CheckResult } from '../domain/finding.ts';
import { exitCodeOf } from './exit-code.ts';
import { formatHuman } from './format-human.ts';
import { formatJson } from './format-json.ts';
import { formatMarkdown } from './format-markdown.ts';
import { formatSarif, type SarifOptions } from './format-sarif.ts';
import type { ReportOptions } from './options.ts';
import type { Services } from './services.ts';

/** Prints results in the wanted format and gives the exit code they come to. */
export async function report(
  services: Pick<Services, 'output' | 'version'>,
  results: readonly CheckResult[],
  options: ReportOptions & Pick<SarifOptions, 'directoryOf'>,
): Promise<number> {
  services.output.print(await format(services, results, options));
  return exitCodeOf(results, options);
}

async function format(
  { output, version }: Pick<Services, 'output' | 'version'>,
  results: readonly CheckResult[],
  options: ReportOptions & Pick<SarifOptions, 'directoryOf'>,
): Promise<string> {
  switch (options.format) {
    case 'human':
      return formatHuman(results, { color: output.color, width: output.width, verbose: options.verbose ?? false });
    case 'json':
      return formatJson(results, { single: results.length === 1 });
    case 'markdown':
      return formatMarkdown(results);
    case 'junit':
      // The XML library takes longer to load than all the rest: only who asks for XML waits for it.
      return (await import('./format-junit.ts')).formatJunit(results);
    case 'sarif':
      return formatSarif(results, { version, ...(options.directoryOf && { directoryOf: options.directoryOf }) });
    default:
      return assertNever(options.format);
  }
}
