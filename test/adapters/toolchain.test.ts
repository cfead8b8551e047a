import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aMachine, engineScript, putScript } from '../support/toolchain-machine.ts';

describe('engine on PATH', () => {
  it.each([
    { name: 'auto', there: ['terraform', 'tofu'], taken: 'terraform' },
    { name: 'auto', there: ['tofu'], taken: 'tofu' },
    { name: 'tofu', there: ['terraform', 'tofu'], taken: 'tofu' },
  ] as const)('is $taken for $name with $there there', async ({ name, there, taken }) => {
    const machine = await aMachine();
    for (const program of there) await putScript(join(machine.bin, program), engineScript('1.9.5'));
    const tool = await (await machine.toolchain()).engine({ name });
    expect(tool).toEqual({ name: taken, path: join(machine.bin, taken), version: '1.9.5', origin: 'path' });
    expect(machine.said).toEqual([]);
  });

  it.each([
    { fault: 'exits with an error', script: 'exit 3', reason: 'exit code 3' },
    { fault: 'prints rubbish', script: 'echo hello', reason: 'it does not tell its version' },
    { fault: 'prints another document', script: `echo '{"version":"1.9.5"}'`, reason: 'it does not tell its version' },
    { fault: 'prints no version', script: engineScript('latest'), reason: 'it does not tell its version' },
    { fault: 'dies', script: 'kill -9 $$', reason: 'ended by SIGKILL' },
    { fault: 'is too old', script: engineScript('1.4.0'), reason: '1.4.0 does not satisfy ">= 1.5"' },
  ])('is passed over where it $fault', async ({ script, reason }) => {
    const machine = await aMachine();
    const second = join(machine.root, 'second');
    const broken = await putScript(join(machine.bin, 'terraform'), script);
    const path = await putScript(join(second, 'terraform'), engineScript('1.9.5'));
    const toolchain = await machine.toolchain({ env: { PATH: `${machine.bin}:${second}` } });
    for (const _ of [1, 2]) {
      expect(await toolchain.engine({ name: 'terraform', constraint: '>= 1.5' })).toMatchObject({ path });
    }
    expect(machine.said).toEqual([`passing over ${broken}: ${reason}`]);
  });

  it('is passed over where it can not be run', async () => {
    const machine = await aMachine();
    await mkdir(join(machine.bin, 'terraform'));
    await writeFile(await putScript(join(machine.root, 'a', 'terraform'), ''), '#!/nowhere/sh\n');
    const path = await putScript(join(machine.root, 'b', 'terraform'), engineScript('1.9.5'));
    const env = { PATH: [machine.bin, join(machine.root, 'a'), join(machine.root, 'b')].join(':') };
    expect(await (await machine.toolchain({ env })).engine({ name: 'terraform' })).toMatchObject({ path });
  });
});

describe('looking for an engine on PATH', () => {
  it('leaves out relative folders', async () => {
    const machine = await aMachine();
    const engine = (await machine.toolchain({ env: { PATH: ':.:bin' } })).engine({ name: 'terraform' });
    await expect(engine).rejects.toMatchObject({ code: 'EngineMissing' });
    expect(machine.said.filter((line) => line.startsWith('passing over'))).toEqual([]);
  });

  it('asks in the directory of the root module, as shims answer by directory', async () => {
    const machine = await aMachine();
    await putScript(
      join(machine.bin, 'terraform'),
      `case $PWD in */old) v=1.5.7;; *) v=1.9.5;; esac; echo "{\\"terraform_version\\":\\"$v\\"}"`,
    );
    const directory = join(machine.root, 'old');
    await mkdir(directory);
    const toolchain = await machine.toolchain();
    expect(await toolchain.engine({ name: 'terraform', directory })).toMatchObject({ version: '1.5.7' });
    expect(await toolchain.engine({ name: 'terraform' })).toMatchObject({ version: '1.9.5' });
  });

  it("asks without the user's TF_ settings and without a call home", async () => {
    const machine = await aMachine();
    await putScript(
      join(machine.bin, 'terraform'),
      `[ -z "$TF_CLI_ARGS_version$TF_LOG" ] && [ "$CHECKPOINT_DISABLE" = 1 ] && ${engineScript('1.9.5')}`,
    );
    const env = { PATH: machine.bin, TF_CLI_ARGS_version: '-help', TF_LOG: 'trace' };
    expect(await (await machine.toolchain({ env })).engine({ name: 'terraform' })).toMatchObject({ version: '1.9.5' });
  });

  it('fails on a constraint that can not be read', async () => {
    const engine = (await (await aMachine()).toolchain()).engine({ name: 'auto', constraint: 'newest' });
    await expect(engine).rejects.toMatchObject({ code: 'ArgumentInvalid' });
  });
});

describe('engine in the cache', () => {
  it('is the newest that satisfies the constraint', async () => {
    const machine = await aMachine();
    for (const version of ['1.9.5', '1.10.2', '1.11.0', 'junk']) {
      await putScript(join(machine.cacheDir, 'terraform', version, 'linux_amd64', 'terraform'), engineScript(version));
    }
    const tool = await (await machine.toolchain()).engine({ name: 'auto', constraint: '< 1.11' });
    const path = join(machine.cacheDir, 'terraform', '1.10.2', 'linux_amd64', 'terraform');
    expect(tool).toEqual({ name: 'terraform', path, version: '1.10.2', origin: 'cache' });
  });

  it('is passed over where it is broken, or another version than its folder says', async () => {
    const machine = await aMachine();
    const at = (version: string) => join(machine.cacheDir, 'tofu', version, 'linux_amd64', 'tofu');
    await putScript(at('1.9.5'), 'exit 1');
    await putScript(at('1.9.4'), engineScript('1.9.3'));
    await putScript(at('1.9.2'), engineScript('1.9.2'));
    await mkdir(join(machine.cacheDir, 'tofu', '1.9.6', 'darwin_arm64'), { recursive: true });
    expect(await (await machine.toolchain()).engine({ name: 'tofu' })).toMatchObject({ path: at('1.9.2') });
  });
});
