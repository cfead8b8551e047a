import { describe, expect, it } from 'vitest';
import type { RunProgress } from '../../lib/ports/engine-runner.ts';
import { CLEAN_STREAM, type FakeAct } from '../support/fake-engine.ts';
import { startFakeRun } from '../support/fake-run.ts';

const CLEAN: Readonly<Record<string, FakeAct>> = { plan: { stdout: CLEAN_STREAM } };
const DOCUMENT = { show: { stdout: '{"format_version":"1.2"}' } };

describe('what the engine is asked', () => {
  it('passes every input on, in its order', async () => {
    const { engine, run } = await startFakeRun({
      acts: { ...CLEAN, plan: { stdout: CLEAN_STREAM, exit: 2 }, ...DOCUMENT },
      request: {
        backendConfig: ['bucket=b', 'prod.hcl'],
        varFiles: ['a.tfvars', '/b c.tfvars'],
        vars: ['x=1 = $(id)', 'y=[]'],
        mode: 'refresh-only',
      },
    });
    await run;
    const [init, plan, show] = engine.calls();
    expect(init).toEqual([
      'init',
      '-input=false',
      '-no-color',
      '-json',
      '-backend-config=bucket=b',
      '-backend-config=prod.hcl',
    ]);
    const planFile = plan?.find((arg) => arg.startsWith('-out='))?.slice('-out='.length);
    expect(plan).toEqual([
      'plan',
      '-json',
      '-detailed-exitcode',
      '-lock=false',
      '-input=false',
      `-out=${planFile}`,
      '-refresh-only',
      '-var-file=a.tfvars',
      '-var-file=/b c.tfvars',
      '-var=x=1 = $(id)',
      '-var=y=[]',
    ]);
    expect(show).toEqual(['show', '-json', planFile]);
  });
});

describe('what depends on engine and surroundings', () => {
  it.each([
    ['terraform', '1.8.5', false],
    ['terraform', '1.9.0-beta1', true],
    ['terraform', 'dev', false],
    ['tofu', '1.6.2', false],
    ['tofu', '1.7.0', true],
  ] as const)('asks %s %s for events on init: %s', async (name, version, events) => {
    const { engine, run } = await startFakeRun({ acts: CLEAN, tool: { name, version } });
    await run;
    expect(engine.calls()[0]?.includes('-json')).toBe(events);
  });

  it('gives OpenTofu its variables early', async () => {
    const { engine, run } = await startFakeRun({
      acts: { plan: { stdout: CLEAN_STREAM, exit: 2 }, ...DOCUMENT },
      tool: { name: 'tofu', version: '1.8.0' },
      request: { vars: ['x=1'] },
    });
    expect((await run).engine).toEqual({ name: 'tofu', version: '1.8.0' });
    expect(engine.calls().map((args) => args.includes('-var=x=1'))).toEqual([true, true, true]);
  });

  it('gives the engine its part of the environment', async () => {
    const { engine, run } = await startFakeRun({
      acts: CLEAN,
      options: { env: { ...process.env, TF_CLI_ARGS: '-destroy', TF_WORKSPACE: 'other' }, cliConfigFile: '/etc/tfrc' },
    });
    await run;
    const [init] = engine.log();
    expect(init?.env).toMatchObject({ TF_IN_AUTOMATION: '1', TF_CLI_CONFIG_FILE: '/etc/tfrc' });
    expect(init?.env).not.toHaveProperty('TF_CLI_ARGS');
    expect(init?.env).not.toHaveProperty('TF_WORKSPACE');
  });

  it('initialises one stack at a time where the plugin cache is shared', async () => {
    const acts = { ...CLEAN, init: { takesMs: 50 } };
    const options = { env: { ...process.env, TF_PLUGIN_CACHE_DIR: '/cache' } };
    const first = await startFakeRun({ acts, options });
    const second = await startFakeRun({ acts, options, request: { directory: first.engine.directory } });
    await Promise.all([first.run, second.run]);
    const inits = first.engine.log().filter(({ command }) => command === 'init');
    expect(inits.map(({ done }) => done === true)).toEqual([false, true, false, true]);
  });
});

describe('workspaces', () => {
  const acts = { ...CLEAN, workspace: { stdout: '  default\n* blue\n  green\n\n' } };

  it('tells the engine of a workspace only once it is known to exist', async () => {
    const { engine, run } = await startFakeRun({ acts, request: { workspace: 'green' } });
    await run;
    expect(
      engine.log().flatMap(({ command, env }) => (env === undefined ? [] : [[command, env.TF_WORKSPACE]])),
    ).toEqual([
      ['init', undefined],
      ['workspace', undefined],
      ['plan', 'green'],
    ]);
  });

  it('fails for a workspace that does not exist, which the engine would make', async () => {
    const { engine, run } = await startFakeRun({ acts, request: { workspace: 'gren' } });
    await expect(run).rejects.toMatchObject({ code: 'StackNotFound', message: expect.stringContaining('"gren"') });
    expect(engine.calls().map(([command]) => command)).toEqual(['init', 'workspace']);
  });

  it('does not look for the default workspace, which always exists', async () => {
    const { engine, run } = await startFakeRun({ acts, request: { workspace: 'default' } });
    await run;
    expect(engine.calls().map(([command]) => command)).toEqual(['init', 'plan']);
  });
});

describe('what the engine prints', () => {
  it('skips show after a clean plan', async () => {
    const steps: RunProgress[] = [];
    const { engine, run } = await startFakeRun({
      acts: CLEAN,
      request: { onProgress: (progress) => steps.push(progress) },
    });
    expect(await run).toMatchObject({ exitCode: 0, engine: { name: 'terraform', version: '1.11.4' } });
    expect(await run).not.toHaveProperty('document');
    expect(engine.calls().map(([command]) => command)).toEqual(['init', 'plan']);
    expect(steps).toEqual([{ step: 'init' }, { step: 'plan' }]);
  });

  it('shows a plan whose stream has no summary, even with exit code 0', async () => {
    const { run } = await startFakeRun({
      acts: { plan: { stdout: '{"type":"version","terraform":"1.11.4"}\n' }, ...DOCUMENT },
    });
    expect(await run).toMatchObject({ exitCode: 0, document: DOCUMENT.show.stdout });
  });

  it('reports progress while resources are refreshed', async () => {
    const steps: RunProgress[] = [];
    const stdout = '{"type":"refresh_complete"}\n{"type":"refresh_complete"}\n';
    const { run } = await startFakeRun({
      acts: { plan: { stdout, exit: 2 }, ...DOCUMENT },
      request: { onProgress: (progress) => steps.push(progress) },
    });
    await run;
    expect(steps).toEqual([
      { step: 'init' },
      { step: 'plan' },
      { step: 'refresh', count: 1 },
      { step: 'refresh', count: 2 },
      { step: 'show' },
    ]);
  });

  it('reads characters that arrive in pieces', async () => {
    const drift = { type: 'resource_drift', change: { resource: { addr: 'a.b["Grüße 🌊"]' } } };
    const { run } = await startFakeRun({
      acts: { plan: { stdout: `${JSON.stringify(drift)}\n`, writeSize: 1, exit: 2 }, ...DOCUMENT },
    });
    expect((await run).stream.drifted.addresses).toEqual(['a.b["Grüße 🌊"]']);
  });

  it('drops a line too long to be an event, and reads the next', async () => {
    const { run } = await startFakeRun({
      acts: { plan: { floodStdout: 4_000_000, stdout: `\n${CLEAN_STREAM}` }, ...DOCUMENT },
    });
    const { stream, document } = await run;
    expect(stream).toMatchObject({ unparsedLines: 1, summary: { operation: 'plan' } });
    expect(document).toBeDefined();
  });

  it('survives rubbish on both outputs', async () => {
    const { run } = await startFakeRun({
      acts: {
        plan: { stdout: `panic: at the disco\n${CLEAN_STREAM}`, floodStderr: 4_000_000 },
        show: { ...DOCUMENT.show, floodStderr: 4_000_000 },
      },
    });
    expect(await run).toMatchObject({ stream: { unparsedLines: 1 }, document: DOCUMENT.show.stdout });
  });

  it('reads a document whose characters arrive in pieces', async () => {
    const stdout = '{"a":"Grüße 🌊"}';
    const { run } = await startFakeRun({ acts: { plan: { exit: 2 }, show: { stdout, writeSize: 1 } } });
    expect((await run).document).toBe(stdout);
  });
});
