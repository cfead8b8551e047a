import * as z from 'zod';
import { InputDigests, Result } from '../contract/result-schema.ts';
import type { Baseline } from '../domain/baseline.ts';
import { type Counts, type Failure, SEVERITIES, VERDICTS } from '../domain/finding.ts';
import { type ResultSummary, RUN_TRIGGERS, type RunOutcome, type RunRecord, type RunSpec } from '../domain/run.ts';
import type { RunReport } from '../ports/artifact-store.ts';
import { StackSpecSchema, TaskSizeSchema } from './stack-spec-schema.ts';

const Text = z.string();
export const Time = z.iso.datetime();
export const VerdictSchema = z.enum(VERDICTS);
export const SeveritySchema = z.enum(SEVERITIES);
export const TriggerSchema = z.enum(RUN_TRIGGERS);

export const BaselineSchema = z.object({
  digests: InputDigests,
  commit: Text.exactOptional(),
  at: z.iso.datetime({ offset: true }),
}) satisfies z.ZodType<Baseline>;

// The same members, but what a newer version adds does not make an item unreadable.
export const CountsSchema = z.object(Result.shape.counts.shape) satisfies z.ZodType<Counts>;

export const FailureSchema = z.object({
  code: Text,
  message: Text,
  location: z.object({ file: Text, line: z.int().exactOptional(), column: z.int().exactOptional() }).exactOptional(),
  hint: Text.exactOptional(),
}) satisfies z.ZodType<Failure>;

export const TopFindingsSchema = z.array(
  z.object({ address: Text, class: Text, severity: SeveritySchema, paths: z.array(Text) }),
);

export const SummarySchema = z.object({
  verdict: VerdictSchema,
  complete: z.boolean(),
  fingerprint: Text,
  alertClasses: z.array(Text),
  severity: SeveritySchema.nullable(),
  counts: CountsSchema,
  topFindings: TopFindingsSchema,
  failure: FailureSchema.nullable(),
  baseline: BaselineSchema.nullable(),
  commit: Text.nullable(),
  durationMs: z.number(),
  peakMemoryMiB: z.number().nullable(),
}) satisfies z.ZodType<ResultSummary>;

export const OutcomeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('result'), summary: SummarySchema }),
  z.object({ kind: z.literal('lost'), failure: FailureSchema, outOfMemory: z.boolean() }),
]) satisfies z.ZodType<RunOutcome>;

export const RunRecordSchema = z.object({
  runId: Text,
  stackId: Text,
  kind: z.literal('check'),
  trigger: TriggerSchema,
  attempt: z.int().min(1),
  status: z.enum(['queued', 'running', 'succeeded', 'failed']),
  createdAt: Time,
  deadline: Time,
  task: TaskSizeSchema,
  taskArn: Text.nullable(),
  finishedAt: Time.nullable(),
  outcome: OutcomeSchema.nullable(),
}) satisfies z.ZodType<RunRecord>;

export const RunSpecSchema = z.object({
  schemaVersion: z.literal(1),
  runId: Text,
  kind: z.literal('check'),
  stack: StackSpecSchema,
  catalogueCommit: Text.nullable(),
  baseline: BaselineSchema.nullable(),
  deadline: Time,
}) satisfies z.ZodType<RunSpec>;

export const RunReportSchema = z.object({
  schemaVersion: z.literal(1),
  runId: Text,
  stackId: Text,
  result: Result,
  commit: Text.nullable(),
  peakMemoryMiB: z.number().nullable(),
}) satisfies z.ZodType<RunReport>;
