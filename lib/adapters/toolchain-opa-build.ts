import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { HoldfastError } from '../domain/errors.ts';
import { makeFolder } from './toolchain-cache.ts';

interface BuildDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly say: (message: string) => void;
}

interface BuildRequest {
  /** The go command. */
  readonly go: string;
  readonly version: string;
  /** Where the program goes, absolute. */
  readonly path: string;
}

/** Builds OPA from source; the go command verifies every module against Go's checksum database. Throws `EngineMissing`. */
export async function buildOpa({ env, say }: BuildDeps, { go, version, path }: BuildRequest): Promise<void> {
  const module = `github.com/open-policy-agent/opa@v${version}`;
  say(`building opa ${version} with "go install ${module}"; this takes a minute or two`);
  await makeFolder(dirname(path));
  const folder = await mkdtemp(join(dirname(path), 'build-'));
  try {
    // Without cgo the build needs no C compiler and the program no C library.
    const child = spawn(go, ['install', module], {
      cwd: folder,
      env: { ...env, GOBIN: folder, CGO_ENABLED: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let lastLine = '';
    createInterface(child.stderr).on('line', (line) => {
      lastLine = line;
      say(line);
    });
    const [exitCode]: unknown[] = await once(child, 'close');
    if (exitCode !== 0) throw new HoldfastError('EngineMissing', `"go install ${module}" failed: ${lastLine}`);
    await rename(join(folder, 'opa'), path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
