import { readdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { findStack } from '../../lib/app/find-stack.ts';
import { triggerCheck } from '../../lib/app/trigger-check.ts';
import { claimRun, noteTask } from '../../lib/domain/claim.ts';
import { startEmulators } from '../../lib/local/local-emulators.ts';
import { openLocalFolder } from '../../lib/local/local-folder.ts';
import { startLocalService } from '../../lib/local/local-service.ts';
import { aFakeTerraform, type FakeTerraform } from '../support/fake-terraform.ts';
import { type LocalWorld, startLocalWorld } from '../support/local-world.ts';
import { hasEnded } from '../support/processes.ts';
import { aRun } from '../support/run-builder.ts';
import { aFolder } from '../support/temporary-folder.ts';

const CATALOGUE = `
defaults: { schedule: { rate: 1d }, retry: { backoff: 1h }, routes: [default] }
stacks:
  - { id: app, source: { path: app } }
`;

interface Machine {
  readonly root: string;
  readonly terraform: FakeTerraform;
  start(): Promise<LocalWorld>;
}

async function aMachine(plan: 'finish' | 'wait'): Promise<Machine> {
  const root = await aFolder({ 'stacks/app/main.tf': '' });
  const terraform = await aFakeTerraform({ plan });
  return {
    root,
    terraform,
    async start() {
      const local = await startLocalWorld({
        state: join(root, 'state'),
        folder: join(root, 'stacks'),
        catalogue: CATALOGUE,
        env: { PATH: [terraform.bin, process.env.PATH].join(delimiter), HOME: root },
      });
      onTestFinished(() => local.close());
      await vi.waitFor(async () => expect(await local.service.connection.stacks.get('app')).toBeDefined(), 30_000);
      return local;
    },
  };
}

const stateOf = async ({ service }: LocalWorld) => {
  const stack = await service.connection.stacks.get('app');
  if (stack === undefined) throw new TypeError('no stack');
  return stack.state;
};

const planPids = ({ terraform }: Machine) =>
  terraform.calls().flatMap(({ command, pid }) => (command === 'plan' ? pid : []));

describe('the local mode', { timeout: 120_000 }, () => {
  it('goes on with what it knows when it is started again', async () => {
    const machine = await aMachine('finish');
    const first = await machine.start();
    expect(await first.check('app')).toMatchObject([{ kind: 'result', summary: { verdict: 'in-sync' } }]);
    const { lastRunId } = await stateOf(first);
    await first.close();
    const second = await machine.start();

    expect(await stateOf(second)).toMatchObject({ verdict: 'in-sync', lastRunId });
    expect((await second.service.connection.runs.listForStack('app', 10)).map(({ runId }) => runId)).toEqual([
      lastRunId,
    ]);
    expect(second.errors).toEqual([]);
  });

  it('stops what runs when it is ended, and has it tried again', async () => {
    const machine = await aMachine('wait');
    const local = await machine.start();
    const { stacks } = local.service.connection;
    await triggerCheck({ stacks, clock: { now: () => new Date() } }, { stackId: 'app' });
    await vi.waitFor(() => expect(planPids(machine)).toHaveLength(2), 30_000);
    await local.close();
    for (const pid of planPids(machine)) expect(await hasEnded(pid)).toBe(true);

    expect(local.runs).toEqual([
      expect.objectContaining({
        stackId: 'app',
        outcome: { kind: 'lost', failure: expect.objectContaining({ code: 'Interrupted' }), outOfMemory: false },
      }),
    ]);
    expect(JSON.parse(await readFile(join(machine.root, 'state/tasks.json'), 'utf8'))).toEqual([]);
    const again = await machine.start();
    expect(await stateOf(again)).toMatchObject({ inFlight: null, dueBecause: 'retry', failures: 0 });
  });

  it('knows after a crash that its tasks are gone, long before their deadlines', async () => {
    const machine = await aMachine('finish');
    const before = await machine.start();
    const { stacks, runs } = before.service.connection;
    const stack = await findStack({ stacks }, { stackId: 'app' });
    const claimed = claimRun(stack, { runId: 'run-1', now: new Date() });
    await stacks.saveState(noteTask({ ...claimed, version: stack.state.version }, 'run-1', 'arn:task/1'));
    await runs.create(aRun({ runId: 'run-1', stackId: 'app', status: 'running', taskArn: 'arn:task/1' }));
    await before.close();
    const journal = join(machine.root, 'state/tasks.json');
    const task = {
      taskArn: 'arn:task/1',
      clusterArn: 'c',
      taskDefinitionArn: 'd',
      startedBy: 'run-1',
      containerName: 'runner',
    };
    await writeFile(journal, JSON.stringify([task]));
    const after = await machine.start();

    expect(after.runs).toEqual([
      expect.objectContaining({ runId: 'run-1', outcome: expect.objectContaining({ kind: 'lost' }) }),
    ]);
    expect(await stateOf(after)).toMatchObject({ inFlight: null, dueBecause: 'retry', failures: 0 });
    expect(await readFile(journal, 'utf8')).not.toContain('run-1');
  });

  it('keeps what a container printed only where that did not end well', async () => {
    const machine = await aMachine('finish');
    const local = await machine.start();
    await local.check('app');
    await local.close();

    expect(await readdir(join(machine.root, 'state/logs'))).toEqual([]);
  });

  it('leaves nothing behind where it can not start', async () => {
    const folder = await openLocalFolder(join(await aFolder(), 'state'), { fresh: false });
    const emulators = await startEmulators(folder);
    onTestFinished(() => emulators.aws.close());
    await emulators.tables.close();
    const servers = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
    const before = servers();
    const nothing = { onTask() {}, onRun() {}, onCatalogue() {}, onEvent() {}, onError() {} };
    const catalogue = { url: 'file:///nowhere', ref: 'HEAD', path: '.' };
    const starting = startLocalService({
      ...{ folder, emulators, catalogue, ...nothing },
      ...{ env: {}, cacheDir: folder.root, concurrency: 1, everyMs: 1000, syncEveryMs: 1000, firstChecks: 'scheduled' },
    });

    await expect(starting).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await vi.waitFor(() => expect(servers()).toBe(before));
  });
});
