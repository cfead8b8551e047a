import type { CheckResult } from '../domain/finding.ts';

export interface JsonOptions {
  /** True where the command is about one stack, so that its result is written by itself rather than in a list. */
  readonly single: boolean;
}

/** Results as they are stored (`docs/result.schema.json`), indented; a list of them unless there is `single` one. */
export function formatJson(results: readonly CheckResult[], { single }: JsonOptions): string {
  const document = single && results.length === 1 ? results[0] : results;
  return `${JSON.stringify(document, null, 2)}\n`;
}
