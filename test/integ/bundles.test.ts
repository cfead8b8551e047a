import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { RUNNER_CONTAINER } from '../../lib/contract/env.ts';
import { REPOSITORY, synthOffline } from '../support/cdk-app.ts';
import { flatten } from '../support/template-values.ts';

interface Resource<Properties> {
  readonly Type: string;
  readonly Properties: Properties;
}

interface LambdaFunction {
  readonly Description: string;
  readonly Code: { readonly S3Key: string };
  readonly Environment: { readonly Variables: Record<string, unknown> };
}

interface TaskDefinition {
  readonly Family: string;
  readonly ContainerDefinitions: readonly {
    readonly Environment: readonly { readonly Name: string; readonly Value: unknown }[];
    readonly Secrets?: readonly { readonly Name: string }[];
  }[];
}

const MOST_BYTES = 1_500_000;

const app = synthOffline();
afterAll(app.remove);

const node = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, args, { cwd: REPOSITORY, env, encoding: 'utf8' });

const sizeOf = (name: string, file: string) => {
  const { size } = statSync(file);
  console.info(`bundle ${name}: ${Math.round(size / 1000)} kB`);
  return size;
};

const asset = (hash: string) => join(app.folder, 'out', `asset.${hash}`);
const { Resources } = app.read('out/holdfast.template.json') as { Resources: Record<string, Resource<unknown>> };
const deployed = <T>(type: string) =>
  Object.values(Resources)
    .filter(({ Type }) => Type === type)
    .map(({ Properties }) => Properties as T);

const functions = deployed<LambdaFunction>('AWS::Lambda::Function').map(({ Description, Code, Environment }) => ({
  name: Description.replace(/.*: /, ''),
  file: join(asset(Code.S3Key.replace('.zip', '')), 'index.mjs'),
  env: Object.fromEntries(Object.entries(Environment.Variables).map(([name, value]) => [name, flatten(value)])),
}));

const tasks = deployed<TaskDefinition>('AWS::ECS::TaskDefinition').map(({ Family, ContainerDefinitions }) => {
  const [container] = ContainerDefinitions;
  const variables = (container?.Environment ?? []).map(({ Name, Value }) => [Name, flatten(Value)]);
  const secrets = (container?.Secrets ?? []).map(({ Name }) => [Name, 'secret']);
  return { name: Family, env: Object.fromEntries([...variables, ...secrets]) as Record<string, string> };
});

describe('cdk synth', () => {
  it('needs no account, no Docker and no network', () => {
    expect(app).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('refused') });
  });

  it('gives the build of the image what it copies, and not what has no part in it', () => {
    const { dockerImages } = app.read('out/holdfast.assets.json') as { dockerImages: Record<string, unknown> };
    const [context = ''] = Object.keys(dockerImages).map(asset);

    expect(readdirSync(context)).toEqual(
      expect.arrayContaining(['.npmrc', 'lib', 'package-lock.json', 'package.json', 'runner-image']),
    );
    expect(readdirSync(join(context, 'lib')).toSorted()).toEqual(['adapters', 'app', 'contract', 'domain', 'ports']);
  });
});

describe('the bundles of functions', () => {
  it('are one for every function', () => {
    expect(functions.map(({ name }) => name).toSorted()).toEqual(['apply-catalogue', 'dispatch-checks', 'record-run']);
    expect(new Set(functions.map(({ file }) => file)).size).toBe(3);
  });

  it.each(functions)('load: $name, with the variables it is deployed with', ({ file, env }) => {
    const load = 'const { handler } = await import(process.argv[1]); console.log(typeof handler);';

    const { stdout, stderr } = node(['--input-type=module', '-e', load, file], { AWS_REGION: 'eu-west-1', ...env });

    expect({ stdout, stderr }).toEqual({ stdout: 'function\n', stderr: '' });
  });

  it.each(functions)('fail without variables, and say which is missing: $name', ({ file }) => {
    const load = 'await import(process.argv[1]).catch(({ code, message }) => console.log(code, message));';

    expect(node(['--input-type=module', '-e', load, file]).stdout).toMatch(
      /^ArgumentInvalid the environment has no \w+\n$/,
    );
  });

  it.each(functions)('are small: $name', ({ name, file }) => {
    expect(sizeOf(name, file)).toBeLessThan(MOST_BYTES);
  });
});

describe('the bundle of the runner', () => {
  const file = join(app.folder, 'runner.mjs');
  const built = node(['runner-image/bundle.ts', file]);

  /** Nothing listens there. */
  const nowhere = {
    AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
    HOLDFAST_CATALOGUE_URL: 'https://127.0.0.1:1/catalogue',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
    AWS_MAX_ATTEMPTS: '1',
  };

  it('is built', () => {
    expect({ stderr: built.stderr, status: built.status }).toEqual({ stderr: '', status: 0 });
  });

  it('is small', () => {
    expect(sizeOf(RUNNER_CONTAINER, file)).toBeLessThan(MOST_BYTES);
  });

  it('fails without variables', () => {
    const { status, stdout } = node([file]);

    expect(status).toBe(1);
    expect(stdout).toContain('ArgumentInvalid: the environment variable HOLDFAST_MODE is missing');
  });

  it.each(tasks)('loads with the variables of the task $name, down to S3', ({ name, env }) => {
    const work = join(app.folder, name);
    mkdirSync(work);
    const overrides = { HOLDFAST_RUN_ID: 'run', HOLDFAST_STACK_ID: 'stack', HOLDFAST_WORK_FOLDER: work };

    const { status, stdout } = node([file], { PATH: String(process.env.PATH), ...env, ...nowhere, ...overrides });

    expect(status).toBe(1);
    expect(stdout).toContain('ECONNREFUSED');
  });
});
