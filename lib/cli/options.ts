import { HoldfastError } from '../domain/errors.ts';
import { SEVERITIES, type Severity } from '../domain/finding.ts';
import { NO_RULES, type Rules } from '../domain/rules.ts';
import type { EngineRequest } from '../ports/toolchain.ts';
import type { Services } from './services.ts';

export const FORMATS = ['human', 'json', 'markdown', 'junit', 'sarif'] as const;
export type Format = (typeof FORMATS)[number];
export { SEVERITIES };

/** Options that every reporting command has. */
export interface ReportOptions {
  readonly format: Format;
  readonly failOn: Severity;
  readonly ignore?: string | undefined;
  readonly showValues?: boolean | undefined;
  readonly verbose?: boolean | undefined;
}

/** The rules to report by. Values of every path may show only where a person sits in front of a terminal. */
export async function rulesFor(
  { readRules, output }: Pick<Services, 'readRules' | 'output'>,
  options: ReportOptions,
): Promise<Rules> {
  const rules = options.ignore === undefined ? NO_RULES : await readRules(options.ignore);
  if (options.showValues !== true) return rules;
  if (options.format === 'human' && output.width !== Number.POSITIVE_INFINITY) {
    return { ...rules, allowValues: [{ address: '*', path: '*' }] };
  }
  throw new HoldfastError('ArgumentInvalid', '--show-values works on a terminal in the human format only', {
    hint: 'for files and pipes name the places that may be shown in the rules file, under allowValues',
  });
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Reads `90s`, `30m` or `2h` as milliseconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+)([smh])$/.exec(text);
  const ms = match === null ? 0 : Number(match[1]) * (UNITS_MS[match[2] as string] as number);
  // Timers hold 31 bits: longer ones fire at once.
  if (ms > 0 && ms < 2 ** 31) return ms;
  throw new HoldfastError('ArgumentInvalid', `"${text}" is no duration, expected such as 90s, 30m or 2h`);
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count > 0) return count;
  throw new HoldfastError('ArgumentInvalid', `"${text}" is no count, expected a whole number from 1`);
}

export function parseExitCode(text: string): number {
  const code = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(code)) return code;
  throw new HoldfastError('ArgumentInvalid', `"${text}" is no exit code, expected a whole number such as 0 or 2`);
}

/** Reads `terraform`, `tofu`, `auto`, or an engine with a version constraint: `terraform@~> 1.11`. */
export function parseEngine(text: string): EngineRequest {
  const [name = '', ...rest] = text.split('@');
  const constraint = rest.join('@');
  if (name === 'auto' && constraint === '') return { name };
  if (name === 'terraform' || name === 'tofu') return constraint === '' ? { name } : { name, constraint };
  throw new HoldfastError('ArgumentInvalid', `"${text}" is no engine, expected terraform, tofu or auto`, {
    hint: 'a version goes behind an @: terraform@1.11.4, "tofu@~> 1.10"',
  });
}

export const collect = (value: string, previous: string[]): string[] => [...previous, value];
