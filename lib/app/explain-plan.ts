import { type Baseline, compareBaseline, isComparable } from '../domain/baseline.ts';
import { digestDocument } from '../domain/document-digest.ts';
import { engineFailure } from '../domain/engine-failure.ts';
import type { CheckResult, InputDigests, Warning } from '../domain/finding.ts';
import { concludeFailure, judge, type RunFacts } from '../domain/judge.ts';
import { type PlanDocument, readPlanDocument } from '../domain/plan-document.ts';
import type { Rules } from '../domain/rules.ts';
import { collectSecrets } from '../domain/secrets.ts';
import { readUiStream, type UiStream } from '../domain/ui-stream.ts';
import type { Clock } from '../ports/clock.ts';
import type { Sha256 } from '../ports/digest.ts';

export interface ExplainPlanDeps {
  readonly clock: Clock;
  readonly sha256: Sha256;
}

export interface ExplainPlanInput {
  /** What to call the stack in the result. */
  readonly stack: string;
  /** `show -json` of the plan. */
  readonly document: string;
  /** The stream that `plan -json` printed, where it was kept. */
  readonly ui: string | undefined;
  /** Of `plan -detailed-exitcode`; `null` where it was not kept. */
  readonly exitCode: number | null;
  readonly baseline: Baseline | undefined;
  readonly rules: Rules;
}

/**
 * Concludes a plan that another pipeline made, and says what cannot be known without what the pipeline did not keep.
 * Throws `PlanUnreadable` where the document is none.
 */
export function explainPlan({ clock, sha256 }: ExplainPlanDeps, input: ExplainPlanInput): CheckResult {
  const document = readPlanDocument(input.document);
  const stream = input.ui === undefined ? undefined : readUiStream(input.ui);
  const digests = digestDocument(document, sha256);
  const facts: RunFacts = {
    stack: input.stack,
    mode: isRefreshOnly(document) ? 'refresh-only' : 'plan',
    exitCode: input.exitCode,
    engine: engineOf(document, stream),
    digests,
    baseline: compareBaseline(input.baseline, digests),
  };
  // The exit code may be lost, but a stream with errors is that of a failed plan.
  if (stream !== undefined && stream.errors.total > 0) {
    const command = `${stream.engine?.name ?? 'terraform'} plan`;
    const error = engineFailure('PlanFailed', { command, stderr: '', errors: stream.errors });
    return concludeFailure(facts, error, collectSecrets(document.raw));
  }
  return judge({
    ...facts,
    document,
    summary: stream?.summary,
    ignoreChanges: undefined,
    rules: input.rules,
    knownSecrets: [],
    today: clock.now().toISOString().slice(0, 10),
    warnings: whatIsMissing(input, stream, digests),
    sha256,
  });
}

/** A refresh-only plan has no `resource_changes` at all; a document says so nowhere else. */
function isRefreshOnly(document: PlanDocument): boolean {
  return !document.plansChanges && document.drift.length > 0;
}

function engineOf({ terraformVersion, formatVersion }: PlanDocument, stream: UiStream | undefined) {
  const version = stream?.engine?.version ?? terraformVersion;
  return { name: stream?.engine?.name ?? null, version, formatVersion };
}

function whatIsMissing(
  { exitCode, baseline }: ExplainPlanInput,
  stream: UiStream | undefined,
  digests: InputDigests,
): Warning[] {
  const missing: Warning[] = [];
  if (exitCode === null) missing.push({ code: 'exit-code-unknown', message: EXIT_CODE_UNKNOWN });
  // The summary comes last: without it the stream was cut short, or is none.
  if (stream?.summary === undefined) missing.push({ code: 'ui-stream-missing', message: UI_STREAM_MISSING });
  if (baseline !== undefined && !isComparable(baseline, digests)) {
    missing.push({ code: 'baseline-not-comparable', message: BASELINE_NOT_COMPARABLE });
  }
  missing.push({ code: 'source-missing', message: SOURCE_MISSING });
  return missing;
}

const EXIT_CODE_UNKNOWN =
  'no exit code to check the document against: a wrapper that swallowed an error would go unnoticed (--exit-code)';
const UI_STREAM_MISSING =
  "no whole event stream: errors that Terraform printed and its own counts can't be checked against the document (--ui)";
const BASELINE_NOT_COMPARABLE =
  'the baseline was taken from source files and this plan has none: it is not used; keep a result of explain as baseline';
const SOURCE_MISSING =
  'a plan document has neither locals nor lifecycle blocks: whether an attribute is ignored on purpose is inferred';
