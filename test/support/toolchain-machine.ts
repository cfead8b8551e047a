import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ToolchainOptions } from '../../lib/adapters/toolchain.ts';
import { createToolchain } from '../../lib/adapters/toolchain.ts';
import type { Toolchain } from '../../lib/ports/toolchain.ts';
import { deadOrigin } from './release-origin.ts';

/** A machine of its own for one test: a home, a folder on PATH, a cache, folders for mirrors. Gone when the test ends. */
export interface Machine {
  readonly root: string;
  readonly bin: string;
  readonly home: string;
  readonly cacheDir: string;
  /** Stands for `/opt` and the like. */
  readonly opt: string;
  readonly env: NodeJS.ProcessEnv;
  /** What the toolchains said. */
  readonly said: string[];
  /** Linux on an x64 processor without a connection, unless the options say otherwise. */
  toolchain(options?: Partial<ToolchainOptions>): Promise<Toolchain>;
}

export async function aMachine(): Promise<Machine> {
  const root = await mkdtemp(join(tmpdir(), 'toolchain-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const bin = join(root, 'bin');
  const home = join(root, 'home');
  const cacheDir = join(root, 'cache');
  const opt = join(root, 'opt');
  await Promise.all([bin, home, opt].map((folder) => mkdir(folder)));
  const env = { PATH: bin, HOME: home };
  const said: string[] = [];
  return {
    root,
    bin,
    home,
    cacheDir,
    opt,
    env,
    said,
    async toolchain(options = {}) {
      const dead = await deadOrigin();
      return createToolchain({
        env,
        cacheDir,
        say: (message) => said.push(message),
        platform: 'linux',
        arch: 'x64',
        origins: { hashicorp: dead, opentofu: dead, github: dead },
        pins: {},
        systemFolders: [opt],
        ...options,
      });
    },
  };
}

/** A shell script in the place of a program. */
export async function putScript(path: string, script: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

/** Answers `version -json` as Terraform and OpenTofu do. */
export function engineScript(version: string): string {
  return `[ "$*" = 'version -json' ] && echo '{"terraform_version":"${version}","platform":"linux_amd64"}'`;
}

/** Answers `version` as OPA does. */
export function opaScript(version: string): string {
  return `[ "$*" = version ] && printf 'Version: ${version}\\nBuild Commit: \\nRego Version: v1\\n'`;
}
