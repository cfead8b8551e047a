import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ProviderRequest } from '../ports/toolchain.ts';
import { writeAtomically } from './toolchain-cache.ts';
import { impliedMirrors, type MirroredPackage, readMirror } from './toolchain-mirrors.ts';

export interface CliConfigDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly cacheDir: string;
  readonly os: NodeJS.Platform;
  /** Such as `linux_amd64`. */
  readonly platform: string;
  /** Mirrors that Terraform doesn't find itself. */
  readonly systemMirrors: () => Promise<readonly string[]>;
}

/** See `Toolchain.cliConfig`. */
export async function writeCliConfig(deps: CliConfigDeps, request: ProviderRequest): Promise<string | undefined> {
  if (await hasOwnConfig(deps.env, request)) return undefined;
  const candidates = impliedMirrors({ env: deps.env, platform: deps.os, ...request });
  const implied = await Promise.all((await existing(candidates)).map(readContent));
  const builtIn = new Set(implied.flatMap(({ packages }) => packages.map(({ address }) => address)));
  const locked = await readLocks(request.directory);
  const added = (await Promise.all((await deps.systemMirrors()).map(readContent)))
    .filter(({ folder }) => !candidates.includes(folder))
    .map(({ folder, packages }) => ({ folder, include: usable(packages, deps.platform, { builtIn, locked }) }))
    .filter(({ include }) => include.length > 0);
  if (added.length === 0) return undefined;
  const content = renderConfig([...implied.map(({ folder }) => ({ folder })), ...added], builtIn);
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
  const path = join(deps.cacheDir, 'cli-config', `${digest}.tfrc`);
  await writeAtomically(path, content, 0o644);
  return path;
}

/**
 * Whether the user has a CLI configuration that is in force. `TF_CLI_CONFIG_FILE` makes Terraform ignore the home
 * directory, so setting it would drop what is there: registry credentials from `terraform login`, too.
 */
async function hasOwnConfig(env: NodeJS.ProcessEnv, { engine }: ProviderRequest): Promise<boolean> {
  const home = env.HOME || homedir();
  const names = ['.terraformrc'];
  const folders = [join(home, '.terraform.d')];
  if (engine === 'tofu') {
    names.push('.tofurc');
    if (env.XDG_CONFIG_HOME) folders.push(join(env.XDG_CONFIG_HOME, 'opentofu'));
  }
  const named = [env.TF_CLI_CONFIG_FILE, env.TERRAFORM_CONFIG].flatMap((file) => file || []);
  const files = await existing([...named, ...names.map((name) => join(home, name))]);
  const inFolders = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  return files.length > 0 || inFolders.flat().some((name) => /^tofurc$|\.tfrc(\.json)?$/.test(name));
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return paths.filter((_, index) => found[index] !== undefined);
}

interface Mirror {
  readonly folder: string;
  readonly packages: readonly MirroredPackage[];
}

async function readContent(folder: string): Promise<Mirror> {
  return { folder, packages: await readMirror(folder) };
}

interface Known {
  /** Addresses that Terraform finds in its own mirrors. */
  readonly builtIn: ReadonlySet<string>;
  /** Version by address, from the lock file. */
  readonly locked: ReadonlyMap<string, string>;
}

/** Addresses that a mirror can serve here: built for this platform, in the locked version where one is locked. */
function usable(packages: readonly MirroredPackage[], platform: string, { builtIn, locked }: Known): string[] {
  const served = packages
    .filter((found) => found.platform === platform && !builtIn.has(found.address))
    .filter(({ address, version }) => (locked.get(address) ?? version) === version);
  return [...new Set(served.map(({ address }) => address))].sort();
}

/** Versions that the dependency lock file of a root module selects, by provider address. */
async function readLocks(directory: string): Promise<Map<string, string>> {
  const text = await readFile(join(directory, '.terraform.lock.hcl'), 'utf8').catch(() => '');
  const locks = text.matchAll(/^provider\s+"([^"]+)"\s*\{[^}]*?^\s*version\s*=\s*"([^"]+)"/gm);
  return new Map([...locks].map(([, address = '', version = '']) => [address, version]));
}

interface Method {
  readonly folder: string;
  readonly include?: readonly string[];
}

/**
 * An explicit configuration replaces Terraform's implied one, so it has to name the implied mirrors too, and keep the
 * registry from being asked for anything a mirror holds: that is what makes `init` work offline.
 */
function renderConfig(methods: readonly Method[], builtIn: ReadonlySet<string>): string {
  const exclude = [...new Set([...builtIn, ...methods.flatMap(({ include = [] }) => include)])].sort();
  const blocks = methods.map(({ folder, include }) =>
    renderBlock('filesystem_mirror', { path: folder, ...(include && { include }) }),
  );
  return `provider_installation {\n${blocks.join('')}${renderBlock('direct', { exclude })}}\n`;
}

function renderBlock(name: string, values: Readonly<Record<string, string | readonly string[]>>): string {
  const lines = Object.entries(values).map(([key, value]) => `    ${key} = ${JSON.stringify(value)}\n`);
  return `  ${name} {\n${lines.join('')}  }\n`;
}
