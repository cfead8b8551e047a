import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createTerraformRunner } from '../../lib/adapters/terraform-runner.ts';
import { readPlanDocument } from '../../lib/domain/plan-document.ts';
import type { PlanRequest, PlanRun } from '../../lib/ports/engine-runner.ts';
import { aPlanRequest } from '../support/fake-run.ts';

const VERSION = /^Terraform v(\S+)/.exec(spawnSync('terraform', ['version'], { encoding: 'utf8' }).stdout ?? '')?.[1];

interface Stack {
  readonly directory: string;
  write(main: string): Promise<void>;
  terraform(...args: readonly string[]): void;
  /** Runs with these variables beside those of this process. */
  run(request?: Partial<PlanRequest>, env?: Readonly<Record<string, string>>): Promise<PlanRun>;
}

async function aStack(main: string): Promise<Stack> {
  const directory = await mkdtemp(path.join(tmpdir(), 'stack-'));
  const tempRoot = await mkdtemp(path.join(tmpdir(), 'runner-test-'));
  onTestFinished(async () => {
    // Whatever came of a run, its plan file is gone.
    expect(await readdir(tempRoot)).toEqual([]);
    await Promise.all([directory, tempRoot].map((folder) => rm(folder, { recursive: true })));
  });
  const write = (text: string) => writeFile(path.join(directory, 'main.tf'), text);
  await write(main);
  const tool = { name: 'terraform', path: 'terraform', version: VERSION ?? '' } as const;
  return {
    directory,
    write,
    terraform: (...args) => {
      const { status, stderr } = spawnSync('terraform', args, { cwd: directory, encoding: 'utf8' });
      expect(status, stderr).toBe(0);
    },
    run: (request, env) =>
      createTerraformRunner({ tool, env: { ...process.env, ...env }, tempRoot, graceMs: 200 }).run({
        ...aPlanRequest(directory),
        ...request,
      }),
  };
}

async function anAppliedStack(main: string): Promise<Stack> {
  const stack = await aStack(main);
  stack.terraform('init', '-input=false');
  stack.terraform('apply', '-auto-approve', '-input=false');
  return stack;
}

const DATA = 'resource "terraform_data" "a" {\n  input = "one"\n}\n';

describe.skipIf(VERSION === undefined)('a plan of real Terraform', () => {
  it('is clean, and not shown, where nothing changed', async () => {
    const { run } = await anAppliedStack(`${DATA}output "a" {\n  value = terraform_data.a.output\n}\n`);
    expect(await run()).toEqual({
      exitCode: 0,
      engine: { name: 'terraform', version: VERSION },
      stream: expect.objectContaining({
        engine: { name: 'terraform', version: VERSION },
        refreshed: 1,
        outputChanges: 0,
        summary: { add: 0, change: 0, remove: 0, import: 0, operation: 'plan' },
        unparsedLines: 0,
        otherEvents: 0,
      }),
    });
  });

  it('shows what it would create and update', async () => {
    const { write, run } = await anAppliedStack(DATA);
    await write(`${DATA.replace('one', 'two')}resource "terraform_data" "b" {}\n`);
    const { exitCode, stream, document } = await run();
    expect(exitCode).toBe(2);
    expect(stream.plannedChanges).toMatchObject({ create: 1, update: 1 });
    const changes = readPlanDocument(document ?? '').changes.map(({ address, actions }) => [address, ...actions]);
    expect(changes).toEqual([
      ['terraform_data.a', 'update'],
      ['terraform_data.b', 'create'],
    ]);
  });

  it('shows a change of outputs only', async () => {
    const { write, run } = await anAppliedStack(DATA);
    await write(`${DATA}output "a" {\n  value = 1\n}\n`);
    const { exitCode, stream, document } = await run();
    expect(exitCode).toBe(2);
    expect(stream.outputChanges).toBe(1);
    expect(readPlanDocument(document ?? '').outputs).toEqual([{ name: 'a', actions: ['create'] }]);
  });

  it('shows a failing check, although the exit code is 0', async () => {
    const { run } = await anAppliedStack(
      `${DATA}check "size" {\n  assert {\n    condition = terraform_data.a.input == "two"\n    error_message = "no"\n  }\n}\n`,
    );
    const { exitCode, document } = await run();
    expect(exitCode).toBe(0);
    expect(readPlanDocument(document ?? '').checks).toEqual([{ address: 'check.size', status: 'fail' }]);
  });
});

describe.skipIf(VERSION === undefined)('a request to real Terraform', () => {
  it('says the mode and the inputs', async () => {
    const main = 'variable "v" {}\nresource "terraform_data" "a" {\n  input = var.v\n}\n';
    const { write, directory, terraform, run } = await aStack(main);
    await writeFile(path.join(directory, 'prod.tfvars'), 'v = "file"\n');
    terraform('init', '-input=false');
    terraform('apply', '-auto-approve', '-input=false', '-var=v=file');
    expect(await run({ varFiles: ['prod.tfvars'] })).toMatchObject({ exitCode: 0 });
    expect(await run({ varFiles: ['prod.tfvars'], vars: ['v=last wins'] })).toMatchObject({ exitCode: 2 });
    expect(await run({}, { TF_VAR_v: 'file' })).toMatchObject({ exitCode: 0 });
    await write(`${main}resource "terraform_data" "b" {}\n`);
    expect(await run({ vars: ['v=file'], mode: 'refresh-only' })).toMatchObject({ exitCode: 0 });
  });

  it('says the workspace, which must exist', async () => {
    const { directory, terraform, run } = await anAppliedStack(DATA);
    await expect(run({ workspace: 'blu' })).rejects.toMatchObject({ code: 'StackNotFound' });
    expect(existsSync(path.join(directory, 'terraform.tfstate.d'))).toBe(false);
    terraform('workspace', 'new', 'blue');
    terraform('workspace', 'select', 'default');
    expect(await run({ workspace: 'blue' })).toMatchObject({ exitCode: 2, stream: { plannedChanges: { create: 1 } } });
    expect(await run()).toMatchObject({ exitCode: 0 });
  });
});

describe.skipIf(VERSION === undefined)('an error of real Terraform', () => {
  it('fails at the place of a mistake in the configuration', async () => {
    const { run } = await aStack('resource "terraform_data" "a" {\n  input =\n}\n');
    await expect(run()).rejects.toMatchObject({
      code: 'InitFailed',
      message: expect.stringContaining('Invalid expression'),
      location: { file: 'main.tf', line: 2, column: 10 },
    });
  });

  it('fails at the place of a mistake that only a plan finds, and keeps its values back', async () => {
    const condition = `condition = self.input == "secret"\n error_message = "not \${self.input}"`;
    const main = `resource "terraform_data" "a" {\n input = "hunter2"\n lifecycle {\n  postcondition {\n ${condition}\n}\n}\n}\n`;
    const error = await (await aStack(main)).run().catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      code: 'PlanFailed',
      message: 'terraform plan failed: Resource postcondition failed',
      location: { file: 'main.tf', line: 5 },
    });
    expect(String(error)).not.toContain('hunter2');
  });

  it('fails for a provider that can not be had, and says how to', async () => {
    const { run } = await aStack('resource "aws_sqs_queue" "a" {}\n');
    // Nothing listens on the discard port.
    const offline = {
      HTTPS_PROXY: 'http://127.0.0.1:9',
      TF_REGISTRY_DISCOVERY_RETRY: '0',
      TF_CLI_CONFIG_FILE: '/dev/null',
    };
    await expect(run({}, offline)).rejects.toMatchObject({
      code: 'InitFailed',
      message: expect.stringContaining('provider packages'),
      hint: expect.stringContaining('provider mirror'),
    });
  });

  it('fails for a variable without a value', async () => {
    const { run } = await aStack('variable "region" {}\n');
    await expect(run()).rejects.toMatchObject({ code: 'PlanFailed', location: { file: 'main.tf', line: 1 } });
  });

  it('fails for a directory initialised for another backend', async () => {
    const backend = (file: string) => `terraform {\n  backend "local" {\n    path = "${file}"\n  }\n}\n${DATA}`;
    const { write, run } = await anAppliedStack(backend('a.tfstate'));
    await write(backend('b.tfstate'));
    await expect(run()).rejects.toMatchObject({ code: 'InitFailed', hint: expect.stringContaining('-reconfigure') });
  });

  it('fails as interrupted while a data source is being read', async () => {
    const requested = Promise.withResolvers<void>();
    const server = createServer(() => requested.resolve()).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { run } = await aStack(
      `data "terraform_remote_state" "r" {\n  backend = "http"\n  config = { address = "http://127.0.0.1:${port}" }\n}\n`,
    );
    const controller = new AbortController();
    const running = run({ signal: controller.signal });
    await requested.promise;
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'Interrupted' });
  });
});
