import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PINNED_VERSIONS } from '../../lib/adapters/toolchain-release.ts';
import { anEngineOrigin, archiveOf, breakOff } from '../support/engine-origin.ts';
import { sha256 } from '../support/release-origin.ts';
import { aMachine, engineScript, putScript } from '../support/toolchain-machine.ts';

const PINNED = PINNED_VERSIONS.terraform;

describe('downloaded engine', () => {
  it('is the pinned build, verified against the checksums of its release', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({ terraform: [PINNED] });
    const tool = await (await machine.toolchain(origin.options)).engine({ name: 'auto' });
    const path = join(machine.cacheDir, 'terraform', PINNED, 'linux_amd64', 'terraform');
    expect(tool).toEqual({ name: 'terraform', path, version: PINNED, origin: 'downloaded' });
    expect((await stat(path)).mode & 0o777).toBe(0o755);
    expect(await readdir(join(path, '..'))).toEqual(['terraform']);
    expect(machine.said).toEqual([
      `downloading terraform ${PINNED} from ${origin.url}/terraform/${PINNED}/terraform_${PINNED}_linux_amd64.zip`,
      expect.stringMatching(/^terraform 1\.11\.4: 100 % of \d+\.\d MB$/),
      `installed ${path}; SHA-256 as the release lists it`,
    ]);
  });

  it('is found in the cache the next time', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({ terraform: [PINNED] });
    await (await machine.toolchain(origin.options)).engine({ name: 'terraform' });
    expect(await (await machine.toolchain()).engine({ name: 'terraform' })).toMatchObject({ origin: 'cache' });
  });

  it('is verified against the pin alone where there is one', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({ terraform: [PINNED] });
    const pins = { [`terraform_${PINNED}_linux_amd64`]: sha256(archiveOf('terraform', PINNED)) };
    await (await machine.toolchain({ ...origin.options, pins })).engine({ name: 'terraform' });
    expect(origin.requests).toEqual([`/terraform/${PINNED}/terraform_${PINNED}_linux_amd64.zip`]);
    expect(machine.said.at(-1)).toMatch(/SHA-256 as pinned$/);
  });

  it('replaces a broken one in the cache', async () => {
    const machine = await aMachine();
    const path = join(machine.cacheDir, 'terraform', PINNED, 'linux_amd64', 'terraform');
    await putScript(path, 'exit 1');
    const origin = await anEngineOrigin({ terraform: [PINNED] });
    const tool = await (await machine.toolchain(origin.options)).engine({ name: 'terraform' });
    expect(tool).toMatchObject({ path, origin: 'downloaded' });
    expect(await readFile(path, 'utf8')).toContain(PINNED);
  });
});

describe('release that is downloaded', () => {
  it.each([
    { name: 'terraform', constraint: '~> 1.12', version: '1.13.1' },
    { name: 'tofu', constraint: '~> 1.9.0', version: '1.9.4' },
    { name: 'terraform', constraint: '1.14.0-rc1', version: '1.14.0-rc1' },
  ] as const)('is the newest $name release for "$constraint" with a build for the platform', async (expected) => {
    const { name, constraint, version } = expected;
    const machine = await aMachine();
    const origin = await anEngineOrigin({
      terraform: ['1.9.0', '1.12.2', '1.13.1', '1.13.0', '1.14.0-rc1'],
      tofu: ['1.9.4', '1.9.10-rc1', '1.9.3', '1.10.0'],
      elsewhere: ['1.13.9', '1.9.9', 'next'],
    });
    const tool = await (await machine.toolchain(origin.options)).engine({ name, constraint });
    expect(tool).toMatchObject({ name, version, origin: 'downloaded' });
  });

  it('fails where no release satisfies the constraint, with the newest there is', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({ terraform: ['1.9.0', '1.13.1'] });
    const engine = (await machine.toolchain(origin.options)).engine({ name: 'terraform', constraint: '~> 2.0' });
    await expect(engine).rejects.toMatchObject({
      code: 'EngineMissing',
      message: 'no release of terraform for linux_amd64 satisfies "~> 2.0"',
      hint: 'The newest release is 1.13.1.',
    });
  });

  it('fails where the list of releases is something else', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({ index: '<html>welcome to the hotel network</html>' });
    const engine = (await machine.toolchain(origin.options)).engine({ name: 'terraform', constraint: '~> 2.0' });
    await expect(engine).rejects.toMatchObject({
      code: 'DownloadFailed',
      message: expect.stringContaining('is not the list of releases'),
    });
  });
});

describe('engine wanted several times at once', () => {
  it('is installed once for callers at the same time', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({ terraform: [PINNED] });
    const toolchain = await machine.toolchain(origin.options);
    const requests = ['>= 1.5', '~> 1.11', PINNED].map((constraint) => ({ name: 'terraform', constraint }) as const);
    const tools = await Promise.all(requests.map((request) => toolchain.engine(request)));
    expect(new Set(tools.map(({ path }) => path)).size).toBe(1);
    expect(origin.requests).toHaveLength(2);
  });

  it('is installed whole by two toolchains at the same time', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({ terraform: [PINNED] });
    const toolchains = await Promise.all([1, 2].map(() => machine.toolchain(origin.options)));
    const tools = await Promise.all(toolchains.map((toolchain) => toolchain.engine({ name: 'terraform' })));
    expect(tools.map(({ origin }) => origin)).toEqual(['downloaded', 'downloaded']);
    expect(origin.requests).toHaveLength(4);
    const [first] = tools.map(({ path }) => path);
    expect(await readdir(join(first ?? '', '..'))).toEqual(['terraform']);
  });
});

describe(`download that can't be trusted`, () => {
  it('fails where the file is not the pinned one, though the release lists it', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({ terraform: [PINNED] });
    const pins = { [`terraform_${PINNED}_linux_amd64`]: sha256('the real one') };
    const engine = (await machine.toolchain({ ...origin.options, pins })).engine({ name: 'terraform' });
    await expect(engine).rejects.toMatchObject({
      code: 'ChecksumMismatch',
      message: expect.stringContaining(sha256('the real one')),
    });
    await expect(readdir(machine.cacheDir)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('fails where the file is not the one the release lists', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({ terraform: [PINNED], checksum: () => sha256('another file') });
    const engine = (await machine.toolchain(origin.options)).engine({ name: 'terraform' });
    await expect(engine).rejects.toMatchObject({ code: 'ChecksumMismatch' });
    await expect(readdir(machine.cacheDir)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('fails where the release lists no checksum for the file', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({ terraform: [PINNED], checksum: () => 'not-a-checksum' });
    const engine = (await machine.toolchain(origin.options)).engine({ name: 'terraform' });
    await expect(engine).rejects.toMatchObject({
      code: 'DownloadFailed',
      message: `the release lists no SHA-256 for terraform_${PINNED}_linux_amd64.zip`,
    });
  });

  it('fails where the origin leads to an address without TLS', async () => {
    const machine = await aMachine();
    const fetch: typeof globalThis.fetch = async () =>
      Object.defineProperty(new Response('x'), 'url', { value: 'http://cdn.example/terraform.zip' });
    const official = { hashicorp: 'https://hashicorp.example', opentofu: '', github: '' };
    const engine = (await machine.toolchain({ fetch, origins: official })).engine({ name: 'terraform' });
    await expect(engine).rejects.toMatchObject({
      code: 'DownloadFailed',
      message: expect.stringMatching(/leads to the insecure address http:\/\/cdn\.example\/terraform\.zip$/),
    });
  });
});

describe('download that does not work out', () => {
  it('fails where there is no place for the program in the cache', async () => {
    const machine = await aMachine();
    await mkdir(join(machine.cacheDir, 'terraform', PINNED, 'linux_amd64', 'terraform'), { recursive: true });
    const origin = await anEngineOrigin({ terraform: [PINNED] });
    const engine = (await machine.toolchain(origin.options)).engine({ name: 'terraform' });
    await expect(engine).rejects.toMatchObject({
      code: 'EngineMissing',
      message: expect.stringMatching(/^the cache can't be used: EISDIR at /),
    });
    expect(await readdir(join(machine.cacheDir, 'terraform', PINNED, 'linux_amd64'))).toEqual(['terraform']);
  });

  it('is tried again after a failure', async () => {
    const machine = await aMachine();
    let faults = 1;
    const origin = await anEngineOrigin({
      terraform: [PINNED],
      wrap: (answer) => (response) => {
        if (faults-- > 0) response.statusCode = 503;
        response.end(answer);
      },
    });
    const toolchain = await machine.toolchain(origin.options);
    await expect(toolchain.engine({ name: 'terraform' })).rejects.toMatchObject({
      code: 'DownloadFailed',
      message: expect.stringMatching(/SHA256SUMS answered 503$/),
    });
    expect(await toolchain.engine({ name: 'terraform' })).toMatchObject({ origin: 'downloaded' });
  });

  it('fails where the download breaks off', async () => {
    const machine = await aMachine();
    const archive = archiveOf('terraform', PINNED);
    const origin = await anEngineOrigin({ terraform: [PINNED], wrap: () => (response) => breakOff(response, archive) });
    const pins = { [`terraform_${PINNED}_linux_amd64`]: sha256(archive) };
    const engine = (await machine.toolchain({ ...origin.options, pins })).engine({ name: 'terraform' });
    await expect(engine).rejects.toMatchObject({
      code: 'DownloadFailed',
      message: expect.stringContaining(`broke off after ${archive.length >> 1} bytes`),
      hint: 'Try again.',
    });
  });

  it('fails where the release is gone', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({});
    const engine = (await machine.toolchain(origin.options)).engine({ name: 'terraform' });
    await expect(engine).rejects.toMatchObject({
      code: 'DownloadFailed',
      message: `${origin.url}/terraform/${PINNED}/terraform_${PINNED}_SHA256SUMS answered 404`,
    });
  });

  it('fails where the program does not run here', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({ terraform: [PINNED], script: () => 'exit 126' });
    const engine = (await machine.toolchain(origin.options)).engine({ name: 'terraform' });
    await expect(engine).rejects.toMatchObject({
      code: 'EngineFailed',
      message: expect.stringMatching(/does not work: exit code 126$/),
    });
  });

  it('fails where the program is another version', async () => {
    const machine = await aMachine();
    const origin = await anEngineOrigin({ terraform: [PINNED], script: () => engineScript('1.0.0') });
    const engine = (await machine.toolchain(origin.options)).engine({ name: 'terraform' });
    await expect(engine).rejects.toMatchObject({ message: expect.stringMatching(/it says it is 1\.0\.0$/) });
  });
});

describe('download that can not even start', () => {
  it('fails where the cache can not be read', async () => {
    const machine = await aMachine();
    await writeFile(machine.cacheDir, 'not a folder');
    await expect((await machine.toolchain()).engine({ name: 'terraform' })).rejects.toMatchObject({
      code: 'EngineMissing',
      message: `the cache can't be used: ENOTDIR at ${machine.cacheDir}/terraform`,
    });
  });

  it.each([
    { constraint: undefined, what: 'tofu' },
    { constraint: '~> 1.7.0', what: 'tofu "~> 1.7.0"' },
  ])('fails offline, naming $what and the ways to provide it', async ({ constraint, what }) => {
    const machine = await aMachine();
    const request = { name: 'tofu', ...(constraint !== undefined && { constraint }) } as const;
    await expect((await machine.toolchain()).engine(request)).rejects.toMatchObject({
      code: 'EngineMissing',
      message: expect.stringMatching(
        new RegExp(`^${what} is missing: neither on PATH nor in the cache, .* 127.0.0.1:\\d+ can't be reached`),
      ),
      hint: expect.stringContaining(`place it at ${machine.cacheDir}/tofu/<version>/linux_amd64/tofu`),
    });
  });

  it('fails on a platform without a build, and says how to go on', async () => {
    const machine = await aMachine();
    const toolchain = await machine.toolchain({ platform: 'win32', arch: 'ia32' });
    await expect(toolchain.engine({ name: 'terraform' })).rejects.toMatchObject({
      code: 'EngineMissing',
      message: 'terraform was not found, and there is no build for windows_386 to download',
      hint: 'Put terraform on PATH.',
    });
  });
});
