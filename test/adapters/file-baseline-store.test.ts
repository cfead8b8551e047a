import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileBaselineStore, loadSalt } from '../../lib/adapters/file-baseline-store.ts';
import type { Baseline } from '../../lib/domain/baseline.ts';

const baseline: Baseline = {
  digests: { basis: 'files', config: 'c'.repeat(64), inputs: 'i'.repeat(64), providers: 'p'.repeat(64) },
  at: '2026-11-30T09:00:00.000Z',
};

let parent: string;
let directory: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'holdfast-store-'));
  directory = join(parent, 'state', 'here');
});
afterEach(() => rm(parent, { recursive: true }));

const modeOf = async (file: string) => (await stat(join(directory, file))).mode & 0o777;

describe('createFileBaselineStore', () => {
  it('leaves one file, which only its owner may read', async () => {
    await createFileBaselineStore({ directory }).save('prod/eu-west-1', baseline);
    expect(await readdir(directory)).toEqual(['prod%2feu-west-1.json']);
    expect(await modeOf('prod%2feu-west-1.json')).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it('names the stack in the file, also where the name is cut', async () => {
    const stack = 'x'.repeat(1_000);
    await createFileBaselineStore({ directory }).save(stack, baseline);
    const [name = ''] = await readdir(directory);
    expect(name.length).toBeLessThanOrEqual(255);
    expect(JSON.parse(await readFile(join(directory, name), 'utf8'))).toEqual({ schemaVersion: 1, stack, ...baseline });
  });

  it('leaves one whole file where many save at once', async () => {
    const store = createFileBaselineStore({ directory });
    await Promise.all(Array.from({ length: 20 }, (_, run) => store.save('a', { ...baseline, commit: `${run}` })));
    expect(await store.load('a')).toMatchObject(baseline);
    expect(await readdir(directory)).toEqual(['a.json']);
  });

  const valid = { schemaVersion: 1, stack: 'a', ...baseline };
  it.each([
    { what: 'text that is no JSON', text: '{' },
    { what: 'another version', text: JSON.stringify({ ...valid, schemaVersion: 2 }) },
    { what: 'another stack', text: JSON.stringify({ ...valid, stack: 'b' }) },
    { what: 'a missing digest', text: JSON.stringify({ ...valid, digests: { basis: 'files' } }) },
    { what: 'a time that is none', text: JSON.stringify({ ...valid, at: 'yesterday' }) },
  ])('fails on $what, names the file and says to delete it', async ({ text }) => {
    await mkdir(directory, { recursive: true });
    const file = join(directory, 'a.json');
    await writeFile(file, text);
    await expect(createFileBaselineStore({ directory }).load('a')).rejects.toMatchObject({
      code: 'BaselineUnreadable',
      message: expect.stringContaining(file),
      hint: expect.stringContaining('Delete the file'),
      location: { file },
    });
  });

  it('fails on a baseline that is no file', async () => {
    await mkdir(join(directory, 'a.json'), { recursive: true });
    await expect(createFileBaselineStore({ directory }).load('a')).rejects.toMatchObject({
      code: 'BaselineUnreadable',
    });
  });

  it('fails where it can not write, and leaves nothing behind', async () => {
    await mkdir(join(directory, 'a.json', 'x'), { recursive: true });
    await expect(createFileBaselineStore({ directory }).save('a', baseline)).rejects.toMatchObject({
      code: 'BaselineUnwritable',
      message: expect.stringContaining(join(directory, 'a.json')),
    });
    expect(await readdir(directory)).toEqual(['a.json']);
  });
});

describe('loadSalt', () => {
  it('makes 32 bytes that only their owner may read, and keeps them', async () => {
    const salt = await loadSalt(directory);
    expect(salt).toHaveLength(32);
    expect(await modeOf('salt')).toBe(0o600);
    expect(await loadSalt(directory)).toEqual(salt);
    expect(await readdir(directory)).toEqual(['salt']);
  });

  it('gives all that start at once the same salt', async () => {
    const salts = await Promise.all(Array.from({ length: 20 }, () => loadSalt(directory)));
    expect(new Set(salts.map((salt) => Buffer.from(salt).toString('hex'))).size).toBe(1);
    expect(await readdir(directory)).toEqual(['salt']);
  });

  it('makes another one in another directory', async () => {
    expect(await loadSalt(directory)).not.toEqual(await loadSalt(join(parent, 'other')));
  });

  it('fails on a salt that was cut', async () => {
    await mkdir(directory, { recursive: true });
    await writeFile(join(directory, 'salt'), 'short');
    await expect(loadSalt(directory)).rejects.toMatchObject({
      code: 'BaselineUnreadable',
      location: { file: join(directory, 'salt') },
    });
  });

  it('fails where the directory is a file', async () => {
    const file = join(parent, 'file');
    await writeFile(file, '');
    await expect(loadSalt(file)).rejects.toMatchObject({ code: 'BaselineUnwritable' });
  });
});
