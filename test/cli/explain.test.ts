import { describe, expect, it } from 'vitest';
import { NO_RULES } from '../../lib/domain/rules.ts';
import { DRIFTED, FILES, PLANNED } from '../support/check-world.ts';
import { runCli } from '../support/cli-world.ts';
import { planText } from '../support/plan-builder.ts';

const texts = {
  'plans/plan.json': planText(DRIFTED),
  '-': planText(DRIFTED),
  'planned.json': planText(PLANNED),
  'ui.jsonl': '{"type":"change_summary","changes":{"add":0,"change":1,"remove":0,"operation":"plan"}}',
  'failed.jsonl': '{"type":"diagnostic","diagnostic":{"severity":"error","summary":"no such type"}}',
  'state.json': '{"format_version":"1.0"}',
};

const explained = async (...args: readonly string[]) =>
  JSON.parse((await runCli(['explain', ...args, '--format', 'json'], { texts })).stdout);

describe('holdfast explain', () => {
  it('reports what a plan document holds, and exits as a check does', async () => {
    const { stdout, exitCode } = await runCli(['explain', 'plans/plan.json'], { texts });

    expect(stdout).toContain('aws_sqs_queue.a');
    expect(exitCode).toBe(2);
    expect((await runCli(['explain', 'planned.json'], { texts })).exitCode).toBe(0);
  });

  it('calls the stack by its file, unless told otherwise', async () => {
    expect((await explained('plans/plan.json')).stack).toBe('plan.json');
    expect((await explained('-')).stack).toBe('stdin');
    expect((await explained('-', '--stack', 'prod/queues')).stack).toBe('prod/queues');
  });

  it('takes the exit code and the event stream into account', async () => {
    const result = await explained('plans/plan.json', '--exit-code', '2', '--ui', 'ui.jsonl');

    expect(result).toMatchObject({ exitCode: 2, verdict: 'drifted', warnings: [{ code: 'source-missing' }] });
  });

  it('takes a negative exit code, as some languages give for a signal', async () => {
    expect(await explained('plans/plan.json', '--exit-code', '-9')).toMatchObject({
      verdict: 'failed',
      failure: { code: 'UnexpectedExit' },
    });
  });

  it('exits with 1 for a plan that failed', async () => {
    expect((await runCli(['explain', '-', '--ui', 'failed.jsonl'], { texts })).exitCode).toBe(1);
    expect((await runCli(['explain', '-', '--exit-code', '1'], { texts })).exitCode).toBe(1);
  });

  it('compares with a baseline', async () => {
    const files: string[] = [];
    const readBaseline = async (file: string) => {
      files.push(file);
      return { digests: FILES, at: '2026-11-29T12:00:00.000Z' };
    };
    const { stdout } = await runCli(['explain', 'planned.json', '--baseline', 'result.json', '--format', 'json'], {
      texts,
      services: { readBaseline },
    });

    expect(files).toEqual(['result.json']);
    expect(JSON.parse(stdout).warnings).toContainEqual(expect.objectContaining({ code: 'baseline-not-comparable' }));
  });

  it('brings in the rules of a file', async () => {
    const rules = { ...NO_RULES, severity: [{ stack: '*', address: '*', path: '*', severity: 'info' as const }] };
    const { exitCode } = await runCli(['explain', '-', '--ignore', 'rules.yaml'], {
      texts,
      services: { readRules: async () => rules },
    });

    expect(exitCode).toBe(0);
  });

  it('fails on what is no plan, and prints nothing', async () => {
    const { error, stdout } = await runCli(['explain', 'state.json'], { texts });

    expect(error).toMatchObject({ code: 'PlanUnreadable' });
    expect(stdout).toBe('');
  });

  it('fails to read two things from standard input', async () => {
    const { error } = await runCli(['explain', '-', '--ui', '-'], { texts });

    expect(error).toMatchObject({ code: 'ArgumentInvalid', message: expect.stringContaining('standard input') });
  });

  it('fails to show every value to a pipe', async () => {
    expect((await runCli(['explain', '-', '--show-values'], { texts })).error).toMatchObject({
      code: 'ArgumentInvalid',
    });
    expect((await runCli(['explain', '-', '--show-values'], { texts, terminal: 100 })).exitCode).toBe(2);
  });
});
