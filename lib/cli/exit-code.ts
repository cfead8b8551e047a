import { alerts } from '../domain/describe.ts';
import { type CheckResult, SEVERITIES, type Severity } from '../domain/finding.ts';

export interface ExitCodeOptions {
  /** Drift and failing checks from this severity on give exit code 2. @default 'low' */
  readonly failOn?: Severity;
}

/**
 * The exit code of a command that checked stacks, with the meaning cron scripts know from `plan -detailed-exitcode`:
 *
 * - 1: at least one stack has no verdict (failed, or busy), whatever the others have; silence about it would pass for clean
 * - 2: drift or a failing check at or above `failOn`
 * - 0: neither. Changes that are merged and wait for a deployment are 0: they are the pipeline's business, and a script
 *   that pages on 2 must not page for them
 */
export function exitCodeOf(results: readonly CheckResult[], { failOn = 'low' }: ExitCodeOptions = {}): 0 | 1 | 2 {
  if (results.some(({ verdict }) => verdict === 'failed' || verdict === 'busy')) return 1;
  const least = SEVERITIES.indexOf(failOn);
  return results
    .flatMap(({ findings }) => findings)
    .some((finding) => alerts(finding) && SEVERITIES.indexOf(finding.severity) <= least)
    ? 2
    : 0;
}
