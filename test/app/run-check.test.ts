import { describe, expect, it } from 'vitest';
import { runCheck } from '../../lib/app/run-check.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import type { PlanFile, PlanRequest, PlanRun } from '../../lib/ports/engine-runner.ts';
import { aPlanRun, CLEAN, DRIFTED, FILES, PLANNED } from '../support/check-world.ts';
import { planText } from '../support/plan-builder.ts';
import { aRunSpec, aRunWorld, COMMIT, RUN_ID, type RunWorld, sourceThatFails } from '../support/run-world.ts';

async function run(world: RunWorld = {}) {
  const made = await aRunWorld(world);
  const report = await runCheck(made.deps, made.input);
  return { ...made, report, log: String(made.file('run.log')) };
}

/** An engine that goes on until it is told to stop. */
const untilStopped = ({ signal }: PlanRequest): Promise<PlanRun> => {
  const { promise, reject } = Promise.withResolvers<PlanRun>();
  signal?.addEventListener('abort', () => reject(signal.reason));
  if (signal?.aborted) reject(signal.reason);
  return promise;
};

describe('a run of a check', () => {
  it('reports what it found, where and when', async () => {
    const { report, deps } = await run({ plan: aPlanRun(DRIFTED, 2) });
    expect(report).toMatchObject({
      schemaVersion: 1,
      runId: RUN_ID,
      stackId: 'prod/network',
      commit: COMMIT,
      peakMemoryMiB: 512,
      result: { stack: 'prod/network', verdict: 'drifted', startedAt: '2026-11-30T12:00:00.000Z' },
    });
    expect(report.result.durationMs).toBeGreaterThan(0);
    expect(await deps.artifacts.getReport('prod/network', RUN_ID)).toEqual(report);
  });

  it('checks out the whole tree of the source', async () => {
    const { asked } = await run();
    expect(asked.checkouts).toMatchObject([
      { url: 'https://git.example.com/infra.git', ref: 'main', path: 'environments/prod/network', files: 'all' },
    ]);
  });

  it('plans with what the catalogue says, its variables last and never among arguments', async () => {
    const { asked } = await run({
      spec: aRunSpec({
        vars: { size: 3 },
        varFiles: ['common.tfvars'],
        backendConfig: { bucket: 'state', region: 'eu-west-1' },
        timeoutMs: 90_000,
      }),
    });
    expect(asked.engines[0]?.vars).toEqual({ size: 3 });
    const { signal, onProgress, ...request } = asked.plans[0] as PlanRequest;
    expect(request).toEqual({
      directory: '/work/source/prod/network',
      backendConfig: ['bucket=state', 'region=eu-west-1'],
      varFiles: ['common.tfvars', '/work/catalogue.tfvars.json'],
      vars: [],
      mode: 'plan',
      timeoutMs: 90_000,
    });
  });

  it('names the workspace where it is not the one that is always there', async () => {
    const { asked } = await run({ spec: aRunSpec({ workspace: 'blue' }) });
    expect(asked.plans[0]?.workspace).toBe('blue');
  });

  it('gives the engine settings, resolved secrets, region and role of the stack', async () => {
    const { asked } = await run({
      spec: aRunSpec({
        env: { DATADOG_SITE: 'eu' },
        secrets: {
          DATADOG_API_KEY: { kind: 'secrets-manager', id: 'datadog', jsonKey: null },
          TF_VAR_pin: { kind: 'ssm', name: '/pin' },
        },
        engine: { name: 'tofu', constraint: '~> 1.10' },
      }),
    });
    expect(asked.engines[0]).toMatchObject({
      engine: { name: 'tofu', constraint: '~> 1.10' },
      settings: { DATADOG_SITE: 'eu', DATADOG_API_KEY: 'from-secret', TF_VAR_pin: 'from-parameter' },
      region: 'eu-west-1',
      credentials: { accessKeyId: 'ASIA', secretAccessKey: 'role-secret', sessionToken: 'role-token' },
    });
  });

  it.each([
    { minutes: 30, seconds: 1860 },
    { minutes: 1, seconds: 900 },
    { minutes: 120, seconds: 3600 },
  ])('assumes the plan role for $seconds s where the timeout is $minutes min', async ({ minutes, seconds }) => {
    const spec = aRunSpec({ externalId: 'ours', timeoutMs: minutes * 60_000 });
    const { asked } = await run({ spec });
    expect(asked.roles).toEqual([
      {
        roleArn: 'arn:aws:iam::111122223333:role/holdfast-plan',
        externalId: 'ours',
        sessionName: `holdfast-${RUN_ID}`,
        durationSeconds: seconds,
      },
    ]);
  });

  it('assumes no role where the stack has none', async () => {
    const { asked } = await run({ spec: aRunSpec({ planRole: null }) });
    expect(asked.roles).toEqual([]);
    expect(asked.engines[0]?.credentials).toBeNull();
  });

  it('compares with the baseline that came with the spec', async () => {
    const baseline = { digests: FILES, at: '2026-11-29T12:00:00.000Z' };
    const plan = aPlanRun(PLANNED, 2);
    expect((await run({ plan, spec: aRunSpec({}, { baseline }) })).report.result.verdict).toBe('drifted');
    expect((await run({ plan })).report.result.verdict).toBe('pending');
  });
});

describe('what a run leaves beside its report', () => {
  const planFile: PlanFile = { content: new Uint8Array([1, 2, 3]), state: { lineage: 'a-b', serial: 7 } };

  it('is the plan, as file and as document, and the state it was made from', async () => {
    const plan = { ...aPlanRun(DRIFTED, 2), planFile };
    const { file } = await run({ plan });
    expect(file('plan.tfplan')).toEqual(planFile.content);
    expect(file('plan.json')).toBe(plan.document);
    expect(file('state-identity.json')).toBe('{"lineage":"a-b","serial":7}\n');
  });

  it('is no identity of a state that the plan file does not tell', async () => {
    const { file } = await run({ plan: { ...aPlanRun(DRIFTED, 2), planFile: { ...planFile, state: null } } });
    expect(file('plan.tfplan')).toEqual(planFile.content);
    expect(file('state-identity.json')).toBeUndefined();
  });

  it('is no plan where there is nothing to show', async () => {
    const { document, ...plan } = aPlanRun(CLEAN, 0);
    const { file } = await run({ plan });
    expect([file('plan.tfplan'), file('plan.json'), file('state-identity.json')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(file('run.log')).toBeDefined();
  });

  it('is a log of what it did', async () => {
    const plan = async ({ onProgress }: PlanRequest) => {
      onProgress?.({ step: 'init' });
      onProgress?.({ step: 'refresh', count: 1 });
      const { log } = made.asked.engines[0] as NonNullable<(typeof made.asked.engines)[0]>;
      log.command({ words: ['terraform', 'init', '-input=false'], durationMs: 1200, end: { code: 0 } });
      log.command({ words: ['terraform', 'plan'], durationMs: 30, end: { signal: 'SIGKILL' } });
      log.diagnostic({ severity: 'warning', summary: 'Old', location: { file: 'main.tf', line: 3, column: 1 } });
      log.diagnostic({ severity: 'error', summary: 'Bad' });
      return aPlanRun(DRIFTED, 2);
    };
    const secrets = { TF_VAR_pin: { kind: 'ssm', name: '/pin' } } as const;
    const made = await aRunWorld({ plan, spec: aRunSpec({ secrets }) });
    await runCheck(made.deps, made.input);
    const lines = String(made.file('run.log')).trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      `run ${RUN_ID} of stack prod/network, until 2026-11-30T12:40:00.000Z`,
      'fetching main of https://git.example.com/infra.git',
      `checked out ${COMMIT}`,
      'resolved secrets: TF_VAR_pin',
      `assumed arn:aws:iam::111122223333:role/holdfast-plan as holdfast-${RUN_ID} for 1860 s`,
      'init',
      'terraform init -input=false: exit code 0 after 1200 ms',
      'terraform plan: SIGKILL after 30 ms',
      'warning: Old (main.tf:3:1)',
      'error: Bad',
      'drifted',
    ]);
    // Diagnostics may quote what nobody knows to be secret yet.
    expect(made.asked.said).not.toContain('error: Bad');
    expect(made.asked.said).toContain('drifted');
  });

  it('shows no secret in log, messages or report', async () => {
    const values = ['from-secret', 'role-secret', 'role-token', 'git-password', 'in-vars', 'in-env', 'in-backend'];
    const made = await aRunWorld({
      spec: aRunSpec({
        vars: { db: { password: 'in-vars' } },
        env: { API_TOKEN: 'in-env' },
        backendConfig: { secret_key: 'in-backend' },
        secrets: { X: { kind: 'secrets-manager', id: 'x', jsonKey: null } },
      }),
      plan: async () => {
        const { log } = made.asked.engines[0] as NonNullable<(typeof made.asked.engines)[0]>;
        log.command({ words: ['terraform', ...values], durationMs: 1, end: { code: 1 } });
        log.diagnostic({ severity: 'error', summary: values.join(' ') });
        throw new HoldfastError('PlanFailed', `it said: ${values.join(' ')}`);
      },
    });
    const report = await runCheck(made.deps, made.input);
    const shown = JSON.stringify([report, made.asked.said, made.file('run.log')]);
    expect(values.filter((value) => shown.includes(value))).toEqual([]);
    expect(shown).toContain('terraform (sensitive)');
  });

  it('shows no secret that only the plan knows, whether it failed or not', async () => {
    const warned = (end: () => Promise<PlanRun>) => async () => {
      made.asked.engines[0]?.log?.diagnostic({ severity: 'warning', summary: 'found hunter2-of-the-plan' });
      return end();
    };
    const secrets = ['hunter2-of-the-plan'];
    const masked = {
      ...aPlanRun(DRIFTED, 2),
      document: planText({
        changes: [{ address: 'aws_x.a', before: { a: secrets[0] }, beforeSensitive: { a: true } }],
      }),
    };
    let made = await aRunWorld({ plan: warned(async () => masked) });
    await runCheck(made.deps, made.input);
    expect(String(made.file('run.log'))).toContain('found (sensitive)');

    made = await aRunWorld({
      plan: warned(() => Promise.reject(new HoldfastError('PlanFailed', `got ${secrets[0]}`, { secrets }))),
    });
    const report = await runCheck(made.deps, made.input);
    expect(report.result.failure?.message).toBe('got (sensitive)');
    expect(String(made.file('run.log'))).toContain('found (sensitive)');
  });

  it('does not take the verdict with it where it can not be kept', async () => {
    const { report, asked, file } = await run({
      plan: { ...aPlanRun(DRIFTED, 2), planFile },
      artifacts: {
        putFile: async (_stack, _run, { name }) => {
          if (name === 'plan.json') throw new Error('SlowDown');
          throw 'no error at all';
        },
      },
    });
    expect(report.result.verdict).toBe('drifted');
    expect(file('result.json')).toBeDefined();
    expect(asked.said).toContain('plan.json was not kept: SlowDown');
    expect(asked.said).toContain('plan.tfplan was not kept: no error at all');
  });
});

describe('a run that breaks down', () => {
  it.each([
    {
      name: 'without its source',
      world: { source: sourceThatFails(new HoldfastError('SourceUnavailable', 'no such host')) },
      commit: null,
    },
    {
      name: 'without a secret',
      world: { spec: aRunSpec({ secrets: { X: { kind: 'secrets-manager', id: 'gone', jsonKey: null } } }) },
      commit: COMMIT,
    },
    {
      name: 'without its role',
      world: { roles: { assume: () => Promise.reject(new HoldfastError('RoleUnavailable', 'AccessDenied')) } },
      commit: COMMIT,
    },
    {
      name: 'in its plan',
      world: { plan: () => Promise.reject(new HoldfastError('PlanFailed', 'unknown variable')) },
      commit: COMMIT,
    },
  ])('$name reports that', async ({ world, commit }) => {
    const { report, log } = await run(world);
    expect(report.result).toMatchObject({ verdict: 'failed', complete: false, engine: { version: null } });
    expect(report.commit).toBe(commit);
    expect(log).toContain(`failed: ${report.result.failure?.message}`);
  });

  it('says that it was interrupted, and when its task is to end it ends', async () => {
    const made = await aRunWorld({ plan: untilStopped });
    const stop = new AbortController();
    const report = runCheck(made.deps, { ...made.input, signal: stop.signal });
    stop.abort();
    expect((await report).result.failure).toMatchObject({ code: 'Interrupted' });
    expect(made.file('result.json')).toBeDefined();
  });

  it('starts nothing more once its task is to end', async () => {
    const stop = new AbortController();
    const made = await aRunWorld({
      roles: {
        assume: async () => {
          stop.abort();
          return { accessKeyId: 'A', secretAccessKey: 'B', sessionToken: 'C' };
        },
      },
    });
    const { result } = await runCheck(made.deps, { ...made.input, signal: stop.signal });
    expect(result.failure?.code).toBe('Interrupted');
    expect(made.asked.engines).toEqual([]);
  });

  it('says that time was up, soon enough before the deadline to be heard', async () => {
    const limits: number[] = [];
    const { deps, input } = await aRunWorld({
      deps: {
        withinLimits: (limit, work) => {
          limits.push(limit.timeoutMs);
          return work(AbortSignal.abort(new HoldfastError('TimedOut', 'too long')));
        },
      },
    });
    expect((await runCheck(deps, input)).result.failure?.code).toBe('TimedOut');
    expect(limits).toEqual([39 * 60_000]);
  });

  it.each([
    { deadline: '2026-11-30T12:01:00.000Z', limit: 30_000 },
    { deadline: '2026-11-30T11:00:00.000Z', limit: 0 },
  ])('has $limit ms where it starts at noon and is to end at $deadline', async ({ deadline, limit }) => {
    const limits: number[] = [];
    const { deps, input } = await aRunWorld({
      spec: aRunSpec({}, { deadline }),
      deps: {
        withinLimits: (given, work) => {
          limits.push(given.timeoutMs);
          return work(given.signal);
        },
      },
    });
    await runCheck(deps, input);
    expect(limits).toEqual([limit]);
  });

  it('ends with a bug as it is: nobody has foreseen what it means', async () => {
    const { deps, input } = await aRunWorld({ plan: () => Promise.reject(new TypeError('a bug')) });
    await expect(runCheck(deps, input)).rejects.toThrow('a bug');
  });

  it('fails where the report can not be written', async () => {
    const { deps, input } = await aRunWorld({
      artifacts: { putReport: () => Promise.reject(new Error('AccessDenied')) },
    });
    await expect(runCheck(deps, input)).rejects.toThrow('AccessDenied');
  });

  it('fails where there is no spec', async () => {
    const { deps, input } = await aRunWorld();
    await expect(runCheck(deps, { ...input, runId: 'another' })).rejects.toThrow(
      expect.objectContaining({ code: 'RunNotFound' }),
    );
  });
});
