import { describe, expect, it, onTestFinished } from 'vitest';
import { type ChildOptions, runChild } from '../../lib/adapters/child-process.ts';
import { hasEnded } from '../support/processes.ts';

/** Runs a script in Node, and returns how it ended and what it printed. */
async function runScript(script: string, options: Partial<ChildOptions> = {}) {
  const chunks: Buffer[] = [];
  const exit = await runChild({
    file: process.execPath,
    args: ['-e', script],
    cwd: process.cwd(),
    env: {},
    signal: new AbortController().signal,
    graceMs: 10_000,
    onStdout: (chunk) => chunks.push(chunk),
    ...options,
  });
  return { exit, stdout: Buffer.concat(chunks).toString() };
}

/** Prints the id of a child that goes on for ever with the pipes of its parent, which ends at once. */
const leaveChild = (detached: boolean) => `
  const { spawn } = require('node:child_process');
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit', detached: ${detached} });
  child.unref();
  process.stdout.write(String(child.pid), () => process.exit(0));`;

describe('runChild', () => {
  it('returns the exit code, what was printed, and what was said on the error output', async () => {
    const result = await runScript(`process.stdout.write('out'); console.error('err'); process.exitCode = 2`);
    expect(result).toEqual({ exit: { code: 2, stderr: 'err\n' }, stdout: 'out' });
  });

  it('returns the signal that ended the child', async () => {
    const { exit } = await runScript(`process.kill(process.pid, 'SIGKILL')`);
    expect(exit).toEqual({ signal: 'SIGKILL', stderr: '' });
  });

  it('hands on no variable of its own environment', async () => {
    const { stdout } = await runScript('process.stdout.write(JSON.stringify(process.env))', { env: { ONLY: 'this' } });
    expect(JSON.parse(stdout)).toEqual({ ONLY: 'this' });
  });

  it('takes arguments as they are: there is no shell', async () => {
    const args = ['-p', 'process.argv[1]', '$(id); `id` "*"'];
    expect((await runScript('', { args })).stdout).toBe('$(id); `id` "*"\n');
  });

  it('keeps the end of an error output that floods', async () => {
    const { exit } = await runScript(`process.stderr.write('x'.repeat(4e6)); process.stderr.write('the end')`);
    expect(exit.stderr).toHaveLength(64 * 1024);
    expect(exit.stderr).toMatch(/xthe end$/);
  });

  it('gives the child a process group of its own, out of reach of the terminal', async () => {
    const script = `process.stdout.write(process.pid + ' ' + require('node:child_process')
      .execFileSync('ps', ['-o', 'pgid=', '-p', String(process.pid)]))`;
    const [pid, group] = (await runScript(script, { env: { PATH: process.env.PATH ?? '' } })).stdout
      .trim()
      .split(/\s+/);
    expect(group).toBe(pid);
  });

  it('fails where the program does not exist', async () => {
    await expect(runScript('', { file: '/nowhere/terraform' })).rejects.toThrow(/ENOENT/);
  });
});

describe('runChild, once the child is gone', () => {
  it('ends what the child left behind', async () => {
    const { stdout } = await runScript(leaveChild(false));
    expect(await hasEnded(Number(stdout))).toBe(true);
  });

  it('does not wait for a process that took the pipes to another session', async () => {
    const { exit, stdout } = await runScript(leaveChild(true), { silenceMs: 50 });
    onTestFinished(() => {
      process.kill(Number(stdout), 'SIGKILL');
    });
    expect(exit).toEqual({ code: 0, stderr: '' });
  });
});

describe('runChild, when it is stopped', () => {
  const untilReady = (controller: AbortController) => ({
    signal: controller.signal,
    onStdout: () => controller.abort(),
  });

  it('interrupts the child and lets it finish', async () => {
    const script = `process.on('SIGINT', () => process.exit(7)); setInterval(() => {}, 1000); console.log('ready')`;
    const { exit } = await runScript(script, untilReady(new AbortController()));
    expect(exit).toEqual({ code: 7, stderr: '' });
  });

  it('kills a child that does not finish in time, and what it started', async () => {
    const pids: Buffer[] = [];
    const controller = new AbortController();
    const script = `process.on('SIGINT', () => {}); setInterval(() => {}, 1000); ${leaveChild(false).replace('() => process.exit(0)', '() => {}')}`;
    const { exit } = await runScript(script, {
      signal: controller.signal,
      graceMs: 50,
      onStdout: (chunk) => {
        pids.push(chunk);
        controller.abort();
      },
    });
    expect(exit).toEqual({ signal: 'SIGKILL', stderr: '' });
    expect(await hasEnded(Number(Buffer.concat(pids)))).toBe(true);
  });
});
