import { applyRules, type Judged } from './apply-rules.ts';
import { classify } from './classify.ts';
import { count } from './counts.ts';
import { crossCheck } from './cross-check.ts';
import type { Reading } from './draft.ts';
import type { HoldfastError } from './errors.ts';
import {
  type BaselineComparison,
  type CheckResult,
  type Engine,
  type Failure,
  type InputDigests,
  type PlanMode,
  SEVERITIES,
  STANDINGS,
  type Warning,
} from './finding.ts';
import { canonicalFindings } from './fingerprint.ts';
import type { IgnoreChangesIndex } from './ignore-changes.ts';
import type { PlanDocument } from './plan-document.ts';
import { createRedaction, type Redaction } from './redact.ts';
import { isExpired, matchesPattern, type Rules } from './rules.ts';
import { createScrub } from './scrub.ts';
import { collectSecrets } from './secrets.ts';
import type { ChangeSummary } from './ui-stream.ts';
import { verdictOf } from './verdict.ts';
import { warnAbout, warnAboutCounts } from './warnings.ts';

/** What is known of a run, whether it came to an end or not. */
export interface RunFacts {
  readonly stack: string;
  readonly mode: PlanMode;
  readonly exitCode: number | null;
  readonly engine: Engine;
  readonly digests: InputDigests | null;
  readonly baseline: BaselineComparison;
}

export interface JudgeInput extends RunFacts {
  /** Absent where the event stream of the plan says that there is nothing to show. */
  readonly document: PlanDocument | undefined;
  /** Terraform's own counts, from the event stream. */
  readonly summary: ChangeSummary | undefined;
  /** Absent where the source files were not there to read. */
  readonly ignoreChanges: IgnoreChangesIndex | undefined;
  readonly rules: Rules;
  /** Values that must not be shown wherever they turn up, besides those the document marks as sensitive. */
  readonly knownSecrets: readonly string[];
  /** ISO date: what decides whether an ignore rule has expired. */
  readonly today: string;
  /** What the caller has to add: what could not be known, and why. */
  readonly warnings: readonly Warning[];
  /** SHA-256 in hex. */
  readonly sha256: (text: string) => string;
}

/** Concludes a run whose plan came to an end: classes, rules, redaction, verdict. Timing is the caller's to add. */
export function judge(input: JudgeInput): CheckResult {
  const { document, rules, today } = input;
  const agreement = crossCheck(input.exitCode, document, input.mode);
  if (agreement.failure !== null) return failedResult(input, agreement.failure);
  const redaction = createRedaction(createScrub(secretsOf(input)), rules.allowValues);
  const { drafts, noise } = read(input);
  const { kept, suppressed } = applyRules(input.stack, drafts, rules, today);
  const found = {
    findings: sortWorstFirst(kept).map(redaction.finding),
    suppressed: suppressed.map(redaction.suppressed),
    noise: noise.map(redaction.noise),
  };
  const counts = count(document, found);
  return {
    ...factsOf(input),
    verdict: verdictOf(found.findings),
    complete: isComplete(document),
    failure: null,
    fingerprint: input.sha256(canonicalFindings(found.findings)),
    counts,
    ...found,
    warnings: redactWarnings(redaction, [
      ...input.warnings,
      ...agreement.warnings,
      ...warnAbout(document, found.findings, input.baseline),
      ...warnAboutCounts(input.summary, counts),
      ...expiredRules(input),
    ]),
  };
}

function secretsOf({ document, knownSecrets }: JudgeInput): string[] {
  return [...knownSecrets, ...(document === undefined ? [] : collectSecrets(document.raw))];
}

function read({ document, digests, ...input }: JudgeInput): Reading {
  if (document === undefined) return { drafts: [], noise: [] };
  return classify({ ...input, document, basis: digests?.basis });
}

/** Concludes a run that broke a promise on its way. Its message loses `secrets`, since it may quote them. */
export function concludeFailure(facts: RunFacts, error: HoldfastError, secrets: Iterable<string>): CheckResult {
  const { text } = createRedaction(createScrub([...secrets, ...error.secrets]), []);
  const { code, message, location, hint } = error;
  const failure = {
    code,
    message: text(message),
    ...(location === undefined ? {} : { location }),
    ...(hint === undefined ? {} : { hint: text(hint) }),
  };
  return failedResult(facts, failure, code === 'StackBusy' ? 'busy' : 'failed');
}

/** The result of a run without a verdict about the stack: never clean, and it resolves nothing. */
function failedResult(facts: RunFacts, failure: Failure, verdict: 'failed' | 'busy' = 'failed'): CheckResult {
  const found = { findings: [], suppressed: [], noise: [] };
  return {
    ...factsOf(facts),
    verdict,
    complete: false,
    failure,
    fingerprint: '',
    counts: count(undefined, found),
    ...found,
    warnings: [],
  };
}

function factsOf({ stack, mode, exitCode, engine, digests, baseline }: RunFacts) {
  return {
    schemaVersion: 1,
    stack,
    mode,
    exitCode,
    engine,
    digests,
    baseline,
    startedAt: null,
    durationMs: null,
  } as const;
}

/** An absent flag is not false: OpenTofu and older Terraform do not have it. */
function isComplete(document: PlanDocument | undefined): boolean {
  return document === undefined || (document.complete !== false && document.deferred.length === 0);
}

function sortWorstFirst(drafts: readonly Judged[]): Judged[] {
  const rank = ({ severity, standing, address, deposed = '', class: findingClass }: Judged) =>
    [SEVERITIES.indexOf(severity), STANDINGS.indexOf(standing), address, deposed, findingClass] as const;
  return drafts.toSorted((left, right) => compareRanks(rank(left), rank(right)));
}

type Rank = readonly (number | string)[];

function compareRanks(left: Rank, right: Rank): number {
  const at = left.findIndex((part, index) => part !== right[index]);
  if (at === -1) return 0;
  return (left[at] as number | string) < (right[at] as number | string) ? -1 : 1;
}

function redactWarnings({ text }: Redaction, warnings: readonly Warning[]): Warning[] {
  return warnings.map(({ code, message }) => ({ code, message: text(message) }));
}

function expiredRules({ rules, stack, today }: JudgeInput): Warning[] {
  return rules.ignore
    .filter((rule) => isExpired(rule, today) && matchesPattern(rule.stack, stack))
    .map(({ address, path, owner, expires }) => ({
      code: 'ignore-rule-expired',
      message: `the ignore rule for ${address} ${path} of ${owner} expired on ${expires} and hides nothing any more`,
    }));
}
