import { runPrefix, SPEC_OBJECT } from '../contract/keys.ts';
import { HoldfastError, type HoldfastErrorCode } from '../domain/errors.ts';
import { parseJson } from '../domain/json.ts';
import type { RunSpec } from '../domain/run.ts';
import type { RunReport } from '../ports/artifact-store.ts';
import { RunReportSchema, RunSpecSchema } from './run-schema.ts';

/** Throws `ResultUnreadable` for a report that is cut off, of another shape, or of another run or stack. */
export function parseReport(text: string, stackId: string, runId: string): RunReport {
  const refuse = (why: string, cause?: unknown) =>
    unusable('ResultUnreadable', `result of run ${runId} of ${stackId} ${why}`, cause);
  const report = attempt(
    () => RunReportSchema.parse(parseJson(text)),
    (cause) => refuse("can't be read", cause),
  );
  if (report.runId !== runId) throw refuse(`belongs to run ${report.runId}`);
  if (report.stackId !== stackId) throw refuse(`belongs to stack ${report.stackId}`);
  if (report.result.stack !== stackId) throw refuse(`is about stack ${report.result.stack}`);
  return report;
}

/** Throws `RunNotFound` where there is no text, `ItemUnreadable` for one of another shape or run. */
export function parseSpec(text: string | undefined, stackId: string, runId: string): RunSpec {
  const name = `${runPrefix(stackId, runId)}${SPEC_OBJECT}`;
  if (text === undefined) throw unusable('RunNotFound', `there is no ${name}`);
  const spec = attempt(
    () => RunSpecSchema.parse(parseJson(text)),
    (cause) => unusable('ItemUnreadable', `${name} can't be read`, cause),
  );
  if (spec.runId === runId && spec.stack.id === stackId) return spec;
  throw unusable('ItemUnreadable', `${name} belongs to run ${spec.runId} of ${spec.stack.id}`);
}

function attempt<T>(parse: () => T, refuse: (cause: unknown) => HoldfastError): T {
  try {
    return parse();
  } catch (cause) {
    throw refuse(cause);
  }
}

function unusable(code: HoldfastErrorCode, message: string, cause?: unknown): HoldfastError {
  return new HoldfastError(code, message, { cause });
}
