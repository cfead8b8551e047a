import * as z from 'zod';
import { FINDING_CLASSES, SEVERITIES } from '../domain/finding.ts';
import type { Json } from '../domain/json.ts';
import type { Rules } from '../domain/rules.ts';
import {
  REMEDIATION_MODES,
  type Schedule,
  type SecretReference,
  STACK_ID,
  type StackSpec,
  type TaskSize,
  type TimeSpan,
  WEEKDAYS,
} from '../domain/stack-spec.ts';

const Text = z.string();
const Ms = z.int().min(0);
const Positive = z.int().min(1);

// Values come from `parseJson`, which gives nothing but JSON.
const JsonValue = z.custom<Json>((value) => value !== undefined);

const ScheduleSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rate'), everyMs: Positive }),
  z.object({ kind: z.literal('cron'), expression: Text, timezone: Text }),
]) satisfies z.ZodType<Schedule>;

const TimeSpanSchema = z.object({
  days: z.array(z.enum(WEEKDAYS)),
  from: Text,
  to: Text,
  timezone: Text,
}) satisfies z.ZodType<TimeSpan>;

const SecretReferenceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('secrets-manager'), id: Text, jsonKey: Text.nullable() }),
  z.object({ kind: z.literal('ssm'), name: Text }),
]) satisfies z.ZodType<SecretReference>;

export const TaskSizeSchema = z.object({
  cpu: Positive,
  memoryMiB: Positive,
  arch: z.enum(['arm64', 'amd64']),
}) satisfies z.ZodType<TaskSize>;

const selector = {
  stack: Text,
  address: Text,
  path: Text,
  value: Text.exactOptional(),
  classes: z.array(z.enum(FINDING_CLASSES)).exactOptional(),
};

const RulesSchema = z.object({
  ignore: z.array(z.object({ ...selector, owner: Text, reason: Text, expires: Text })),
  severity: z.array(z.object({ ...selector, severity: z.enum(SEVERITIES) })),
  serviceOwned: z.array(z.object({ type: Text, path: Text, owned: z.boolean() })),
  allowValues: z.array(z.object({ address: Text, path: Text })),
}) satisfies z.ZodType<Rules>;

/** A resolved stack as the service keeps and hands it on. What this version does not know is left out. */
export const StackSpecSchema = z.object({
  id: Text.regex(STACK_ID),
  source: z.object({ url: Text, ref: Text, path: Text }),
  engine: z.object({ name: z.enum(['terraform', 'tofu']), constraint: Text.nullable() }),
  workspace: Text,
  backendConfig: z.record(Text, Text),
  vars: z.record(Text, JsonValue),
  varFiles: z.array(Text),
  env: z.record(Text, Text),
  secrets: z.record(Text, SecretReferenceSchema),
  region: Text.nullable(),
  planRole: Text.nullable(),
  applyRole: Text.nullable(),
  externalId: Text.nullable(),
  labels: z.array(Text),
  timing: z.object({
    schedules: z.array(ScheduleSchema),
    jitterMs: Ms,
    windows: z.array(TimeSpanSchema),
    blackouts: z.array(TimeSpanSchema),
  }),
  timeoutMs: Ms,
  retry: z.object({ attempts: z.int().min(0), backoffMs: Ms }),
  task: TaskSizeSchema,
  dependsOn: z.array(Text),
  remediation: z.object({ mode: z.enum(REMEDIATION_MODES) }),
  approval: z.object({ required: z.int().min(0), approvers: z.array(Text), expiresMs: Ms }),
  rules: RulesSchema,
  alerts: z.object({
    confirmChecks: z.int().min(0),
    failureStreak: z.int().min(0),
    remindEveryMs: Ms,
    escalateAfter: z.int().nullable(),
  }),
  routes: z.array(Text),
  suspended: Text.nullable(),
  owner: Text.nullable(),
}) satisfies z.ZodType<StackSpec>;
