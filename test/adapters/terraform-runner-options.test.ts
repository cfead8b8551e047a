import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTerraformRunner } from '../../lib/adapters/terraform-runner.ts';
import { HoldfastError } from '../../lib/domain/errors.ts';
import type { EngineLog } from '../../lib/ports/engine-runner.ts';
import { CLEAN_STREAM } from '../support/fake-engine.ts';
import { aPlanRequest, startFakeRun } from '../support/fake-run.ts';
import { aFolder } from '../support/temporary-folder.ts';
import { findTools } from '../support/tools.ts';

const CLEAN = { plan: { stdout: CLEAN_STREAM } };

function aLog() {
  const lines: string[] = [];
  const log: EngineLog = {
    command: ({ words, durationMs, end }) => {
      expect(durationMs).toBeGreaterThanOrEqual(0);
      lines.push(`${words.slice(0, 2).join(' ')} ${JSON.stringify(end)}`);
    },
    diagnostic: ({ severity, summary }) => lines.push(`${severity} ${summary}`),
  };
  return { log, lines };
}

describe('what only init gets', () => {
  it('is in its environment, gone before the plan', async () => {
    const ends: string[] = [];
    const forInit = {
      env: { GIT_ASKPASS: '/askpass', HOLDFAST_GIT_PASSWORD_0: 'hunter2' },
      end: async () => {
        ends.push('ended');
      },
    };
    const { engine, run } = await startFakeRun({ acts: CLEAN, options: { forInit } });
    await run;
    const environments = engine.log().flatMap(({ command, env }) => (env === undefined ? [] : [{ command, env }]));
    expect(environments).toMatchObject([
      { command: 'init', env: { HOLDFAST_GIT_PASSWORD_0: 'hunter2' } },
      { command: 'plan', env: {} },
    ]);
    expect(JSON.stringify(environments[1])).not.toContain('hunter2');
    expect(ends).toEqual(['ended']);
  });
});

describe('the log of an engine', () => {
  it('has every command that ended, and how', async () => {
    const { log, lines } = aLog();
    await (await startFakeRun({ acts: CLEAN, options: { log } })).run;
    expect(lines).toEqual(['terraform init {"code":0}', 'terraform plan {"code":0}']);
  });

  it('has all diagnostics of a command that failed', async () => {
    const diagnostic = (severity: string, summary: string) =>
      `${JSON.stringify({ type: 'diagnostic', diagnostic: { severity, summary, detail: '' } })}\n`;
    const stdout = diagnostic('error', 'first') + diagnostic('warning', 'old') + diagnostic('error', 'second');
    const { log, lines } = aLog();
    const { run } = await startFakeRun({ acts: { plan: { stdout, exit: 1 } }, options: { log } });
    await expect(run).rejects.toThrow(expect.objectContaining({ code: 'PlanFailed' }));
    expect(lines.slice(1)).toEqual(['terraform plan {"code":1}', 'error first', 'error second', 'warning old']);
  });

  it('has a command that was killed', async () => {
    const { log, lines } = aLog();
    const { run } = await startFakeRun({ acts: { plan: { raise: 'SIGKILL' } }, options: { log } });
    await expect(run).rejects.toThrow(expect.objectContaining({ code: 'UnexpectedExit' }));
    expect(lines.at(-1)).toBe('terraform plan {"signal":"SIGKILL"}');
  });
});

describe('a run that is stopped by an error of ours', () => {
  it('ends with that error', async () => {
    const stop = new AbortController();
    const reason = new HoldfastError('TimedOut', 'past the deadline');
    const { run } = await startFakeRun({
      acts: { plan: { onInterrupt: 'finish' } },
      request: {
        signal: stop.signal,
        onProgress: ({ step }) => {
          if (step === 'refresh') stop.abort(reason);
        },
      },
    });
    await expect(run).rejects.toBe(reason);
  });
});

describe('the plan file', () => {
  it('is handed on with the identity of the state where it is to be kept', async () => {
    const { terraform, env } = await findTools();
    const directory = await aFolder({ 'main.tf': 'resource "terraform_data" "a" {\n  input = "one"\n}\n' });
    for (const args of [['init'], ['apply', '-auto-approve']]) {
      execFileSync(terraform.path, args, { cwd: directory, env, stdio: 'pipe' });
    }
    const state = JSON.parse(readFileSync(join(directory, 'terraform.tfstate'), 'utf8')) as object;
    execFileSync('sed', ['-i', 's/one/two/', 'main.tf'], { cwd: directory });
    const tempRoot = await aFolder();
    const run = createTerraformRunner({ tool: terraform, env, tempRoot, planFile: 'keep' }).run;
    const { planFile, document } = await run(aPlanRequest(directory));
    expect(document).toBeDefined();
    expect(planFile?.state).toEqual({ lineage: expect.stringMatching(/^[0-9a-f-]{36}$/), serial: 1 });
    expect(state).toMatchObject(planFile?.state ?? {});
    // The same that Terraform wrote: it shows it again.
    await writeFile(join(directory, 'kept.tfplan'), planFile?.content ?? '');
    const shown = execFileSync(terraform.path, ['show', '-json', 'kept.tfplan'], {
      cwd: directory,
      env,
      encoding: 'utf8',
    });
    expect(JSON.parse(shown)).toMatchObject({ resource_changes: [{ address: 'terraform_data.a' }] });
  });

  it('tells nothing of a state where it is no archive', async () => {
    const stdout = CLEAN_STREAM.replace('"add":0', '"add":1');
    const { run } = await startFakeRun({
      acts: { plan: { stdout, exit: 2 }, show: { stdout: '{}' } },
      options: { planFile: 'keep' },
    });
    expect((await run).planFile).toEqual({ content: Buffer.from('a secret'), state: null });
  });

  it('is dropped where nobody asked for it', async () => {
    const stdout = CLEAN_STREAM.replace('"add":0', '"add":1');
    const { run } = await startFakeRun({ acts: { plan: { stdout, exit: 2 }, show: { stdout: '{}' } } });
    expect(await run).not.toHaveProperty('planFile');
  });
});
