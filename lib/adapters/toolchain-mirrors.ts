import { glob, lstat, readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { EngineName } from '../ports/toolchain.ts';

/** Where packages and administrators put things. Their children and grandchildren are looked at, no deeper. */
export const SYSTEM_FOLDERS = [
  '/opt',
  '/usr/share',
  '/usr/lib',
  '/usr/local/share',
  '/usr/local/lib',
  '/srv',
  '/var/lib',
] as const;

/** A folder with one of these in it is a provider mirror. */
const REGISTRIES = ['registry.terraform.io', 'registry.opentofu.org'] as const;

/** One provider package in a mirror. */
export interface MirroredPackage {
  /** Source address, such as `registry.terraform.io/hashicorp/aws`. */
  readonly address: string;
  readonly version: string;
  /** Such as `linux_amd64`. */
  readonly platform: string;
}

interface FindMirrorsDeps {
  readonly say: (message: string) => void;
}

/** Provider mirrors among the children and grandchildren of these folders, sorted. Symbolic links are not followed. */
export async function findMirrors({ say }: FindMirrorsDeps, folders: readonly string[]): Promise<string[]> {
  const children = await subfolders(folders);
  const candidates = [...children, ...(await subfolders(children))].sort();
  const found = await Promise.all(candidates.map(isMirror));
  const mirrors = candidates.filter((_, index) => found[index]);
  const trusted = await Promise.all(mirrors.map(isTrusted));
  for (const distrusted of mirrors.filter((_, index) => !trusted[index])) {
    say(`passing over the provider mirror ${distrusted}: other users can write to it`);
  }
  return mirrors.filter((_, index) => trusted[index]);
}

async function subfolders(folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      // Whatever is not there or not ours to read holds no mirror for us.
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
    }),
  );
  return found.flat();
}

async function isMirror(folder: string): Promise<boolean> {
  const registries = await Promise.all(REGISTRIES.map((name) => lstat(join(folder, name)).catch(() => undefined)));
  return registries.some((registry) => registry?.isDirectory());
}

/** A provider is a program that gets credentials, so it has to come from somebody who could run it anyway. */
async function isTrusted(folder: string): Promise<boolean> {
  const { uid, mode } = await stat(folder);
  return (uid === 0 || uid === process.getuid?.()) && (mode & 0o002) === 0;
}

const NAME = /^[0-9a-z](?:[0-9a-z_-]*[0-9a-z])?$/i;
const HOST = /^[0-9a-z.-]+$/i;

/** The packages of a mirror, in both of Terraform's layouts: unpacked folders and zip archives. */
export async function readMirror(folder: string): Promise<MirroredPackage[]> {
  const packages: MirroredPackage[] = [];
  for await (const path of glob(['*/*/*/*/*_*', '*/*/*/terraform-provider-*_*_*_*.zip'], { cwd: folder })) {
    packages.push(...readPackagePath(path));
  }
  return packages;
}

function readPackagePath(path: string): MirroredPackage[] {
  const [host = '', namespace = '', type = '', file = '', unpackedPlatform] = path.split('/');
  if (!HOST.test(host) || !NAME.test(namespace) || !NAME.test(type)) return [];
  const address = `${host}/${namespace}/${type}`.toLowerCase();
  if (unpackedPlatform !== undefined) return [{ address, version: file, platform: unpackedPlatform }];
  const prefix = `terraform-provider-${type}_`;
  const [version = '', os, arch] = file.slice(prefix.length, -'.zip'.length).split('_');
  return file.startsWith(prefix) ? [{ address, version, platform: `${os}_${arch}` }] : [];
}

interface ImpliedRequest {
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  readonly engine: EngineName;
  readonly directory: string;
}

/** The local mirror folders that Terraform and OpenTofu search unasked, in their order, whether they exist or not. */
export function impliedMirrors({ env, platform, engine, directory }: ImpliedRequest): string[] {
  const home = env.HOME || homedir();
  const dataHome = env.XDG_DATA_HOME;
  const opentofu = engine === 'tofu' && dataHome ? [join(dataHome, 'opentofu')] : [];
  const shared =
    platform === 'darwin'
      ? [home, '/'].map((base) => join(base, 'Library/Application Support/io.terraform'))
      : [dataHome || join(home, '.local/share'), ...dataFolders(env)].map((base) => join(base, 'terraform'));
  const parents = [join(directory, 'terraform.d'), join(home, '.terraform.d'), ...opentofu, ...shared];
  return parents.map((parent) => join(parent, 'plugins'));
}

function dataFolders({ XDG_DATA_DIRS: list = '' }: NodeJS.ProcessEnv): string[] {
  return (list || '/usr/local/share:/usr/share').split(delimiter);
}
