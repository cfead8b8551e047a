import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findLocalMode } from '../../lib/adapters/local-mode-file.ts';
import { LOCAL_FILE, type LocalMode } from '../../lib/contract/local-mode.ts';
import { openLocalFolder } from '../../lib/local/local-folder.ts';
import { startAnsweringServer } from '../support/answering-server.ts';
import { aFolder } from '../support/temporary-folder.ts';

const DEPLOYMENT = {
  region: 'us-east-1',
  tableName: 'holdfast',
  artifactsBucket: 'b',
  topicArn: 'arn:aws:sns:us-east-1:000000000000:t',
  dispatcherName: 'd',
};

const modeAt = (awsEndpoint: string, pid = process.pid): LocalMode => ({
  schemaVersion: 1,
  pid,
  tableEndpoint: 'http://127.0.0.1:1',
  awsEndpoint,
  deployment: DEPLOYMENT,
});

async function answeringServer(status: number): Promise<string> {
  const server = await startAnsweringServer();
  onTestFinished(() => server.close());
  server.answer((response) => response.writeHead(status).end());
  return server.endpoint;
}

describe('openLocalFolder', () => {
  it('makes a folder, and finds its settings there the next time', async () => {
    const root = join(await aFolder(), 'deep', 'state');
    const { settings, saveSettings } = await openLocalFolder(root, { fresh: false });
    await saveSettings({ ...settings, awsPort: 4711 });

    expect((await openLocalFolder(root, { fresh: false })).settings).toEqual({ ...settings, awsPort: 4711 });
    expect(settings.salt).toMatch(/^[0-9a-f]{64}$/);
  });

  it('begins anew where it is told to', async () => {
    const root = join(await aFolder(), 'state');
    const { settings, tables } = await openLocalFolder(root, { fresh: false });
    await writeFile(tables, 'kept');
    const anew = await openLocalFolder(root, { fresh: true });

    expect(anew.settings.salt).not.toBe(settings.salt);
    expect((await readdir(root)).sort()).toEqual(['logs', 'settings.json', 'work']);
  });

  it.each([true, false])('fails on a folder of somebody else, and leaves it alone (fresh: %s)', async (fresh) => {
    const root = await aFolder({ 'thesis.tex': 'years of work' });

    await expect(openLocalFolder(root, { fresh })).rejects.toMatchObject({ code: 'ArgumentInvalid' });
    expect(await readdir(root)).toEqual(['thesis.tex']);
  });

  it('fails on settings that it can not read', async () => {
    const root = await aFolder({ 'settings.json': '{"schemaVersion":7}' });

    await expect(openLocalFolder(root, { fresh: false })).rejects.toMatchObject({
      code: 'ItemUnreadable',
      hint: 'begin anew with --fresh',
    });
    expect((await openLocalFolder(root, { fresh: true })).settings.awsPort).toBe(0);
  });

  it('fails while a local mode runs with it', async () => {
    const root = join(await aFolder(), 'state');
    const { announce, withdraw } = await openLocalFolder(root, { fresh: false });
    await announce(modeAt(await answeringServer(200)));

    await expect(openLocalFolder(root, { fresh: true })).rejects.toMatchObject({
      code: 'ServiceFailed',
      message: expect.stringContaining(`(process ${process.pid})`),
    });
    await withdraw();
    await expect(openLocalFolder(root, { fresh: false })).resolves.toBeDefined();
  });
});

describe('findLocalMode', () => {
  it('finds the one that runs', async () => {
    const root = await aFolder();
    const mode = modeAt(await answeringServer(200));
    await writeFile(join(root, LOCAL_FILE), JSON.stringify(mode));

    expect(await findLocalMode(root)).toEqual(mode);
  });

  it('finds none where none was', async () => {
    expect(await findLocalMode(join(await aFolder(), 'nowhere'))).toBeUndefined();
  });

  it.each([
    ['whose process is gone', async () => modeAt(await answeringServer(200), 2 ** 22 + 1)],
    ['that does not answer', async () => modeAt('http://127.0.0.1:1')],
    ["whose port is somebody else's", async () => modeAt(await answeringServer(404))],
  ])('does not find one %s', async (_, mode) => {
    const root = await aFolder();
    await writeFile(join(root, LOCAL_FILE), JSON.stringify(await mode()));

    expect(await findLocalMode(root)).toBeUndefined();
  });

  it('fails on a file of another version', async () => {
    const root = await aFolder({ [LOCAL_FILE]: '{"schemaVersion":2}' });

    await expect(findLocalMode(root)).rejects.toMatchObject({ code: 'ItemUnreadable' });
  });
});
