import { describe, expect, it } from 'vitest';
import { checkStack } from '../../lib/app/check-stack.ts';
import { Result } from '../../lib/contract/result-schema.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import { NO_RULES } from '../../lib/domain/rules.ts';
import { readUiStream } from '../../lib/domain/ui-stream.ts';
import { aCheck, aPlanRun, CLEAN, checkDeps, DRIFTED, FILES, PLANNED } from '../support/check-world.ts';

const failing = (...args: ConstructorParameters<typeof HoldfastError>) =>
  checkStack(checkDeps({ runs: { '/a': new HoldfastError(...args) } }).deps, aCheck('a'));

describe('checkStack', () => {
  it('tells what a plan found, by which engine, when, and how long it took', async () => {
    const { deps, requests } = checkDeps({ runs: { '/a': aPlanRun(DRIFTED, 2) } });
    const input = aCheck('a');

    const result = await checkStack(deps, input);

    expect(requests).toEqual([input.request]);
    expect(result).toMatchObject({
      stack: 'a',
      mode: 'plan',
      verdict: 'drifted',
      exitCode: 2,
      engine: { name: 'terraform', version: '1.11.4', formatVersion: '1.2' },
      digests: FILES,
      startedAt: '2026-11-30T12:00:00.000Z',
      durationMs: 1000,
    });
    expect(Result.parse(result)).toEqual(result);
  });

  it('takes a plan with nothing to show for in sync', async () => {
    const { document: _, ...run } = aPlanRun(CLEAN, 0);

    expect(await checkStack(checkDeps({ runs: { '/a': run } }).deps, aCheck('a'))).toMatchObject({
      verdict: 'in-sync',
      engine: { version: '1.11.4', formatVersion: null },
    });
  });

  it('keeps what it found where the baseline cannot be kept, and says so', async () => {
    const { deps } = checkDeps();
    const unwritable = (error: Error) => ({
      ...deps,
      baselines: { ...deps.baselines, save: () => Promise.reject(error) },
    });

    const result = await checkStack(unwritable(new HoldfastError('BaselineUnwritable', 'disk full')), aCheck('a'));

    expect(result).toMatchObject({ verdict: 'in-sync', warnings: [{ code: 'baseline-unsaved' }] });
    await expect(checkStack(unwritable(new Error('a bug')), aCheck('a'))).rejects.toThrow('a bug');
  });

  it("holds Terraform's own counts against the document", async () => {
    const stream = readUiStream(
      '{"type":"change_summary","changes":{"add":7,"change":0,"remove":0,"operation":"plan"}}',
    );
    const { deps } = checkDeps({ runs: { '/a': { ...aPlanRun(CLEAN, 0), stream } } });

    expect((await checkStack(deps, aCheck('a'))).warnings.map(({ code }) => code)).toEqual(['summary-disagrees']);
  });

  it('knows from the files what is ignored on purpose', async () => {
    const parts = {
      ...CLEAN,
      drift: [{ address: 'aws_sqs_queue.a', actions: ['update'], before: { policy: 'x' }, after: { policy: 'y' } }],
    };
    const runs = { '/a': aPlanRun(parts, 0) };
    const source = { ignoreChanges: new Map([['aws_sqs_queue.a', ['policy']]]) };

    expect((await checkStack(checkDeps({ runs }).deps, aCheck('a'))).verdict).toBe('drifted');
    expect((await checkStack(checkDeps({ runs, source }).deps, aCheck('a'))).verdict).toBe('in-sync');
  });

  it('applies the rules of the team as of the day of the check', async () => {
    const rule = { stack: 'a', address: '*', path: '*', owner: 'team', reason: 'known' };
    const check = (expires: string) =>
      checkStack(
        checkDeps({ runs: { '/a': aPlanRun(DRIFTED, 2) } }).deps,
        aCheck('a', { rules: { ...NO_RULES, ignore: [{ ...rule, expires }] } }),
      );

    expect((await check('2026-11-30')).verdict).toBe('in-sync');
    expect((await check('2026-11-29')).verdict).toBe('drifted');
  });

  it('shows no known secret', async () => {
    const parts = { changes: [], drift: [{ address: 'x.y["hunter22"]', actions: ['delete'] }] };
    const { deps } = checkDeps({ runs: { '/a': aPlanRun(parts, 2) } });

    const result = await checkStack(deps, aCheck('a', { knownSecrets: ['hunter22'] }));

    expect(result.findings[0]?.address).toBe('x.y["(sensitive)"]');
  });

  it('gives no negative time where the clock is set back', async () => {
    const times = ['2026-11-30T12:00:01Z', '2026-11-30T12:00:00Z'];
    const clock = { now: () => new Date(times.shift() ?? '') };

    expect((await checkStack({ ...checkDeps().deps, clock }, aCheck('a'))).durationMs).toBe(0);
  });
});

describe('the baseline of a checked stack', () => {
  it('is kept where nothing was pending, drift or not', async () => {
    const { deps } = checkDeps({ runs: { '/drifted': aPlanRun(DRIFTED, 2) } });

    for (const name of ['clean', 'drifted']) {
      await checkStack(deps, aCheck(name));
      expect(await deps.baselines.load(name)).toMatchObject({ digests: FILES });
    }
    expect(await deps.baselines.load('clean')).toEqual({ digests: FILES, at: '2026-11-30T12:00:00.000Z' });
  });

  it('tells drift that was accepted into the state from unapplied configuration', async () => {
    const { deps } = checkDeps();
    const planning = (config: string) => ({
      ...deps,
      engine: { run: async () => aPlanRun(PLANNED, 2) },
      modules: { read: async () => ({ digests: { ...FILES, config }, ignoreChanges: new Map() }) },
    });

    const first = await checkStack(planning(FILES.config), aCheck('a'));
    await checkStack(deps, aCheck('a'));
    const accepted = await checkStack(planning(FILES.config), aCheck('a'));
    const changed = await checkStack(planning('f'.repeat(64)), aCheck('a'));

    expect(first).toMatchObject({ verdict: 'pending', baseline: { kind: 'none' } });
    expect(accepted).toMatchObject({ verdict: 'drifted', baseline: { kind: 'same' } });
    expect(accepted.findings[0]?.class).toBe('absorbed');
    expect(changed).toMatchObject({ verdict: 'pending', baseline: { kind: 'differs', changed: ['config'] } });
  });

  it('stays as it was while something is pending or absorbed, or the run failed', async () => {
    const { deps } = checkDeps({
      runs: { '/pending': aPlanRun(PLANNED, 2), '/failed': aPlanRun(DRIFTED, 0) },
    });

    for (const name of ['pending', 'failed']) {
      await checkStack(deps, aCheck(name));
      expect(await deps.baselines.load(name)).toBeUndefined();
    }
  });
});

describe('checkStack on a broken promise', () => {
  it('fails with what went wrong, where, and what to do', async () => {
    const location = { file: 'main.tf', line: 3, column: 1 };

    expect(await failing('PlanFailed', 'no such type', { location, hint: 'Fix it.' })).toMatchObject({
      stack: 'a',
      verdict: 'failed',
      complete: false,
      exitCode: 1,
      engine: { name: null, version: null, formatVersion: null },
      failure: { code: 'PlanFailed', message: 'no such type', location, hint: 'Fix it.' },
      startedAt: '2026-11-30T12:00:00.000Z',
      durationMs: 1000,
    });
  });

  it('fails without an exit code where the plan did not end by itself', async () => {
    expect(await failing('TimedOut', 'took too long')).toMatchObject({ verdict: 'failed', exitCode: null });
  });

  it('takes a locked stack for busy', async () => {
    expect((await failing('StackBusy', 'locked by ci')).verdict).toBe('busy');
  });

  it('fails on a document that is none', async () => {
    const { deps } = checkDeps({ runs: { '/a': { ...aPlanRun(CLEAN, 0), document: '{"format_version":"1.0"}' } } });

    expect((await checkStack(deps, aCheck('a'))).failure?.code).toBe('PlanUnreadable');
  });

  it('shows neither secrets nor control characters', async () => {
    const { deps } = checkDeps({ runs: { '/a': new HoldfastError('InitFailed', 'bad hunter22\n') } });

    const { failure } = await checkStack(deps, aCheck('a', { knownSecrets: ['hunter22'] }));

    expect(failure).toEqual({ code: 'InitFailed', message: 'bad (sensitive)\\u000a' });
  });

  it('lets a bug crash', async () => {
    const { deps } = checkDeps({ runs: { '/a': new TypeError('undefined is not a function') } });

    await expect(checkStack(deps, aCheck('a'))).rejects.toThrow(TypeError);
  });
});
