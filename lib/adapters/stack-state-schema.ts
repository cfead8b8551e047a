import * as z from 'zod';
import { type DriftEvent, EVENT_TYPES } from '../domain/drift-event.ts';
import type { Episode, InFlight, StackState } from '../domain/stack-state.ts';
import {
  BaselineSchema,
  CountsSchema,
  FailureSchema,
  SeveritySchema,
  SummarySchema,
  Time,
  TopFindingsSchema,
  TriggerSchema,
  VerdictSchema,
} from './run-schema.ts';
import { TaskSizeSchema } from './stack-spec-schema.ts';

const Text = z.string();
const Count = z.int().min(0);

const InFlightSchema = z.object({
  runId: Text,
  trigger: TriggerSchema,
  attempt: z.int().min(1),
  startedAt: Time,
  deadline: Time,
  taskArn: Text.nullable(),
}) satisfies z.ZodType<InFlight>;

const EpisodeSchema = z.object({
  id: Text,
  startedAt: Time,
  fingerprint: Text,
  severity: SeveritySchema,
  consecutive: Count,
  announced: z.boolean(),
  escalated: z.boolean(),
  lastNotifiedAt: Time,
  recentFingerprints: z.array(Text),
  flapping: z.boolean(),
  absorbed: z.boolean(),
}) satisfies z.ZodType<Episode>;

export const DriftEventSchema = z.object({
  schemaVersion: z.literal(1),
  type: z.enum(EVENT_TYPES),
  stackId: Text,
  sequence: z.int().min(1),
  at: Time,
  runId: Text.nullable(),
  verdict: VerdictSchema.nullable(),
  severity: SeveritySchema.nullable(),
  episode: z
    .object({ id: Text, startedAt: Time, consecutive: Count, fingerprint: Text, flapping: z.boolean() })
    .nullable(),
  counts: CountsSchema.nullable(),
  topFindings: TopFindingsSchema,
  failure: FailureSchema.nullable(),
  commit: Text.nullable(),
  owner: Text.nullable(),
  labels: z.array(Text),
  routes: z.array(Text),
}) satisfies z.ZodType<DriftEvent>;

export const StackStateSchema = z.object({
  stackId: Text,
  version: z.int(),
  verdict: VerdictSchema.nullable(),
  since: Time.nullable(),
  createdAt: Time,
  suspended: Text.nullable(),
  resumedAt: Time.nullable(),
  lastCheckAt: Time.nullable(),
  lastGoodCheckAt: Time.nullable(),
  nextDueAt: Time.nullable(),
  dueBecause: TriggerSchema.exclude(['schedule']).nullable(),
  nextAttempt: z.int().min(1),
  inFlight: InFlightSchema.nullable(),
  episode: EpisodeSchema.nullable(),
  failures: Count,
  failingAnnounced: z.boolean(),
  overdueAnnounced: z.boolean(),
  baseline: BaselineSchema.nullable(),
  task: TaskSizeSchema.nullable(),
  lastSummary: SummarySchema.nullable(),
  lastRunId: Text.nullable(),
  sequence: Count,
  outbox: z.array(DriftEventSchema),
}) satisfies z.ZodType<StackState>;
