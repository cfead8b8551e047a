import { glob, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';
import { type ServiceProcess, startService } from './service-process.ts';

/** The version of the AWS provider that tests run with. */
export const PROVIDER_VERSION = '5.100.0';

const CONFIGURATION = `terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "${PROVIDER_VERSION}"
    }
  }
}
`;

export interface InstalledProvider {
  readonly program: string;
  /** The dependency lock file that goes with it. */
  readonly lockFile: string;
}

export interface InstallDeps {
  readonly terraform: string;
  /** The environment of `terraform init`. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the provider is kept across test runs. Several processes may share it. */
  readonly cacheDir: string;
}

/** Has Terraform install the AWS provider, unless it is in the cache. */
export async function installProvider({ cacheDir, ...deps }: InstallDeps): Promise<InstalledProvider> {
  const folder = join(cacheDir, `aws-provider-${PROVIDER_VERSION}`);
  const program = (await findProgram(folder)) ?? (await install(deps, folder));
  return { program, lockFile: join(folder, '.terraform.lock.hcl') };
}

async function findProgram(folder: string): Promise<string | undefined> {
  const packages = glob(`.terraform/providers/*/hashicorp/aws/${PROVIDER_VERSION}/*`, { cwd: folder });
  for await (const path of packages) {
    // Not a part of the pattern: the folder of the package can be a link, which glob does not follow.
    const name = (await readdir(join(folder, path))).find((file) => file.startsWith('terraform-provider-aws'));
    if (name !== undefined) return join(folder, path, name);
  }
  return undefined;
}

/** Installs beside the folder, then puts it in place: another process may do the same at the same time. */
async function install({ terraform, env }: Omit<InstallDeps, 'cacheDir'>, folder: string): Promise<string> {
  await mkdir(join(folder, '..'), { recursive: true });
  const workshop = await mkdtemp(`${folder}-`);
  await writeFile(join(workshop, 'versions.tf'), CONFIGURATION);
  const { exitCode, stderr } = await runProgram(terraform, ['init', '-no-color'], { cwd: workshop, env });
  if (exitCode !== 0) throw new Error(`terraform init could not install the AWS provider:\n${stderr}`);
  await rename(workshop, folder).catch(() => rm(workshop, { recursive: true }));
  const program = await findProgram(folder);
  if (program === undefined) throw new Error(`no AWS provider ${PROVIDER_VERSION} in ${folder} after terraform init`);
  return program;
}

export interface SharedProvider extends Omit<ServiceProcess, 'said'> {
  /** For `TF_REATTACH_PROVIDERS`: Terraform then uses this process instead of starting one of its own. */
  readonly reattach: string;
}

/**
 * Starts the AWS provider once for many Terraform commands: a plan takes half the time.
 *
 * The process has one configuration, the one that was given last. So everything that uses it at the same time must have
 * the same `provider` block, and what the provider reads from the environment is this environment, not Terraform's.
 */
export async function startSharedProvider(
  program: string,
  env: Readonly<Record<string, string>>,
): Promise<SharedProvider> {
  const ready = /TF_REATTACH_PROVIDERS='(.+)'/;
  const { said, ...service } = await startService({ file: program, args: ['-debug'], env, ready });
  return { ...service, reattach: said };
}
