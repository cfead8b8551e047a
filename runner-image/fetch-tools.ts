import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToolchain } from '../lib/adapters/toolchain.ts';
import type { Toolchain } from '../lib/ports/toolchain.ts';

/** Puts Terraform, OpenTofu and OPA into a folder: the pinned versions, checked against the pinned checksums. */
export async function fetchTools({ toolchain }: { readonly toolchain: Toolchain }, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const tools = [
    await toolchain.engine({ name: 'terraform' }),
    await toolchain.engine({ name: 'tofu' }),
    await toolchain.opa(),
  ];
  for (const { name, path } of tools) await copyFile(path, join(folder, name));
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new TypeError('usage: node runner-image/fetch-tools.ts FOLDER');
  const cacheDir = await mkdtemp(join(tmpdir(), 'tools-'));
  // Nothing is on this PATH, so all of it is downloaded.
  await fetchTools({ toolchain: createToolchain({ env: { PATH: '' }, cacheDir, say: console.log }) }, folder);
  await rm(cacheDir, { recursive: true });
}
