import { basename } from 'node:path';
import { explainPlan } from '../app/explain-plan.ts';
import { HoldfastError } from '../domain/errors.ts';
import { type ReportOptions, rulesFor } from './options.ts';
import { report } from './report.ts';
import type { Services } from './services.ts';

export interface ExplainOptions extends ReportOptions {
  readonly stack?: string | undefined;
  readonly ui?: string | undefined;
  readonly exitCode?: number | undefined;
  readonly baseline?: string | undefined;
}

/** `holdfast explain`: reads a plan document that another pipeline made. Resolves with the exit code. */
export async function runExplain(services: Services, file: string, options: ExplainOptions): Promise<number> {
  if (file === '-' && options.ui === '-') {
    throw new HoldfastError('ArgumentInvalid', 'the plan and the event stream cannot both come from standard input');
  }
  const rules = await rulesFor(services, options);
  const result = explainPlan(services, {
    stack: options.stack ?? (file === '-' ? 'stdin' : basename(file)),
    document: await services.readText(file),
    ui: options.ui === undefined ? undefined : await services.readText(options.ui),
    exitCode: options.exitCode ?? null,
    baseline: options.baseline === undefined ? undefined : await services.readBaseline(options.baseline),
    rules,
  });
  return report(services, [result], options);
}
