import { HoldfastError } from '../domain/errors.ts';
import type { CheckResult } from '../domain/finding.ts';
import { concludeFailure } from '../domain/judge.ts';
import type { RunSpec } from '../domain/run.ts';
import { secretSettings, secretVariables } from '../domain/secrets.ts';
import type { ArtifactStore, RunReport } from '../ports/artifact-store.ts';
import type { BaselineStore } from '../ports/baseline-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Sha256 } from '../ports/digest.ts';
import type { PlanRequest } from '../ports/engine-runner.ts';
import type { GitSource } from '../ports/git-source.ts';
import type { RoleAssumer, RoleCredentials } from '../ports/role-assumer.ts';
import type { SecretSource } from '../ports/secret-source.ts';
import type { StackEngine, StackEngines } from '../ports/stack-engines.ts';
import { checkStack } from './check-stack.ts';
import { keepArtifacts } from './keep-artifacts.ts';
import { createRunTrail, type RunTrail } from './run-trail.ts';

export interface RunCheckDeps {
  readonly artifacts: ArtifactStore;
  readonly source: GitSource;
  readonly secrets: SecretSource;
  readonly roles: RoleAssumer;
  readonly engines: StackEngines;
  /**
   * Hands the work a signal that is aborted when time is up or the caller wants it to stop, with the error to end with
   * as its reason.
   */
  readonly withinLimits: <T>(
    limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
    work: (stop: AbortSignal) => Promise<T>,
  ) => Promise<T>;
  readonly peakMemoryMiB: () => Promise<number | null>;
  readonly clock: Clock;
  readonly sha256: Sha256;
  /** What the runner knows and must not show, such as credentials for Git. */
  readonly ownSecrets: readonly string[];
  /** Told what is being done, one line at a time. */
  readonly say: (message: string) => void;
}

export interface RunCheckInput {
  readonly stackId: string;
  readonly runId: string;
  /** Aborted when the task is to end. */
  readonly signal: AbortSignal;
}

/** For Terraform to end after an interrupt, and for S3 to take the result: nobody waits past the deadline. */
const RESERVE_MS = 60_000;

/**
 * What a check's task does: reads its spec, gets the source, secrets and role, plans, and writes down what it found. A
 * broken promise on the way, a timeout and an interruption are results too. Throws where the spec can't be read or the
 * report not be written.
 */
export async function runCheck(deps: RunCheckDeps, { stackId, runId, signal }: RunCheckInput): Promise<RunReport> {
  const { artifacts, clock } = deps;
  const startedAt = clock.now();
  const spec = await artifacts.getSpec(stackId, runId);
  const trail = createRunTrail(deps);
  trail.note(`run ${runId} of stack ${stackId}, until ${spec.deadline}`);
  const left = Date.parse(spec.deadline) - startedAt.getTime();
  const limits = { timeoutMs: Math.max(left - RESERVE_MS, left / 2, 0), signal };
  const found = await deps
    .withinLimits(limits, (stop) => check(deps, spec, { trail, stop }))
    .catch((error: unknown) => failed(spec, trail, error));
  const durationMs = Math.max(0, clock.now().getTime() - startedAt.getTime());
  const result: CheckResult = { ...found, startedAt: startedAt.toISOString(), durationMs };
  const peakMemoryMiB = await deps.peakMemoryMiB();
  const report: RunReport = { schemaVersion: 1, runId, stackId, result, commit: trail.commit, peakMemoryMiB };
  await keepArtifacts(deps, { report, trail });
  return report;
}

interface Journey {
  readonly trail: RunTrail;
  readonly stop: AbortSignal;
}

async function check(deps: RunCheckDeps, spec: RunSpec, { trail, stop }: Journey): Promise<CheckResult> {
  const { stack, baseline } = spec;
  stop.throwIfAborted();
  trail.note(`fetching ${stack.source.ref} of ${stack.source.url}`);
  const { location: directory, commit } = await deps.source.checkout({ ...stack.source, files: 'all', signal: stop });
  trail.commit = commit;
  trail.note(`checked out ${commit}`);
  trail.hide(catalogueSecrets(stack));
  const settings = { ...stack.env, ...(await resolveSecrets(deps, stack, trail)) };
  stop.throwIfAborted();
  const credentials = await assumePlanRole(deps, spec, trail);
  stop.throwIfAborted();
  const { engine: name, region, vars } = stack;
  const opened = await deps.engines.open({ engine: name, settings, region, credentials, vars, log: trail.engineLog });
  return checkStack(
    {
      ...{ clock: deps.clock, sha256: deps.sha256, modules: opened.modules },
      engine: {
        run: async (request) => {
          const run = await opened.engine.run(request).catch((error: unknown) => {
            if (error instanceof HoldfastError) trail.hide(error.secrets);
            throw error;
          });
          return trail.keepPlan(run);
        },
      },
      baselines: seeded(baseline),
    },
    {
      stack: stack.id,
      request: planRequest(stack, opened, { directory, trail, stop }),
      rules: stack.rules,
      knownSecrets: trail.secrets(),
    },
  );
}

type Stack = RunSpec['stack'];

/** Values that stand in the catalogue although their names say that they are secret. */
function catalogueSecrets({ env, backendConfig, vars }: Stack): Iterable<string> {
  return [...secretSettings({ ...env, ...backendConfig }, []), ...secretVariables(vars)];
}

async function resolveSecrets(
  { secrets }: RunCheckDeps,
  stack: Stack,
  trail: RunTrail,
): Promise<Readonly<Record<string, string>>> {
  const entries = await Promise.all(
    Object.entries(stack.secrets).map(async ([name, reference]) => [name, await secrets.get(reference)] as const),
  );
  trail.hide(entries.map(([, value]) => value));
  if (entries.length > 0) trail.note(`resolved secrets: ${entries.map(([name]) => name).join(', ')}`);
  return Object.fromEntries(entries);
}

/** AWS allows no longer session for a role that is assumed by a role. */
const LONGEST_SESSION_S = 3600;
const SHORTEST_SESSION_S = 900;

async function assumePlanRole(
  { roles }: RunCheckDeps,
  { runId, stack: { planRole, externalId, timeoutMs } }: RunSpec,
  trail: RunTrail,
): Promise<RoleCredentials | null> {
  if (planRole === null) return null;
  const wantedS = Math.ceil((timeoutMs + RESERVE_MS) / 1000);
  const durationSeconds = Math.min(Math.max(wantedS, SHORTEST_SESSION_S), LONGEST_SESSION_S);
  const sessionName = `holdfast-${runId}`;
  const credentials = await roles.assume({ roleArn: planRole, externalId, sessionName, durationSeconds });
  trail.hide([credentials.secretAccessKey, credentials.sessionToken]);
  trail.note(`assumed ${planRole} as ${sessionName} for ${durationSeconds} s`);
  return credentials;
}

/** The recorder keeps baselines; the one to compare with came with the spec. */
function seeded(baseline: RunSpec['baseline']): BaselineStore {
  return { load: async () => baseline ?? undefined, save: async () => {} };
}

function planRequest(
  { workspace, backendConfig, varFiles, timeoutMs }: Stack,
  opened: StackEngine,
  { directory, trail, stop }: Journey & { readonly directory: string },
): PlanRequest {
  return {
    directory,
    ...(workspace !== 'default' && { workspace }),
    backendConfig: Object.entries(backendConfig).map(([name, value]) => `${name}=${value}`),
    varFiles: [...varFiles, ...opened.varFiles],
    vars: [],
    mode: 'plan',
    timeoutMs,
    signal: stop,
    onProgress: (progress) => {
      if (progress.step !== 'refresh') trail.note(progress.step);
    },
  };
}

/** The result of a run that did not get as far as its plan. */
function failed({ stack }: RunSpec, trail: RunTrail, error: unknown): CheckResult {
  if (!(error instanceof HoldfastError)) throw error;
  const engine = { name: stack.engine.name, version: null, formatVersion: null };
  const unknown = { exitCode: null, digests: null, baseline: { kind: 'none' } } as const;
  return concludeFailure({ stack: stack.id, mode: 'plan', engine, ...unknown }, error, trail.secrets());
}
