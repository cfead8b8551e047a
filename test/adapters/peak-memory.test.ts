import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { measurePeakMemory, type PeakMemoryOptions } from '../../lib/adapters/peak-memory.ts';
import { aFolder } from '../support/temporary-folder.ts';

function measure(options: PeakMemoryOptions) {
  const memory = measurePeakMemory({ everyMs: 5, ...options });
  onTestFinished(() => memory.stop());
  return memory;
}

const status = (parent: number, kilobytes: number) => `Name:\tx\nPPid:\t${parent}\nVmRSS:\t${kilobytes} kB\n`;

/** Process 10 with a child and a grandchild, and one that is none of its own. */
const TREE = {
  '10/status': status(1, 10_240),
  '11/status': status(10, 20_480),
  '12/status': status(11, 40_960),
  '13/status': status(1, 999_999),
  'self/cgroup': '0::/user.slice/session.scope\n',
};

describe('the peak memory of a run', () => {
  it('is what the kernel has recorded for the container', async () => {
    const proc = await aFolder({ ...TREE, 'self/cgroup': '0::/\n' });
    const cgroup = await aFolder({ 'memory.peak': `${300 * 1024 ** 2 + 1}\n` });
    expect(await measure({ proc, cgroup, pid: 10 }).mebibytes()).toBe(301);
  });

  it('is that of its processes where the control group is shared with others', async () => {
    const cgroup = await aFolder({ 'memory.peak': '999999999999\n' });
    expect(await measure({ proc: await aFolder(TREE), cgroup, pid: 10 }).mebibytes()).toBe(70);
  });

  it('is that of its processes where the kernel keeps no record', async () => {
    const proc = await aFolder({ ...TREE, 'self/cgroup': '4:memory:/ecs/task\n0::/\n' });
    expect(await measure({ proc, cgroup: await aFolder(), pid: 10 }).mebibytes()).toBe(70);
  });

  it('is the largest sum that was seen, not the last', async () => {
    const proc = await aFolder(TREE);
    const memory = measure({ proc, cgroup: await aFolder(), pid: 10 });
    expect(await memory.mebibytes()).toBe(70);
    await writeFile(join(proc, '12/status'), status(11, 0));
    expect(await memory.mebibytes()).toBe(70);
  });

  it('is not known where there are no such files', async () => {
    expect(await measure({ proc: '/nowhere', cgroup: '/nowhere' }).mebibytes()).toBeNull();
  });

  it.runIf(process.platform === 'linux')('is that of a real process', async () => {
    const source = "globalThis.kept = Buffer.alloc(200e6, 'x'); process.send('ready'); setInterval(() => {}, 1000);";
    const child = fork(join(await aFolder({ 'child.mjs': source }), 'child.mjs'));
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child, 'message');
    expect(await measure({ cgroup: '/nowhere', pid: child.pid ?? 0 }).mebibytes()).toBeGreaterThan(190);
  });
});
