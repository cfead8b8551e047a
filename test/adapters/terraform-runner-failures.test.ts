import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PlanRequest, RunProgress } from '../../lib/ports/engine-runner.ts';
import { aFakeEngine, CLEAN_STREAM, type FakeAct } from '../support/fake-engine.ts';
import { aPlanRequest, startFakeRun } from '../support/fake-run.ts';
import { hasEnded } from '../support/processes.ts';

const RUNNER = path.join(import.meta.dirname, '../../lib/adapters/terraform-runner.ts');
const CLEAN: Readonly<Record<string, FakeAct>> = { plan: { stdout: CLEAN_STREAM } };
const DOCUMENT = { show: { stdout: '{"format_version":"1.2"}' } };

const diagnostic = (summary: string, more: object = {}) =>
  `${JSON.stringify({ type: 'diagnostic', diagnostic: { severity: 'error', summary, ...more } })}\n`;
const range = { filename: 'main.tf', start: { line: 7, column: 3 } };

describe('failures', () => {
  it.each<[string, Readonly<Record<string, FakeAct>>, object]>([
    [
      'init finds an error',
      { init: { stdout: diagnostic('Unsupported block', { range }), exit: 1 } },
      { code: 'InitFailed', location: { file: 'main.tf', line: 7, column: 3 } },
    ],
    [
      'init says why in text only',
      { init: { stderr: 'Error: Unsupported block\n\n  on main.tf line 7, in terraform:\n', exit: 1 } },
      { code: 'InitFailed', message: expect.stringContaining('Unsupported block'), location: { line: 7 } },
    ],
    [
      'plan finds an error',
      { plan: { stdout: diagnostic('Invalid index', { range }), exit: 1 } },
      { code: 'PlanFailed' },
    ],
    [
      'somebody holds the lock',
      { plan: { stdout: diagnostic('Error acquiring the state lock', { detail: 'Lock Info:\n ID: 1' }), exit: 1 } },
      { code: 'StackBusy' },
    ],
    ['plan exits with 137', { plan: { stdout: CLEAN_STREAM, exit: 137 } }, { code: 'UnexpectedExit' }],
    ['plan exits with 139', { plan: { stdout: CLEAN_STREAM, exit: 139 } }, { code: 'UnexpectedExit' }],
    ['plan exits with 3', { plan: { stdout: CLEAN_STREAM, exit: 3 } }, { code: 'UnexpectedExit' }],
    [
      'plan is killed',
      { plan: { stdout: CLEAN_STREAM, raise: 'SIGKILL' } },
      { code: 'UnexpectedExit', message: expect.stringContaining('SIGKILL'), hint: expect.stringContaining('memory') },
    ],
    ['init exits with 2', { init: { exit: 2 } }, { code: 'UnexpectedExit' }],
    [
      'show fails',
      { plan: { exit: 2 }, show: { stderr: 'Error: Failed to read plan file\n', exit: 1 } },
      { code: 'EngineFailed', message: 'terraform show failed: Failed to read plan file' },
    ],
  ])('fails where %s, and leaves no plan file', async (_, acts, error) => {
    const { run, leftovers } = await startFakeRun({ acts });
    await expect(run).rejects.toMatchObject(error);
    expect(await leftovers()).toEqual([]);
  });
});

describe('a document over the limit', () => {
  it('fails for a document over the limit, and stops the engine', async () => {
    const { engine, run, leftovers } = await startFakeRun({
      acts: { plan: { exit: 2 }, show: { floodStdout: 1_000_000, onInterrupt: 'finish' } },
      options: { maxDocumentBytes: 1000 },
    });
    await expect(run).rejects.toMatchObject({ code: 'PlanUnreadable', message: expect.stringContaining('1000 bytes') });
    expect(await hasEnded(engine.log().at(-1)?.pid ?? 0)).toBe(true);
    expect(await leftovers()).toEqual([]);
  });

  it('reads a document of just the limit', async () => {
    const { run } = await startFakeRun({
      acts: { plan: { exit: 2 }, ...DOCUMENT },
      options: { maxDocumentBytes: DOCUMENT.show.stdout.length },
    });
    expect((await run).document).toBe(DOCUMENT.show.stdout);
  });
});

describe('an engine that can not be started', () => {
  it('fails without an engine', async () => {
    const { run, leftovers } = await startFakeRun({ tool: { path: '/nowhere/terraform' } });
    await expect(run).rejects.toMatchObject({
      code: 'EngineMissing',
      message: 'terraform was not found at /nowhere/terraform',
    });
    expect(await leftovers()).toEqual([]);
  });

  it('fails with an engine that may not be executed', async () => {
    const { run } = await startFakeRun({ tool: { path: '/etc/passwd' } });
    await expect(run).rejects.toMatchObject({ code: 'EngineMissing', message: expect.stringContaining('EACCES') });
  });

  it('fails for a directory that is gone, and does not blame the engine', async () => {
    const { run } = await startFakeRun({ request: { directory: '/nowhere/stack' } });
    await expect(run).rejects.toMatchObject({ code: 'StackNotFound', message: 'no directory /nowhere/stack' });
  });
});

/** A request that is stopped as soon as the engine says it is ready. */
function stoppedWhenReady(): Partial<PlanRequest> {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    onProgress: ({ step }) => {
      if (step === 'refresh') controller.abort();
    },
  };
}

describe('stopping', () => {
  it('sends one interrupt, no more, and waits for the engine to finish', async () => {
    const { engine, run, leftovers } = await startFakeRun({
      acts: { plan: { onInterrupt: 'finish' } },
      request: stoppedWhenReady(),
    });
    await expect(run).rejects.toMatchObject({ code: 'Interrupted' });
    const plan = engine.log().filter(({ command }) => command === 'plan');
    expect(plan.flatMap(({ interrupts }) => interrupts ?? [])).toEqual([1]);
    expect(plan.at(-1)?.done).toBe(true);
    expect(await leftovers()).toEqual([]);
  });

  it('kills an engine that does not finish, after the time it is given', async () => {
    const { engine, run, leftovers } = await startFakeRun({
      acts: { plan: { onInterrupt: 'ignore' } },
      request: stoppedWhenReady(),
      options: { graceMs: 50 },
    });
    await expect(run).rejects.toMatchObject({ code: 'Interrupted' });
    expect(engine.log().at(-1)).toMatchObject({ command: 'plan', interrupts: 1 });
    expect(await hasEnded(engine.log().at(-1)?.pid ?? 0)).toBe(true);
    expect(await leftovers()).toEqual([]);
  });

  it('stops a run that takes too long', async () => {
    const { run, leftovers } = await startFakeRun({
      acts: { init: { onInterrupt: 'finish' } },
      request: { timeoutMs: 500 },
    });
    await expect(run).rejects.toMatchObject({
      code: 'TimedOut',
      message: 'the run took longer than 0.5 s and was stopped',
    });
    expect(await leftovers()).toEqual([]);
  });

  it('takes a time limit beyond any timer for what it means', async () => {
    const { run } = await startFakeRun({ acts: CLEAN, request: { timeoutMs: Number.POSITIVE_INFINITY } });
    expect((await run).exitCode).toBe(0);
  });

  it('starts nothing where it was stopped before', async () => {
    const { engine, run, leftovers } = await startFakeRun({ request: { signal: AbortSignal.abort() } });
    await expect(run).rejects.toMatchObject({ code: 'Interrupted' });
    expect(() => engine.log()).toThrow(/ENOENT/);
    expect(await leftovers()).toEqual([]);
  });

  it('starts no further command where it was stopped between two', async () => {
    const controller = new AbortController();
    const onProgress = ({ step }: RunProgress) => {
      if (step === 'plan') controller.abort();
    };
    const { engine, run } = await startFakeRun({ acts: CLEAN, request: { signal: controller.signal, onProgress } });
    await expect(run).rejects.toMatchObject({ code: 'Interrupted' });
    expect(engine.calls().map(([command]) => command)).toEqual(['init']);
  });
});

describe('the end of the process', () => {
  it('ends the engine and removes the plan file', async () => {
    const { path: engine, directory, log } = await aFakeEngine({ plan: { onInterrupt: 'ignore' } });
    const tempRoot = path.join(directory, 'temp');
    await mkdir(tempRoot);
    const request = JSON.stringify(aPlanRequest(directory));
    const script = `
      import { createTerraformRunner } from ${JSON.stringify(RUNNER)};
      const tool = { name: 'terraform', path: ${JSON.stringify(engine)}, version: '1.11.4' };
      const onProgress = ({ step }) => step === 'refresh' && process.exit(3);
      await createTerraformRunner({ tool, env: process.env, tempRoot: ${JSON.stringify(tempRoot)} }).run({ ...${request}, onProgress });`;
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', script]).status).toBe(3);
    expect(await hasEnded(log().at(-1)?.pid ?? 0)).toBe(true);
    expect(await readdir(tempRoot)).toEqual([]);
  });
});

describe('the private folder', () => {
  it('is for this user only, and gone afterwards', async () => {
    const root = await mkdtemp(path.join(tmpdir(), 'runner-test-'));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    await mkdir(path.join(root, 'other'));
    const { engine, run } = await startFakeRun({ acts: CLEAN, options: { tempRoot: root } });
    await run;
    expect(engine.log().find(({ mode }) => mode !== undefined)?.mode).toBe('700');
    expect(await readdir(root)).toEqual(['other']);
  });
});
