import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ToolchainOptions } from '../../lib/adapters/toolchain.ts';
import { PINNED_VERSIONS } from '../../lib/adapters/toolchain-release.ts';
import { type Answer, sha256, startReleaseOrigin } from '../support/release-origin.ts';
import { aMachine, opaScript, putScript } from '../support/toolchain-machine.ts';

const PINNED = PINNED_VERSIONS.opa;
const FOLDER = `/open-policy-agent/opa/releases/download/v${PINNED}`;
const PROGRAM = `#!/bin/sh\n${opaScript(PINNED)}\n`;

describe('opa found', () => {
  it('is the one on PATH', async () => {
    const machine = await aMachine();
    const path = await putScript(join(machine.bin, 'opa'), opaScript('1.3.0'));
    expect(await (await machine.toolchain()).opa()).toEqual({ name: 'opa', path, version: '1.3.0', origin: 'path' });
  });

  it('is the one in the cache where the one on PATH is from before 1.0', async () => {
    const machine = await aMachine();
    const old = await putScript(join(machine.bin, 'opa'), opaScript('0.70.0'));
    const path = await putScript(join(machine.cacheDir, 'opa', '1.20.0', 'linux_amd64', 'opa'), opaScript('1.20.0'));
    expect(await (await machine.toolchain()).opa()).toEqual({ name: 'opa', path, version: '1.20.0', origin: 'cache' });
    expect(machine.said).toEqual([`passing over ${old}: 0.70.0 does not satisfy ">= 1.0"`]);
  });
});

describe('opa downloaded', () => {
  it.each([
    { platform: 'linux', arch: 'x64', file: 'opa_linux_amd64_static', folder: 'linux_amd64' },
    { platform: 'linux', arch: 'arm64', file: 'opa_linux_arm64_static', folder: 'linux_arm64' },
    { platform: 'darwin', arch: 'x64', file: 'opa_darwin_amd64', folder: 'darwin_amd64' },
    { platform: 'darwin', arch: 'arm64', file: 'opa_darwin_arm64_static', folder: 'darwin_arm64' },
  ] as const)('is $file on $platform $arch', async ({ platform, arch, file, folder }) => {
    const machine = await aMachine();
    const options = await anOpaOrigin({
      [`${FOLDER}/${file}`]: PROGRAM,
      [`${FOLDER}/${file}.sha256`]: `${sha256(PROGRAM)}  ${file}\n`,
    });
    const tool = await (await machine.toolchain({ ...options, platform, arch })).opa();
    const path = join(machine.cacheDir, 'opa', PINNED, folder, 'opa');
    expect(tool).toEqual({ name: 'opa', path, version: PINNED, origin: 'downloaded' });
    expect(await readFile(path, 'utf8')).toBe(PROGRAM);
  });

  it('fails on another file than the release lists, and is not built instead', async () => {
    const machine = await aMachine();
    await putScript(join(machine.bin, 'go'), goScript(PINNED));
    const options = await anOpaOrigin({
      [`${FOLDER}/opa_linux_amd64_static`]: PROGRAM,
      [`${FOLDER}/opa_linux_amd64_static.sha256`]: `${sha256('another')}  opa_linux_amd64_static\n`,
    });
    await expect((await machine.toolchain(options)).opa()).rejects.toMatchObject({ code: 'ChecksumMismatch' });
    await expect(readdir(machine.cacheDir)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('opa built', () => {
  it.each([
    { where: 'offline', answers: undefined },
    { where: 'where the release is gone', answers: {} },
  ])('comes from the go command $where', async ({ answers }) => {
    const machine = await aMachine();
    await putScript(join(machine.bin, 'go'), goScript(PINNED));
    const options = answers && (await anOpaOrigin(answers));
    const tool = await (await machine.toolchain({ ...options, env: withCat(machine.env) })).opa();
    const path = join(machine.cacheDir, 'opa', PINNED, 'linux_amd64', 'opa');
    expect(tool).toEqual({ name: 'opa', path, version: PINNED, origin: 'built' });
    expect(await readdir(join(path, '..'))).toEqual(['opa']);
    expect(machine.said).toEqual([
      expect.stringMatching(/^opa 1\.22\.4 can't be downloaded: /),
      expect.stringMatching(/^building opa 1\.22\.4 with "go install github\.com\/open-policy-agent\/opa@v1\.22\.4"/),
      'go: downloading github.com/open-policy-agent/opa v1.22.4',
    ]);
  });

  it('is built once for callers at the same time', async () => {
    const machine = await aMachine();
    await putScript(join(machine.bin, 'go'), goScript(PINNED));
    const toolchain = await machine.toolchain({ env: withCat(machine.env) });
    await Promise.all([toolchain.opa(), toolchain.opa()]);
    expect(machine.said.filter((line) => line.startsWith('building'))).toHaveLength(1);
  });

  it('fails where the build fails, with what go says', async () => {
    const machine = await aMachine();
    await putScript(join(machine.bin, 'go'), 'echo "go: no such host" >&2; exit 1');
    await expect((await machine.toolchain()).opa()).rejects.toMatchObject({
      code: 'EngineMissing',
      message: '"go install github.com/open-policy-agent/opa@v1.22.4" failed: go: no such host',
    });
    expect(await readdir(join(machine.cacheDir, 'opa', PINNED, 'linux_amd64'))).toEqual([]);
  });

  it('fails where a file is in the way of its folder', async () => {
    const machine = await aMachine();
    await putScript(join(machine.bin, 'go'), goScript(PINNED));
    await mkdir(join(machine.cacheDir, 'opa'), { recursive: true });
    await writeFile(join(machine.cacheDir, 'opa', PINNED), '');
    await expect((await machine.toolchain()).opa()).rejects.toMatchObject({
      code: 'EngineMissing',
      message: expect.stringMatching(/^the cache can't be used: ENOTDIR at /),
    });
  });

  it('fails where the result does not work', async () => {
    const machine = await aMachine();
    await putScript(join(machine.bin, 'go'), goScript('1.0.0'));
    await expect((await machine.toolchain({ env: withCat(machine.env) })).opa()).rejects.toMatchObject({
      code: 'EngineFailed',
      message: expect.stringMatching(/it says it is 1\.0\.0$/),
    });
  });

  it('fails offline without go, naming the ways to provide it', async () => {
    const machine = await aMachine();
    await expect((await machine.toolchain()).opa()).rejects.toMatchObject({
      code: 'EngineMissing',
      message: expect.stringMatching(/^opa 1\.22\.4 is missing: neither on PATH nor in the cache/),
      hint: expect.stringContaining('put go on PATH to build it'),
    });
  });
});

async function anOpaOrigin(answers: Readonly<Record<string, Answer>>): Promise<Partial<ToolchainOptions>> {
  const { url, close } = await startReleaseOrigin(answers);
  onTestFinished(close);
  return { origins: { hashicorp: url, opentofu: url, github: url } };
}

/** Answers `go install github.com/open-policy-agent/opa@v…` by putting a program into GOBIN. */
function goScript(version: string): string {
  return `[ "$*" = 'install github.com/open-policy-agent/opa@v${PINNED}' ] && [ "$CGO_ENABLED" = 0 ] || exit 2
echo 'go: downloading github.com/open-policy-agent/opa v${PINNED}' >&2
cat > "$GOBIN/opa" <<'END'
#!/bin/sh
${opaScript(version)}
END
chmod 755 "$GOBIN/opa"`;
}

function withCat(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, PATH: `${env.PATH}:/usr/bin:/bin` };
}
