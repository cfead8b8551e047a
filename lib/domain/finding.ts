import type { SourceLocation } from './errors.ts';

/** Worst first. `info` is shown and counted but never alerts. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What a finding is (DESIGN §4). `noise` is not here: it is listed apart, because it is never a finding. */
export const FINDING_CLASSES = [
  'deleted-outside',
  'changed-outside',
  'changed-outside-unmanaged',
  'absorbed',
  'check-failing',
  'forgotten',
  'action',
  'pending-config',
  'data-driven',
  'outputs-only',
  'moved',
  'imported',
  'read',
] as const;
export type FindingClass = (typeof FINDING_CLASSES)[number];

/**
 * What a finding counts as. `drift` and `check` alert, `pending` means "merged but not applied", `informational` is
 * shown only: it neither alerts nor keeps a stack from being in sync.
 */
export const STANDINGS = ['drift', 'check', 'pending', 'informational'] as const;
export type Standing = (typeof STANDINGS)[number];

/** Why it happened. Each kind has one sentence for people in {@link describeCause}. */
export const CAUSE_KINDS = [
  'outside-change',
  'unconfigured-attribute',
  'ignore-changes',
  'adopted-in-config',
  'accepted-into-state',
  'config-changed',
  'no-baseline',
  'data-source',
  'follows-drift',
  'tainted',
  'replace-requested',
  'replace-triggered',
  'deposed-object',
  'deferred',
  'unknown-action',
  'state-form',
  'output-changed',
  'moved-in-config',
  'import-block',
  'removed-block',
  'read-during-apply',
  'action-invocation',
  'check-failed',
] as const;
export type CauseKind = (typeof CAUSE_KINDS)[number];

/** Which of a stack's inputs differ from the baseline. */
export const INPUT_KINDS = ['config', 'inputs', 'providers'] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

export interface Cause {
  readonly kind: CauseKind;
  /** True where the cause is deduced (from a baseline, from references) rather than stated by Terraform. */
  readonly inferred: boolean;
  /** Addresses that brought the change about: drifted resources, data sources, the address before a move. */
  readonly from?: readonly string[];
  /** For `config-changed`: what differs from the baseline. */
  readonly changed?: readonly InputKind[];
}

/** One changed thing in one run. Carries no attribute value, except under `values` for allow-listed paths. */
export interface Finding {
  /** Terraform's absolute address; `output.<name>` for outputs, `check.<name>` for check blocks. */
  readonly address: string;
  /** Terraform's key of a deposed object, where the finding is about one. */
  readonly deposed?: string;
  readonly class: FindingClass;
  readonly standing: Standing;
  readonly severity: Severity;
  /** The planned actions as Terraform names them, in its order. `["no-op"]` where the plan leaves the resource alone. */
  readonly actions: readonly string[];
  /** Changed attribute paths, such as `ingress` or `tags["team"]`; empty where the whole resource is concerned. */
  readonly paths: readonly string[];
  readonly cause: Cause;
  /** Values of allow-listed paths only, keyed by path, each rendered as compact JSON. */
  readonly values?: Readonly<Record<string, PathValues>>;
}

/** Before and after of one allow-listed path, as compact JSON; `(sensitive)` and `(known after apply)` stand in. */
export interface PathValues {
  readonly before: string;
  readonly after: string;
}

/** What an ignore rule took out of the findings: still counted, still visible. */
export interface Suppressed {
  readonly address: string;
  readonly class: FindingClass;
  readonly severity: Severity;
  readonly paths: readonly string[];
  readonly rule: { readonly owner: string; readonly reason: string; readonly expires: string };
}

export const NOISE_REASONS = [
  'empty-flip',
  'same-json',
  'same-policy',
  'unknown-only',
  'moved-by-service',
  'mirrors-resource',
] as const;
export type NoiseReason = (typeof NOISE_REASONS)[number];

/** A difference that means nothing: counted and visible, never a finding. */
export interface Noise {
  readonly address: string;
  readonly paths: readonly string[];
  readonly reason: NoiseReason;
}

export const VERDICTS = [
  'in-sync',
  'drifted',
  'pending',
  'drifted-and-pending',
  'checks-failing',
  'failed',
  'busy',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Counts as Terraform's own summary gives them, and what Holdfast adds. */
export interface Counts {
  /** Terraform's "N to add, N to change, N to destroy": a replacement counts once as add and once as remove. */
  readonly add: number;
  readonly change: number;
  readonly remove: number;
  readonly import: number;
  readonly forget: number;
  readonly move: number;
  readonly read: number;
  /** Root outputs whose value would change. */
  readonly outputs: number;
  /** Actions (Terraform 1.14 and later) that an apply would invoke. */
  readonly actions: number;
  /** Changes Terraform put off to a later plan. */
  readonly deferred: number;
  /** Findings per standing, after ignore rules. */
  readonly drift: number;
  readonly checks: number;
  readonly pending: number;
  readonly informational: number;
  readonly suppressed: number;
  readonly noise: number;
}

/** Why a check has no verdict about the stack. */
export interface Failure {
  readonly code: string;
  /** One line, scrubbed of every value known to be sensitive. */
  readonly message: string;
  readonly location?: SourceLocation;
  readonly hint?: string;
}

export const WARNING_CODES = [
  'baseline-not-comparable',
  'baseline-missing',
  'baseline-unsaved',
  'exit-code-unknown',
  'exit-code-without-changes',
  'ignore-rule-expired',
  'incomplete-plan',
  'mass-deletion',
  'source-missing',
  'summary-disagrees',
  'ui-stream-missing',
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** Something a reader has to know to trust the result: what could not be known, what looks wrong. */
export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
}

export type PlanMode = 'plan' | 'refresh-only';

/** Digests of what a plan was made from. `null`: not known. */
export interface InputDigests {
  /** `files`: over the module's files. `document`: over the plan document, which lacks locals and lifecycle blocks. */
  readonly basis: 'files' | 'document';
  readonly config: string;
  readonly inputs: string;
  readonly providers: string | null;
}

/** How the inputs of this run compare with those of the last check that had nothing pending. */
export type BaselineComparison =
  | { readonly kind: 'none' }
  | { readonly kind: 'same' }
  | { readonly kind: 'differs'; readonly changed: readonly InputKind[] };

/** What a check concluded: the content of `result.json`, version 1 (`docs/result.schema.json`). */
export interface CheckResult {
  readonly schemaVersion: 1;
  readonly stack: string;
  readonly mode: PlanMode;
  readonly verdict: Verdict;
  /** False where the plan covers only a part of the stack: such a result never resolves anything. */
  readonly complete: boolean;
  readonly failure: Failure | null;
  /** The exit code of `plan -detailed-exitcode`; `null` where it is not known. */
  readonly exitCode: number | null;
  readonly engine: Engine;
  /** SHA-256 (hex) over the canonical findings, without values. Empty where there is no verdict. */
  readonly fingerprint: string;
  readonly baseline: BaselineComparison;
  readonly digests: InputDigests | null;
  readonly counts: Counts;
  readonly findings: readonly Finding[];
  readonly suppressed: readonly Suppressed[];
  readonly noise: readonly Noise[];
  readonly warnings: readonly Warning[];
  /** ISO 8601; `null` where the run was not ours (`holdfast explain`). */
  readonly startedAt: string | null;
  readonly durationMs: number | null;
}

export interface Engine {
  readonly name: 'terraform' | 'tofu' | null;
  readonly version: string | null;
  readonly formatVersion: string | null;
}
