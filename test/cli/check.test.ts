import { describe, expect, it } from 'vitest';
import { HoldfastError } from '../../lib/domain/errors.ts';
import { NO_RULES } from '../../lib/domain/rules.ts';
import { aPlanRun, CLEAN, checkDeps, DRIFTED } from '../support/check-world.ts';
import { runCli } from '../support/cli-world.ts';

const DRIFT = { '/prod': aPlanRun(DRIFTED, 2) };

describe('holdfast check', () => {
  it('checks this directory where none is named', async () => {
    const { patterns, requests, stdout, exitCode } = await runCli(['check']);

    expect(patterns).toEqual([['.']]);
    expect(requests.map(({ directory }) => directory)).toEqual(['/.']);
    expect(stdout).toContain('in sync');
    expect(exitCode).toBe(0);
  });

  it('exits with 2 where something drifted', async () => {
    const { stdout, exitCode } = await runCli(['check', 'prod'], { runs: DRIFT });

    expect(stdout).toContain('aws_sqs_queue.a');
    expect(exitCode).toBe(2);
  });

  it('shows both of two stacks of which one fails, and exits with 1', async () => {
    const runs = { ...DRIFT, '/dev': new HoldfastError('PlanFailed', 'terraform plan failed: no such type') };

    const { stdout, exitCode } = await runCli(['check', 'dev', 'prod'], { runs });

    expect(stdout).toContain('no such type');
    expect(stdout).toContain('aws_sqs_queue.a');
    expect(exitCode).toBe(1);
  });

  it('fails where a pattern names no stack, before anything runs', async () => {
    const find = async () => {
      throw new HoldfastError('StackNotFound', 'nope names no directory');
    };
    const { error, requests, stdout } = await runCli(['check', 'nope'], { services: { stacks: { find } } });

    expect(error).toMatchObject({ code: 'StackNotFound' });
    expect(requests).toEqual([]);
    expect(stdout).toBe('');
  });
});

describe('options of holdfast check', () => {
  it('stay at their defaults', async () => {
    const { requests, checkers } = await runCli(['check', 'prod']);

    expect(checkers).toEqual([{ engine: { name: 'auto' }, stateDirectory: undefined, handOn: [] }]);
    expect(requests).toEqual([
      {
        directory: '/prod',
        backendConfig: [],
        varFiles: [],
        vars: [],
        mode: 'plan',
        timeoutMs: 1_800_000,
        signal: expect.any(AbortSignal),
        onProgress: expect.any(Function),
      },
    ]);
  });

  it('reach the engine', async () => {
    const args = [
      ...['--workspace', 'eu', '--var-file', 'a.tfvars', '--var-file', 'b.tfvars', '--var', 'a=1', '--var', 'b=2'],
      ...['--backend-config', 'key=x', '--timeout', '90s', '--refresh-only', '--engine', 'tofu@~> 1.10'],
      ...['--state', '.holdfast', '--env', 'GITHUB_TOKEN', '--env', 'DD_API_KEY'],
    ];
    const { requests, checkers } = await runCli(['check', 'prod', ...args]);

    expect(requests[0]).toMatchObject({
      workspace: 'eu',
      varFiles: ['a.tfvars', 'b.tfvars'],
      vars: ['a=1', 'b=2'],
      backendConfig: ['key=x'],
      timeoutMs: 90_000,
      mode: 'refresh-only',
    });
    expect(checkers).toEqual([
      {
        engine: { name: 'tofu', constraint: '~> 1.10' },
        stateDirectory: '.holdfast',
        handOn: ['GITHUB_TOKEN', 'DD_API_KEY'],
      },
    ]);
  });

  it('make each workspace a stack of its own', async () => {
    const { stdout } = await runCli(['check', 'prod', '--workspace', 'eu', '--format', 'json']);

    expect(JSON.parse(stdout).stack).toBe('prod@eu');
  });

  it('hand on the signal to stop', async () => {
    const interrupted = new AbortController();
    const { requests } = await runCli(['check', 'prod'], { services: { signal: interrupted.signal } });

    interrupted.abort();

    expect(requests[0]?.signal?.aborted).toBe(true);
  });

  it('bring in the rules of a file', async () => {
    const ignore = { stack: '*', address: '*', path: '*', owner: 'team', reason: 'known', expires: 'never' };
    const files: string[] = [];
    const readRules = async (file: string) => {
      files.push(file);
      return { ...NO_RULES, ignore: [ignore] };
    };

    const { exitCode } = await runCli(['check', 'prod', '--ignore', 'rules.yaml'], {
      runs: DRIFT,
      services: { readRules },
    });

    expect(files).toEqual(['rules.yaml']);
    expect(exitCode).toBe(0);
  });

  it.each([
    ['medium', 2],
    ['high', 0],
  ])('let drift of medium severity fail from %s on: exit code %i', async (failOn, exitCode) => {
    expect((await runCli(['check', 'prod', '--fail-on', failOn], { runs: DRIFT })).exitCode).toBe(exitCode);
  });

  it('bound how many checks run at a time', async () => {
    let running = 0;
    let most = 0;
    const engine = {
      async run() {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return aPlanRun(CLEAN, 0);
      },
    };
    const checker = async () => ({ ...checkDeps().deps, engine });

    await runCli(['check', 'a', 'b', 'c', 'd', '--concurrency', '2'], { services: { checker } });

    expect(most).toBe(2);
  });
});

describe('what holdfast check shows', () => {
  it('tells on stderr of each stack as it starts and ends, unless told to be quiet', async () => {
    const { stderr, stdout } = await runCli(['check', 'dev', 'prod'], { runs: DRIFT });

    expect(stderr.split('\n').filter((line) => line !== '')).toEqual([
      'dev: checking',
      'prod: checking',
      expect.stringMatching(/^dev: in sync/),
      expect.stringMatching(/^prod: drifted/),
    ]);
    expect(stdout).not.toContain('checking');
    expect((await runCli(['check', 'prod', '--quiet'])).stderr).toBe('');
  });

  it('is no secret that the environment or a variable holds', async () => {
    const error = new HoldfastError('InitFailed', 'denied for wJalrXUtnFEMI with hunter22');
    const { stdout } = await runCli(['check', 'prod', '--var', 'db_password=hunter22'], {
      runs: { '/prod': error },
      services: { env: { AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI' } },
    });

    expect(stdout).toContain('denied for (sensitive) with (sensitive)');
  });

  it('are values on a terminal only, where asked for', async () => {
    const args = ['check', 'prod', '--show-values'];

    expect((await runCli(args, { runs: DRIFT, terminal: 100 })).stdout).toMatch(/0.*5/);
    const piped = await runCli(args, { runs: DRIFT });
    expect(piped.error).toMatchObject({ code: 'ArgumentInvalid', message: expect.stringContaining('--show-values') });
    expect(piped.requests).toEqual([]);
  });

  it.each(['json', 'markdown', 'junit', 'sarif'])('comes as %s too', async (format) => {
    const { stdout, exitCode } = await runCli(['check', 'prod', '--format', format], { runs: DRIFT });

    expect(stdout).toMatch(/aws.?_sqs.?_queue\.a/);
    expect(exitCode).toBe(2);
  });
});
