import type { Json } from './json.ts';
import type { Rules } from './rules.ts';

/** A stack's id: `[a-z0-9][a-z0-9-/]{0,127}`. */
export const STACK_ID = /^[a-z0-9][a-z0-9\-/]{0,127}$/;

/** When a stack is checked. Several schedules add up; the earliest next time wins. */
export type Schedule =
  | { readonly kind: 'rate'; readonly everyMs: number }
  /** Five fields, in an IANA time zone. */
  | { readonly kind: 'cron'; readonly expression: string; readonly timezone: string };

/** A part of the week in which checks may (window) or may not (blackout) start. */
export interface TimeSpan {
  /** Days of the week, `mon` to `sun`; empty: every day. */
  readonly days: readonly Weekday[];
  /** `HH:MM`, local time; `to` at or before `from` runs into the next day. */
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
}

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

export interface Timing {
  readonly schedules: readonly Schedule[];
  /** Checks spread over this long after their due time, by a hash of the stack's id. */
  readonly jitterMs: number;
  /** Checks start only inside one of these; none: at any time. */
  readonly windows: readonly TimeSpan[];
  readonly blackouts: readonly TimeSpan[];
}

/** Where a secret is kept: resolved in the runner, never in the catalogue. */
export type SecretReference =
  | { readonly kind: 'secrets-manager'; readonly id: string; readonly jsonKey: string | null }
  | { readonly kind: 'ssm'; readonly name: string };

/** CPU units, MiB and architecture of a Fargate task. */
export interface TaskSize {
  readonly cpu: number;
  readonly memoryMiB: number;
  readonly arch: 'arm64' | 'amd64';
}

export interface AlertSettings {
  /** Drifted checks in a row before `drift.detected`. */
  readonly confirmChecks: number;
  /** Failed checks in a row before `check.failing`. */
  readonly failureStreak: number;
  /** Time between reminders while drift stands. */
  readonly remindEveryMs: number;
  /** Drifted checks in a row before `drift.escalated`; `null`: never for that reason. */
  readonly escalateAfter: number | null;
}

export const REMEDIATION_MODES = ['alert', 'approve', 'auto-minor', 'auto'] as const;
export type RemediationMode = (typeof REMEDIATION_MODES)[number];

/** One stack as the service knows it: the catalogue with defaults and contexts worked in. */
export interface StackSpec {
  readonly id: string;
  readonly source: { readonly url: string; readonly ref: string; readonly path: string };
  readonly engine: { readonly name: 'terraform' | 'tofu'; readonly constraint: string | null };
  readonly workspace: string;
  readonly backendConfig: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, Json>>;
  readonly varFiles: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Environment variables (`TF_VAR_…` too) and where their values are kept. */
  readonly secrets: Readonly<Record<string, SecretReference>>;
  readonly region: string | null;
  readonly planRole: string | null;
  readonly applyRole: string | null;
  readonly externalId: string | null;
  readonly labels: readonly string[];
  readonly timing: Timing;
  readonly timeoutMs: number;
  readonly retry: { readonly attempts: number; readonly backoffMs: number };
  readonly task: TaskSize;
  readonly dependsOn: readonly string[];
  readonly remediation: { readonly mode: RemediationMode };
  readonly approval: { readonly required: number; readonly approvers: readonly string[]; readonly expiresMs: number };
  readonly rules: Rules;
  readonly alerts: AlertSettings;
  readonly routes: readonly string[];
  /** Why checks are suspended; `null`: they are not. */
  readonly suspended: string | null;
  readonly owner: string | null;
}
