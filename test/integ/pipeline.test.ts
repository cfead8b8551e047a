import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { PutParameterCommand } from '@aws-sdk/client-ssm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { showRun } from '../../lib/app/show-run.ts';
import type { RunOutcome } from '../../lib/domain/run.ts';
import { type LocalWorld, startLocalWorld } from '../support/local-world.ts';
import { describeInWorld, startWorld, type World } from '../support/world.ts';
import type { WorldStack } from '../support/world-stack.ts';

// Nobody checks these by themselves while the tests run: tests ask for the checks they want.
const CATALOGUE = `
defaults:
  owner: platform
  routes: [default]
  schedule: { rate: 1d }
  retry: { attempts: 1 }
  alerts: { failureStreak: 1 }
stacks:
  - { id: params, source: { path: params } }
  - { id: one, source: { path: one } }
  - { id: two, source: { path: two } }
  - { id: broken, source: { path: broken } }
  - { id: locked, source: { path: locked }, engine: { name: tofu } }
`;

const parameters = (prefix: string) => `
resource "aws_ssm_parameter" "level" {
  name  = "/${prefix}/level"
  type  = "String"
  value = "info"
}

resource "aws_ssm_parameter" "region" {
  name  = "/${prefix}/region"
  type  = "String"
  value = "north"
}
`;

const LOCK_HELD = [
  { '@level': 'info', type: 'version', terraform: '1.10.0', ui: '1.2' },
  {
    '@level': 'error',
    type: 'diagnostic',
    diagnostic: { severity: 'error', summary: 'Error acquiring the state lock', detail: 'Lock Info: ID: 1' },
  },
];

/** A tofu whose state somebody holds the lock of: checks take none, but a backend may lock regardless. */
async function makeLockedEngine(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const script = `#!${process.execPath}
const print = (lines) => lines.forEach((line) => console.log(JSON.stringify(line)));
switch (process.argv[2]) {
  case 'version':
    print([{ terraform_version: '1.10.0' }]);
    break;
  case 'plan':
    print(${JSON.stringify(LOCK_HELD)});
    process.exitCode = 1;
}
`;
  await writeFile(join(folder, 'tofu'), script, { mode: 0o755 });
}

const verdictOf = (outcome: RunOutcome | undefined) =>
  outcome?.kind === 'result' ? outcome.summary.verdict : outcome?.failure;

describeInWorld('the pipeline in local mode', () => {
  let world: World;
  let local: LocalWorld;
  let params: WorldStack;
  let home: string;

  beforeAll(async () => {
    world = await startWorld();
    home = world.env.HOME ?? '';
    const stacks = join(home, 'stacks');
    params = await world.stack('params', { 'main.tf': parameters('params') });
    const one = await world.stack('one', { 'main.tf': parameters('one') });
    const two = await world.stack('two', { 'main.tf': parameters('two') });
    await world.stack('broken', { 'main.tf': 'resource "aws_ssm_parameter" {\n' });
    await world.stack('locked', { 'main.tf': parameters('locked') });
    await Promise.all([params.apply(), one.apply(), two.apply()]);
    await makeLockedEngine(join(home, 'bin'));
    const path = [join(home, 'bin'), dirname(world.terraform.path), world.env.PATH].join(delimiter);
    local = await startLocalWorld({
      state: join(home, 'local'),
      folder: stacks,
      catalogue: CATALOGUE,
      env: { ...world.env, PATH: path },
    });
    await vi.waitFor(() => expect(local.catalogues).toHaveLength(1), { timeout: 60_000, interval: 50 });
  }, 300_000);

  afterAll(async () => {
    await local?.close();
    await world?.close();
  }, 60_000);

  const setParameter = (name: string, value: string) =>
    world.ssm.send(new PutParameterCommand({ Name: `/params/${name}`, Value: value, Overwrite: true }));

  it('takes the catalogue over', async () => {
    expect(local.catalogues[0]).toMatchObject({ kind: 'applied', created: 5, removed: 0 });
    const { stacks } = await local.service.connection.stacks.list();
    expect(stacks.map(({ spec }) => spec.id)).toEqual(['broken', 'locked', 'one', 'params', 'two']);
  });

  it('tells of drift once, of changed drift, and when it is gone', { timeout: 300_000 }, async () => {
    const { connection } = local.service;
    expect((await local.check('params')).map(verdictOf)).toEqual(['in-sync']);

    await setParameter('level', 'debug');
    expect((await local.check('params')).map(verdictOf)).toEqual(['drifted']);
    const [detected] = await local.hears('params', ['drift.detected']);
    expect(detected).toMatchObject({
      verdict: 'drifted',
      severity: 'medium',
      owner: 'platform',
      routes: ['default'],
      episode: { consecutive: 1 },
      topFindings: [
        { address: 'aws_ssm_parameter.level', class: 'changed-outside', paths: expect.arrayContaining(['value']) },
      ],
    });
    const { run, report } = await showRun(connection, { runId: detected?.runId ?? '' });
    expect(run).toMatchObject({ status: 'succeeded', trigger: 'manual', stackId: 'params' });
    expect(report?.result.findings).toHaveLength(1);
    expect(await connection.artifacts.getLog('params', run.runId)).toMatch(/terraform plan .*: exit code 2 after/);
    expect(JSON.stringify([detected, report])).not.toContain('debug');

    expect((await local.check('params')).map(verdictOf)).toEqual(['drifted']);
    await setParameter('region', 'south');
    expect((await local.check('params')).map(verdictOf)).toEqual(['drifted']);
    const [changed] = await local.hears('params', ['drift.changed']);
    expect(changed).toMatchObject({
      sequence: (detected?.sequence ?? 0) + 1,
      episode: { id: detected?.episode?.id, consecutive: 3 },
    });
    expect(changed?.topFindings).toHaveLength(2);

    await params.apply();
    expect((await local.check('params')).map(verdictOf)).toEqual(['in-sync']);
    const [resolved] = await local.hears('params', ['drift.resolved']);
    expect(resolved).toMatchObject({ sequence: (detected?.sequence ?? 0) + 2, episode: { id: detected?.episode?.id } });
    expect((await connection.stacks.get('params'))?.state).toMatchObject({
      episode: null,
      outbox: [],
      verdict: 'in-sync',
    });
  });

  it('tells of a stack that can not be checked, with the place of the mistake', async () => {
    expect((await local.check('broken')).map(verdictOf)).toEqual(['failed']);
    const [failing] = await local.hears('broken', ['check.failing']);

    expect(failing?.failure).toMatchObject({ code: 'InitFailed', location: { file: 'main.tf', line: 1 } });
    expect((await local.service.connection.stacks.get('broken'))?.state).toMatchObject({
      verdict: 'failed',
      failures: 1,
      lastGoodCheckAt: null,
    });
  });

  it('calls a stack busy whose state is locked, which is neither clean nor a failure', async () => {
    expect((await local.check('locked')).map(verdictOf)).toEqual(['busy']);

    expect((await local.service.connection.stacks.get('locked'))?.state).toMatchObject({
      verdict: 'busy',
      failures: 0,
      episode: null,
      lastGoodCheckAt: null,
      dueBecause: 'retry',
    });
    expect(local.events.filter((event) => 'stackId' in event && event.stackId === 'locked')).toEqual([]);
  });

  it('checks two stacks at once, each by itself', async () => {
    expect((await local.check('one', 'two')).map(verdictOf)).toEqual(['in-sync', 'in-sync']);
    expect(local.mostRunning()).toBe(2);
  });

  it('changes nothing for a broken catalogue, and says what is wrong with it', async () => {
    await local.writeCatalogue(CATALOGUE.replace('rate: 1d', 'rate: often'));
    await local.service.syncCatalogue();
    const invalid = await vi.waitFor(() => {
      const event = local.events.find(({ type }) => type === 'catalogue.invalid');
      if (event?.type !== 'catalogue.invalid') throw new Error('nothing was said of the catalogue');
      return event;
    }, 60_000);

    expect(invalid.failure).toMatchObject({ code: 'CatalogueInvalid', location: { file: 'catalogue.yaml', line: 5 } });
    expect((await local.service.connection.stacks.list()).stacks).toHaveLength(5);
  });

  it('is told of nothing that went wrong', () => {
    expect(local.errors).toEqual([]);
  });
});
