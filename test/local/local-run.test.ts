import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { findLocalMode } from '../../lib/adapters/local-mode-file.ts';
import { LOCAL_FOLDER } from '../../lib/contract/local-mode.ts';
import { aFakeTerraform } from '../support/fake-terraform.ts';
import { hasEnded } from '../support/processes.ts';
import { runProgram } from '../support/run-program.ts';
import { aFolder } from '../support/temporary-folder.ts';

const HOLDFAST = fileURLToPath(new URL('../../bin/holdfast.ts', import.meta.url));
const CATALOGUE = `
defaults: { schedule: { rate: 1d }, routes: [default] }
stacks:
  - { id: app, source: { path: app }, owner: me }
`;

/** `holdfast local` with a catalogue of its own, in a process of its own. */
async function aLocalMode(plan: 'finish' | 'wait') {
  const cwd = await aFolder({ 'app/main.tf': '', 'catalogue.yaml': CATALOGUE });
  const terraform = await aFakeTerraform({ plan });
  const env = { PATH: [terraform.bin, process.env.PATH].join(delimiter), HOME: cwd };
  const child = spawn(process.execPath, [HOLDFAST, 'local', '--catalogue', 'catalogue.yaml', '--every', '1s'], {
    cwd,
    env,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const ended = once(child, 'close').then(([exitCode]) => exitCode as number | null);
  const says = (text: string) => vi.waitFor(() => expect(output).toContain(text), { timeout: 30_000, interval: 50 });
  const holdfast = (...args: readonly string[]) => runProgram(process.execPath, [HOLDFAST, ...args], { cwd, env });
  return { cwd, terraform, child, ended, says, holdfast, output: () => output };
}

describe('holdfast local', { timeout: 120_000 }, () => {
  it('serves the other commands until Ctrl-C, and ends with 0', async () => {
    const { cwd, child, ended, says, holdfast } = await aLocalMode('finish');
    await says('stacks: 1 new, 0 changed, 0 removed');
    await says('Ctrl-C ends it');
    // The schedule would come tomorrow.
    await says('✓ in sync          app');

    expect(await holdfast('check', '--stack', 'app')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^✓ app {2}in sync /),
      stderr: expect.stringContaining('app: asked for, waiting for the dispatcher\n'),
    });
    expect((await holdfast('status')).stdout).toMatch(/✓ {2}app {4}in sync .* me\n/);
    const second = await holdfast('local', '--catalogue', 'catalogue.yaml');
    expect(second.stderr).toContain(`a local mode runs with ${join(cwd, LOCAL_FOLDER)} already (process ${child.pid})`);
    child.kill('SIGINT');

    expect(await ended).toBe(0);
    await says(`ended; ${LOCAL_FOLDER} has everything for the next time`);
    expect(await findLocalMode(join(cwd, LOCAL_FOLDER))).toBeUndefined();
    expect(await holdfast('status', '--local')).toMatchObject({ exitCode: 1, stdout: '' });
  });

  it('leaves no process when it is interrupted during a check', async () => {
    const { child, ended, says, holdfast, terraform } = await aLocalMode('wait');
    await says('stacks: 1 new');
    const pids = () => terraform.calls().flatMap(({ command, pid }) => (command === 'plan' ? pid : []));
    await vi.waitFor(() => expect(pids()).toHaveLength(2), 30_000);
    const waiting = holdfast('check', '--stack', 'app');
    child.kill('SIGINT');

    expect(await ended).toBe(0);
    for (const pid of pids()) expect(await hasEnded(pid)).toBe(true);
    await says('✗ lost             app  Interrupted');
    expect((await waiting).exitCode).toBe(1);
  });

  it('fails on a catalogue that is not there', async () => {
    const cwd = await aFolder();
    const env = { PATH: process.env.PATH ?? '', HOME: cwd };
    const args = [HOLDFAST, 'local', '--catalogue', 'nope.yaml'];

    expect(await runProgram(process.execPath, args, { cwd, env })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('error: there is no catalogue nope.yaml'),
    });
  });
});
