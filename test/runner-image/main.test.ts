import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createS3ArtifactStore } from '../../lib/adapters/s3-artifact-store.ts';
import { createS3CatalogueStore } from '../../lib/adapters/s3-catalogue-store.ts';
import type { StackSpec } from '../../lib/domain/stack-spec.ts';
import type { ArtifactStore } from '../../lib/ports/artifact-store.ts';
import { aFakeTerraform } from '../support/fake-terraform.ts';
import { aGitServer } from '../support/git-http-server.ts';
import { aRepository } from '../support/git-repository.ts';
import { type Moto, startMoto } from '../support/moto.ts';
import { hasEnded } from '../support/processes.ts';
import { aRunSpec, RUN_ID } from '../support/run-world.ts';
import { startRunner } from '../support/runner-process.ts';
import { aFolder } from '../support/temporary-folder.ts';
import { describeInWorld } from '../support/world.ts';

const REGION = 'eu-west-1';
const BUCKET = 'artifacts';
const STACK = 'prod/network';
const { PATH = '' } = process.env;

const MAIN = `variable "password" {
  sensitive = true
}

variable "size" {
  type = number
}

resource "terraform_data" "a" {
  input = "\${var.size} \${nonsensitive(sha256(var.password))}"
}
`;

describeInWorld('the runner', () => {
  let moto: Moto;
  let s3: S3Client;
  let artifacts: ArtifactStore;

  beforeAll(async () => {
    moto = await startMoto('moto_server', { PATH });
    const config = { endpoint: moto.endpoint, region: REGION, credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };
    s3 = new S3Client({ ...config, forcePathStyle: true });
    await s3.send(
      new CreateBucketCommand({ Bucket: BUCKET, CreateBucketConfiguration: { LocationConstraint: REGION } }),
    );
    const secrets = new SecretsManagerClient(config);
    await secrets.send(new CreateSecretCommand({ Name: 'prod/db', SecretString: '{"password":"hunter2-secret"}' }));
    await secrets.send(
      new CreateSecretCommand({ Name: 'git', SecretString: '{"username":"bot","password":"git-password"}' }),
    );
    secrets.destroy();
    artifacts = createS3ArtifactStore({ bucket: BUCKET, client: s3 });
  });

  afterAll(async () => {
    s3.destroy();
    await moto.close();
  });

  /** The environment of the container, as ECS and the task definition make it. */
  async function taskEnvironment(over: Readonly<Record<string, string>> = {}): Promise<Record<string, string>> {
    const folder = await aFolder();
    return {
      PATH,
      HOME: folder,
      TMPDIR: folder,
      AWS_REGION: REGION,
      AWS_ENDPOINT_URL: moto.endpoint,
      AWS_ACCESS_KEY_ID: 'task-key',
      AWS_SECRET_ACCESS_KEY: 'task-secret',
      ARTIFACTS_BUCKET: BUCKET,
      HOLDFAST_MODE: 'check',
      HOLDFAST_RUN_ID: RUN_ID,
      HOLDFAST_STACK_ID: STACK,
      HOLDFAST_DIGEST_SALT: 'salt-of-the-deployment',
      HOLDFAST_GIT_PROTOCOLS: 'file:http',
      HOLDFAST_WORK_FOLDER: `${folder}/work`,
      ...over,
    };
  }

  /** Puts the spec of a run in place. Every test has a run of its own. */
  async function aRun(stack: Partial<StackSpec>, deadline = new Date(Date.now() + 600_000).toISOString()) {
    const runId = `01KJ${String(Math.random()).slice(2, 12)}`;
    await artifacts.putSpec({ ...aRunSpec(stack, { deadline }), runId });
    const report = () => artifacts.getReport(STACK, runId);
    return { runId, report, environment: { HOLDFAST_RUN_ID: runId } };
  }

  const textOf = async (runId: string, name: string) => {
    const object = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: `runs/${STACK}/${runId}/${name}` }));
    return (await object.Body?.transformToString()) ?? '';
  };

  const namesOf = async (runId: string) => {
    const { Contents = [] } = await s3.send(
      new ListObjectsV2Command({ Bucket: BUCKET, Prefix: `runs/${STACK}/${runId}/` }),
    );
    return Contents.map(({ Key = '' }) => Key.split('/').at(-1)).sort();
  };

  it('checks a stack with real Terraform, and exits with 0 whatever it finds', async () => {
    const repository = await aRepository();
    const commit = await repository.commit({ 'live/main.tf': MAIN, 'live/common.tfvars': 'size = 1\n' });
    const { host } = await aGitServer({
      root: repository.directory,
      login: { username: 'bot', password: 'git-password' },
    });
    const run = await aRun({
      source: { url: `http://${host}/.git`, ref: 'main', path: 'live' },
      varFiles: ['common.tfvars'],
      vars: { size: 3 },
      secrets: { TF_VAR_password: { kind: 'secrets-manager', id: 'prod/db', jsonKey: 'password' } },
      externalId: 'ours',
    });
    const environment = await taskEnvironment({
      ...run.environment,
      HOLDFAST_GIT_CREDENTIALS: JSON.stringify({ [host]: 'git' }),
    });
    const end = await startRunner(environment).end;
    expect(end).toMatchObject({ exitCode: 0, signal: null });
    const report = await run.report();
    expect(report).toMatchObject({
      commit,
      result: { verdict: 'pending', exitCode: 2, findings: [{ address: 'terraform_data.a' }] },
    });
    expect(report?.peakMemoryMiB).toBeGreaterThan(10);
    expect(await namesOf(run.runId)).toEqual([
      'plan.json',
      'plan.tfplan',
      'result.json',
      'run.log',
      'spec.json',
      'state-identity.json',
    ]);
    expect(JSON.parse(await textOf(run.runId, 'plan.json'))).toMatchObject({ variables: { size: { value: 3 } } });
    expect(JSON.parse(await textOf(run.runId, 'state-identity.json'))).toEqual({ lineage: '', serial: 0 });
    const log = await textOf(run.runId, 'run.log');
    expect(log).toMatch(/ assumed arn:aws:iam::111122223333:role\/holdfast-plan as holdfast-01KJ/);
    expect(log).toMatch(/ terraform plan -json .*: exit code 2 after \d+ ms$/m);
    const shown = [end.output, log, await textOf(run.runId, 'result.json')].join('\n');
    expect(['hunter2-secret', 'git-password', 'task-secret'].filter((secret) => shown.includes(secret))).toEqual([]);
    // Nothing of the source, the plan or the credentials stays behind.
    expect(await readdir(environment.HOLDFAST_WORK_FOLDER ?? '')).toEqual([]);
  });

  it('hands Terraform neither its own credentials nor the way to them, nor any task token', async () => {
    const terraform = await aFakeTerraform({ plan: 'finish' });
    const repository = await aRepository({ 'live/main.tf': '# nothing\n' });
    const run = await aRun({
      source: { url: repository.url, ref: 'main', path: 'live' },
      env: { DATADOG_SITE: 'eu' },
      region: 'eu-north-1',
      externalId: 'ours',
    });
    const own = {
      AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/v2/credentials/of-the-task',
      AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.2/of-the-task',
      AWS_CONTAINER_AUTHORIZATION_TOKEN: 'of-the-task',
      ECS_CONTAINER_METADATA_URI: 'http://169.254.170.2/v3/of-the-task',
      ECS_CONTAINER_METADATA_URI_V4: 'http://169.254.170.2/v4/of-the-task',
      ECS_AGENT_URI: 'http://169.254.170.2/api/of-the-task',
      SFN_TASK_TOKEN: 'of-the-task',
    };
    const end = await startRunner(
      await taskEnvironment({
        ...own,
        ...run.environment,
        PATH: `${terraform.bin}:${PATH}`,
        HOLDFAST_GIT_CREDENTIALS: '{"git.example":"git"}',
      }),
    ).end;
    expect(end.exitCode, end.output).toBe(0);
    expect((await run.report())?.result.verdict).toBe('in-sync');
    const calls = terraform.calls();
    expect(calls.map(({ command }) => command)).toEqual(['init', 'plan']);
    for (const { env } of calls) {
      expect(
        Object.keys(env).filter((name) => /^(?:ECS_|SFN_|AWS_CONTAINER_|HOLDFAST_(?!GIT_)|ARTIFACTS)/.test(name)),
      ).toEqual([]);
      expect(Object.values(env).filter((value) => /of-the-task|task-key|task-secret|salt-of/.test(value))).toEqual([]);
      expect(env).toMatchObject({ DATADOG_SITE: 'eu', AWS_REGION: 'eu-north-1', AWS_EC2_METADATA_DISABLED: 'true' });
      expect(env.AWS_SESSION_TOKEN).toMatch(/./);
      expect(env).not.toHaveProperty('AWS_ENDPOINT_URL');
    }
    const [init, plan] = calls;
    expect(init?.env.HOLDFAST_GIT_PASSWORD_0).toBe('git-password');
    expect(JSON.stringify(plan?.env)).not.toContain('git-password');
  });

  it('does the same as the one file that is in the image', async () => {
    const bundle = join(await aFolder(), 'runner.mjs');
    execFileSync(process.execPath, [fileURLToPath(new URL('../../runner-image/bundle.ts', import.meta.url)), bundle]);
    const terraform = await aFakeTerraform({ plan: 'finish' });
    const repository = await aRepository({ 'live/main.tf': '# nothing\n' });
    const secrets = { TF_VAR_password: { kind: 'secrets-manager', id: 'prod/db', jsonKey: 'password' } } as const;
    const run = await aRun({ source: { url: repository.url, ref: 'main', path: 'live' }, secrets });
    const environment = await taskEnvironment({ ...run.environment, PATH: `${terraform.bin}:${PATH}` });
    const end = await startRunner(environment, bundle).end;
    expect(end.exitCode, end.output).toBe(0);
    expect((await run.report())?.result.verdict).toBe('in-sync');
    expect(terraform.calls().at(-1)?.env.TF_VAR_password).toBe('hunter2-secret');
  });

  it('passes a stop on once, waits for the engine, and reports that it was interrupted', async () => {
    const terraform = await aFakeTerraform({ plan: 'wait' });
    const repository = await aRepository({ 'live/main.tf': '# nothing\n' });
    const run = await aRun({ source: { url: repository.url, ref: 'main', path: 'live' } });
    const runner = startRunner(await taskEnvironment({ ...run.environment, PATH: `${terraform.bin}:${PATH}` }));
    await expect.poll(() => terraform.calls().length, { timeout: 60_000 }).toBe(3);
    runner.kill('SIGTERM');
    runner.kill('SIGTERM');
    runner.kill('SIGINT');
    expect(await runner.end).toMatchObject({ exitCode: 0, signal: null });
    expect((await run.report())?.result).toMatchObject({ verdict: 'failed', failure: { code: 'Interrupted' } });
    // The plan, and what it had started.
    for (const { pid } of terraform.calls().slice(1)) expect(await hasEnded(pid)).toBe(true);
    expect(await textOf(run.runId, 'run.log')).toContain('failed: the run was interrupted');
  });

  it('ends before the deadline, and says that time was up', async () => {
    const terraform = await aFakeTerraform({ plan: 'wait' });
    const repository = await aRepository({ 'live/main.tf': '# nothing\n' });
    const deadline = new Date(Date.now() + 10_000).toISOString();
    const run = await aRun({ source: { url: repository.url, ref: 'main', path: 'live' } }, deadline);
    const runner = startRunner(await taskEnvironment({ ...run.environment, PATH: `${terraform.bin}:${PATH}` }));
    expect(await runner.end).toMatchObject({ exitCode: 0 });
    expect((await run.report())?.result).toMatchObject({ verdict: 'failed', failure: { code: 'TimedOut' } });
    for (const { pid } of terraform.calls()) expect(await hasEnded(pid)).toBe(true);
  });

  it.each([
    {
      name: 'a source that is not there',
      stack: { source: { url: 'file:///nowhere', ref: 'main', path: '.' } },
      env: {},
      code: 'SourceUnavailable',
    },
    {
      name: 'a secret that is not there',
      stack: { secrets: { X: { kind: 'ssm', name: '/gone' } } },
      env: {},
      code: 'SecretUnavailable',
    },
    {
      name: 'Git credentials that are not there',
      stack: {},
      env: { HOLDFAST_GIT_CREDENTIALS: '{"git.example":"gone"}' },
      code: 'SecretUnavailable',
    },
    {
      name: 'a setting that would change what is run',
      stack: { env: { TF_CLI_ARGS_plan: '-target=x' } },
      env: {},
      code: 'ArgumentInvalid',
    },
  ] as const)('reports $name', async ({ stack, env, code }) => {
    const repository = await aRepository({ 'main.tf': '# nothing\n' });
    const run = await aRun({ source: { url: repository.url, ref: 'main', path: '.' }, ...stack });
    const end = await startRunner(await taskEnvironment({ ...run.environment, ...env })).end;
    expect(end.exitCode, end.output).toBe(0);
    expect((await run.report())?.result.failure).toMatchObject({ code });
  });

  it('exits with 1 where there is no spec, and says so', async () => {
    const end = await startRunner(await taskEnvironment({ HOLDFAST_RUN_ID: 'gone' })).end;
    expect(end.exitCode).toBe(1);
    expect(end.messages.at(-1)).toContain('RunNotFound: there is no runs/prod/network/gone/spec.json');
  });

  it.each(['HOLDFAST_MODE', 'HOLDFAST_RUN_ID', 'HOLDFAST_DIGEST_SALT', 'ARTIFACTS_BUCKET'])(
    'exits with 1 where %s is not set',
    async (name) => {
      const { [name]: _, ...environment } = await taskEnvironment();
      const end = await startRunner(environment).end;
      expect(end.exitCode).toBe(1);
      expect(end.messages).toEqual([expect.stringContaining(`the environment variable ${name} is missing or wrong`)]);
    },
  );

  it('reads a catalogue from Git and leaves it in the bucket', async () => {
    const repository = await aRepository();
    const commit = await repository.commit({
      'ops/catalogue.yaml': 'defaults: { routes: [ops] }\ndiscover: [{ paths: "live/*" }]\n',
      'live/a/main.tf': '# a\n',
    });
    const environment = await taskEnvironment({
      HOLDFAST_MODE: 'sync-catalogue',
      HOLDFAST_CATALOGUE_URL: repository.url,
      HOLDFAST_CATALOGUE_PATH: 'ops/catalogue.yaml',
    });
    const catalogues = createS3CatalogueStore({ bucket: BUCKET, client: s3 });
    expect(await startRunner(environment).end).toMatchObject({ exitCode: 0, messages: ['read 1 stack'] });
    expect(await catalogues.get()).toMatchObject({
      commit,
      stacks: [{ id: 'live/a', source: { url: repository.url, ref: 'HEAD', path: 'live/a' } }],
    });
    const later = await repository.commit({ 'ops/catalogue.yaml': 'stacks: 1\n' });
    const end = await startRunner(environment).end;
    expect(end).toMatchObject({ exitCode: 0, messages: [expect.stringMatching(/^not taken over: /)] });
    expect(await catalogues.get()).toMatchObject({ commit: later, failure: { code: 'CatalogueInvalid' } });
  });
});
