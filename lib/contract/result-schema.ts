import * as z from 'zod';

export const Severity = z.enum(['critical', 'high', 'medium', 'low', 'info']);
export const FindingClass = z.enum([
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
]);
const InputKind = z.enum(['config', 'inputs', 'providers']);
const Count = z.int().min(0);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const Cause = z
  .strictObject({
    kind: z.enum([
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
    ]),
    inferred: z.boolean().describe('Deduced (from a baseline, from references) rather than stated by Terraform.'),
    from: z.array(z.string()).describe('Addresses that brought the change about.').exactOptional(),
    changed: z.array(InputKind).describe('What differs from the baseline.').exactOptional(),
  })
  .describe('Why the finding is there.');

const Finding = z.strictObject({
  address: z.string().describe('Absolute resource address; output.NAME for outputs, check.NAME for check blocks.'),
  deposed: z.string().describe('Key of a deposed object.').exactOptional(),
  class: FindingClass,
  standing: z
    .enum(['drift', 'check', 'pending', 'informational'])
    .describe(
      'What it counts as: drift and check alert, pending is merged but not applied, informational is shown only.',
    ),
  severity: Severity,
  actions: z
    .array(z.string())
    .describe('Planned actions as Terraform names them; ["no-op"] where the plan leaves it alone.'),
  paths: z.array(z.string()).describe('Changed attribute paths; empty where the whole resource is concerned.'),
  cause: Cause,
  values: z
    .record(z.string(), z.strictObject({ before: z.string(), after: z.string() }))
    .describe('Values of allow-listed paths only, as compact JSON.')
    .exactOptional(),
});

const Suppressed = z.strictObject({
  address: z.string(),
  class: FindingClass,
  severity: Severity,
  paths: z.array(z.string()),
  rule: z.strictObject({ owner: z.string(), reason: z.string(), expires: z.string() }),
});

const Noise = z.strictObject({
  address: z.string(),
  paths: z.array(z.string()),
  reason: z.enum(['empty-flip', 'same-json', 'same-policy', 'unknown-only', 'moved-by-service', 'mirrors-resource']),
});

const Counts = z.strictObject({
  add: Count,
  change: Count,
  remove: Count,
  import: Count,
  forget: Count,
  move: Count,
  read: Count,
  outputs: Count,
  actions: Count,
  deferred: Count,
  drift: Count,
  checks: Count,
  pending: Count,
  informational: Count,
  suppressed: Count,
  noise: Count,
});

const Failure = z.strictObject({
  code: z.string(),
  message: z.string(),
  location: z
    .strictObject({ file: z.string(), line: z.int().min(1).exactOptional(), column: z.int().min(1).exactOptional() })
    .exactOptional(),
  hint: z.string().exactOptional(),
});

export const InputDigests = z.strictObject({
  basis: z.enum(['files', 'document']),
  config: Sha256,
  inputs: Sha256,
  providers: Sha256.nullable(),
});

/** `result.json`, version 1: published as `docs/result.schema.json`. Unknown keys are an error, so nothing slips in. */
export const Result = z
  .strictObject({
    schemaVersion: z.literal(1),
    stack: z.string(),
    mode: z.enum(['plan', 'refresh-only']),
    verdict: z.enum(['in-sync', 'drifted', 'pending', 'drifted-and-pending', 'checks-failing', 'failed', 'busy']),
    complete: z.boolean().describe('False where the plan covers only a part: such a result never resolves anything.'),
    failure: Failure.nullable(),
    exitCode: z.int().nullable().describe('Of plan -detailed-exitcode; null where it is not known.'),
    engine: z.strictObject({
      name: z.enum(['terraform', 'tofu']).nullable(),
      version: z.string().nullable(),
      formatVersion: z.string().nullable(),
    }),
    fingerprint: z.union([Sha256, z.literal('')]).describe('SHA-256 over the canonical findings, without values.'),
    baseline: z.union([
      z.strictObject({ kind: z.enum(['none', 'same']) }),
      z.strictObject({ kind: z.literal('differs'), changed: z.array(InputKind).min(1) }),
    ]),
    digests: InputDigests.nullable(),
    counts: Counts,
    findings: z.array(Finding),
    suppressed: z.array(Suppressed),
    noise: z.array(Noise),
    warnings: z.array(
      z.strictObject({
        code: z.enum([
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
        ]),
        message: z.string(),
      }),
    ),
    startedAt: z.iso.datetime().nullable(),
    durationMs: z.int().min(0).nullable(),
  })
  .meta({ title: 'Holdfast check result' });
export type Result = z.infer<typeof Result>;
