import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDemo, type Demo } from '../../lib/local/demo.ts';

let workshop: string;
/** Where the demo puts its files. */
let temporary: string;

beforeEach(async () => {
  workshop = await realpath(await mkdtemp(join(tmpdir(), 'holdfast-test-')));
  temporary = await mkdtemp(join(workshop, 'tmp-'));
  vi.stubEnv('TMPDIR', temporary);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(workshop, { recursive: true });
});

/** Tells that it runs, and goes on until it is interrupted. */
const ENDLESS = `
process.on('SIGINT', () => process.exit(130));
writeFileSync(import.meta.dirname + '/started', process.pid + ' ' + process.env.AWS_ENDPOINT_URL);
setInterval(() => {}, 1000);
`;

const FAILING_APPLY = `
if (process.argv[2] === 'apply') {
  console.error('no space left');
  process.exit(1);
}
writeFileSync('.terraform.lock.hcl', '');
`;

/** A demo whose Terraform is a script. */
async function demoWith(script: string, signal?: AbortSignal): Promise<Demo> {
  const path = join(workshop, 'terraform.mjs');
  await writeFile(path, `#!${process.execPath}\nimport { writeFileSync } from 'node:fs';\n${script}`, { mode: 0o755 });
  const engine = { name: 'terraform', path, version: '1.11.4' } as const;
  const deps = { engine, env: process.env, cacheDir: join(workshop, 'cache'), say: () => undefined };
  return createDemo({ ...deps, ...(signal && { signal }) });
}

async function waitForStart(): Promise<{ readonly pid: number; readonly endpoint: string }> {
  const [pid, endpoint = ''] = await vi.waitFor(async () => {
    const text = await readFile(join(workshop, 'started'), 'utf8');
    expect(text).toMatch(/^\d+ http/);
    return text.split(' ');
  }, 15_000);
  return { pid: Number(pid), endpoint };
}

describe('a demo', () => {
  it('leaves no process, emulator or folder when it is interrupted', async () => {
    const interrupt = new AbortController();
    const demo = await demoWith(ENDLESS, interrupt.signal);
    const prepared = demo.prepare();
    const { pid, endpoint } = await waitForStart();
    const reason = new Error('interrupted');
    interrupt.abort(reason);
    await expect(prepared).rejects.toBe(reason);
    await demo.close();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    await expect(fetch(endpoint)).rejects.toThrow('fetch failed');
    expect(await readdir(temporary)).toEqual([]);
  });

  it('leaves nothing when it is closed before it is prepared', async () => {
    const demo = await demoWith(ENDLESS);
    const prepared = demo.prepare();
    const { pid } = await waitForStart();
    await Promise.all([expect(prepared).rejects.toMatchObject({ code: 'Interrupted' }), demo.close()]);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(await readdir(temporary)).toEqual([]);
  });

  it('leaves nothing when Terraform fails half-way', async () => {
    const demo = await demoWith(FAILING_APPLY);
    await expect(demo.prepare()).rejects.toThrow('terraform apply exited with code 1: no space left');
    await demo.close();
    expect(await readdir(temporary)).toEqual([]);
  });

  it('fails on being disturbed before it is prepared', async () => {
    const demo = await demoWith('');
    await expect(demo.disturb()).rejects.toMatchObject({ code: 'ArgumentInvalid' });
  });

  it('fails on being prepared after it was closed', async () => {
    const demo = await demoWith('');
    await demo.close();
    await expect(demo.prepare()).rejects.toMatchObject({ code: 'Interrupted' });
    expect(await readdir(temporary)).toEqual([]);
  });
});
