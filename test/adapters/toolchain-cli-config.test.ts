import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findMirrors, readMirror, SYSTEM_FOLDERS } from '../../lib/adapters/toolchain-mirrors.ts';
import { findOnPath } from '../../lib/adapters/toolchain-probe.ts';
import { goPlatform } from '../../lib/adapters/toolchain-release.ts';
import { aMachine, type Machine } from '../support/toolchain-machine.ts';

const run = promisify(execFile);
const HERE = goPlatform(process.platform, process.arch);
const [terraform = ''] = await findOnPath(process.env, 'terraform');
const awsVersions = await awsMirroredHere();

describe('cliConfig', () => {
  it('sends Terraform to the mirror for what it holds, and to the registries for the rest', async () => {
    const machine = await aMachine();
    await mirror(join(machine.opt, 'plugins'), 'hashicorp/aws', '5.100.0');
    await mirror(join(machine.opt, 'acme', 'plugins'), 'acme/box', '1.0.0');
    expect(await configOf(machine)).toBe(`provider_installation {
  filesystem_mirror {
    path = "${machine.opt}/acme/plugins"
    include = ["registry.terraform.io/acme/box"]
  }
  filesystem_mirror {
    path = "${machine.opt}/plugins"
    include = ["registry.terraform.io/hashicorp/aws"]
  }
  direct {
    exclude = ["registry.terraform.io/acme/box","registry.terraform.io/hashicorp/aws"]
  }
}
`);
  });

  it("keeps Terraform's own mirrors, which come first", async () => {
    const machine = await aMachine();
    const own = join(machine.home, '.terraform.d', 'plugins');
    await mirror(own, 'acme/box', '1.0.0');
    await mirror(join(machine.opt, 'plugins'), 'acme/box', '2.0.0');
    await mirror(join(machine.opt, 'plugins'), 'hashicorp/aws', '5.100.0');
    expect(await configOf(machine)).toBe(`provider_installation {
  filesystem_mirror {
    path = "${own}"
  }
  filesystem_mirror {
    path = "${machine.opt}/plugins"
    include = ["registry.terraform.io/hashicorp/aws"]
  }
  direct {
    exclude = ["registry.terraform.io/acme/box","registry.terraform.io/hashicorp/aws"]
  }
}
`);
  });

  it('stays the same file while the mirrors stay the same', async () => {
    const machine = await aMachine();
    await mirror(join(machine.opt, 'plugins'), 'hashicorp/aws', '5.100.0');
    const request = { engine: 'terraform', directory: machine.root } as const;
    const first = await (await machine.toolchain()).cliConfig(request);
    const second = await (await machine.toolchain()).cliConfig(request);
    expect(second).toBe(first);
    expect(await readdir(join(machine.cacheDir, 'cli-config'))).toHaveLength(1);
  });

  it('leaves a provider to the registry where the lock file selects a version the mirror lacks', async () => {
    const machine = await aMachine();
    await mirror(join(machine.opt, 'plugins'), 'hashicorp/aws', '5.100.0');
    await mirror(join(machine.opt, 'plugins'), 'acme/box', '1.0.0');
    await lock(machine.root, { 'hashicorp/aws': '6.1.0', 'acme/box': '1.0.0' });
    expect(await configOf(machine)).toContain('exclude = ["registry.terraform.io/acme/box"]');
  });

  it.each([
    { why: 'there is no mirror', arrange: async () => {} },
    {
      why: 'the mirror is for other platforms',
      arrange: (machine: Machine) => mirror(join(machine.opt, 'plugins'), 'hashicorp/aws', '5.100.0', 'plan9_amd64'),
    },
    {
      why: 'Terraform finds everything itself',
      arrange: async (machine: Machine) => {
        await mirror(join(machine.opt, 'plugins'), 'hashicorp/aws', '5.100.0');
        await mirror(join(machine.root, 'terraform.d', 'plugins'), 'hashicorp/aws', '5.99.0');
      },
    },
    {
      why: 'Terraform looks in the mirror itself',
      arrange: async (machine: Machine) => {
        machine.env.XDG_DATA_DIRS = machine.opt;
        await mirror(join(machine.opt, 'terraform', 'plugins'), 'hashicorp/aws', '5.100.0');
      },
    },
  ])('is not needed where $why', async ({ arrange }) => {
    const machine = await aMachine();
    await arrange(machine);
    expect(await configOf(machine)).toBeUndefined();
  });
});

describe("cliConfig beside the user's configuration", () => {
  it.each([
    { file: 'ci.tfrc', variable: 'TF_CLI_CONFIG_FILE', engine: 'terraform' },
    { file: 'ci.tfrc', variable: 'TERRAFORM_CONFIG', engine: 'terraform' },
    { file: 'home/.terraformrc', engine: 'terraform' },
    { file: 'home/.terraform.d/credentials.tfrc.json', engine: 'terraform' },
    { file: 'home/.terraformrc', engine: 'tofu' },
    { file: 'home/.tofurc', engine: 'tofu' },
    { file: 'xdg/opentofu/tofurc', variable: 'XDG_CONFIG_HOME', value: 'xdg', engine: 'tofu' },
  ] as const)('gives way to $file for $engine', async ({ engine, file, ...setting }) => {
    const machine = await aMachine();
    await mirror(join(machine.opt, 'plugins'), 'hashicorp/aws', '5.100.0');
    const { variable, value } = { variable: 'UNRELATED', value: file, ...setting };
    machine.env[variable] = join(machine.root, value);
    expect(await configOf(machine, engine)).toBeDefined();
    await mkdir(dirname(join(machine.root, file)), { recursive: true });
    await writeFile(join(machine.root, file), '');
    expect(await configOf(machine, engine)).toBeUndefined();
  });

  it("does not give way to OpenTofu's file where Terraform runs", async () => {
    const machine = await aMachine();
    await mirror(join(machine.opt, 'plugins'), 'hashicorp/aws', '5.100.0');
    await writeFile(join(machine.home, '.tofurc'), '');
    expect(await configOf(machine, 'terraform')).toBeDefined();
  });
});

describe.skipIf(terraform === '')('cliConfig, as Terraform reads it', () => {
  it('makes init work offline from a system mirror, an implied one and one in the stack', async () => {
    const machine = await aMachine();
    const stack = join(machine.root, 'stack');
    await mirror(join(machine.opt, 'plugins'), 'hashicorp/aws', '5.100.0', HERE);
    await mirror(join(machine.home, '.terraform.d', 'plugins'), 'acme/box', '1.0.0', HERE);
    await mirror(join(stack, 'terraform.d', 'plugins'), 'acme/crate', '2.0.0', HERE);
    const { stdout } = await initOffline(machine, { stack, providers: ['hashicorp/aws', 'acme/box', 'acme/crate'] });
    expect(stdout).toContain('Installed hashicorp/aws v5.100.0');
    expect(stdout).toContain('Installed acme/box v1.0.0');
    expect(stdout).toContain('Installed acme/crate v2.0.0');
  });

  it('lets init ask the registry for what no mirror holds', async () => {
    const machine = await aMachine();
    await mirror(join(machine.opt, 'plugins'), 'hashicorp/aws', '5.100.0', HERE);
    const init = initOffline(machine, { stack: join(machine.root, 'stack'), providers: ['acme/box'] });
    await expect(init).rejects.toMatchObject({
      stderr: expect.stringContaining('could not connect to registry.terraform.io'),
    });
  });

  // Skipped where no system folder of this machine holds the AWS provider.
  it.skipIf(awsVersions.length === 0)(
    'makes init of hashicorp/aws work offline from the mirror of this machine',
    async () => {
      const machine = await aMachine();
      const stack = join(machine.root, 'stack');
      const { stdout } = await initOffline(machine, {
        stack,
        providers: ['hashicorp/aws'],
        systemFolders: SYSTEM_FOLDERS,
      });
      expect(awsVersions.some((version) => stdout.includes(`Installed hashicorp/aws v${version}`))).toBe(true);
    },
  );
});

async function configOf(machine: Machine, engine: 'terraform' | 'tofu' = 'terraform'): Promise<string | undefined> {
  const path = await (await machine.toolchain()).cliConfig({ engine, directory: machine.root });
  return path && (await readFile(path, 'utf8'));
}

/** An unpacked package; Terraform needs no more than a program of the right name to install it. */
async function mirror(folder: string, name: string, version: string, platform = 'linux_amd64'): Promise<void> {
  const target = join(folder, 'registry.terraform.io', name, version, platform);
  await mkdir(target, { recursive: true });
  const program = join(target, `terraform-provider-${name.split('/').at(-1)}_v${version}`);
  await writeFile(program, '#!/bin/sh\n');
  await chmod(program, 0o755);
}

async function lock(directory: string, versions: Readonly<Record<string, string>>): Promise<void> {
  const blocks = Object.entries(versions).map(
    ([name, version]) => `provider "registry.terraform.io/${name}" {
  version     = "${version}"
  constraints = ">= 1.0"
  hashes = [
    "h1:6K/XVNyGyvWXsaCNpTnJJZwtpyX0mZGNwrFpmfnIW6Q=",
  ]
}
`,
  );
  await writeFile(join(directory, '.terraform.lock.hcl'), blocks.join('\n'));
}

interface Init {
  readonly stack: string;
  readonly providers: readonly string[];
  readonly systemFolders?: readonly string[];
}

/** Runs the real `terraform init` with a proxy that isn't there, so that it can't download a thing. */
async function initOffline(
  machine: Machine,
  { stack, providers, systemFolders = [machine.opt] }: Init,
): Promise<{ stdout: string }> {
  const requirements = providers.map((source) => `    ${source.split('/').at(-1)} = { source = "${source}" }\n`);
  await mkdir(stack, { recursive: true });
  await writeFile(join(stack, 'main.tf'), `terraform {\n  required_providers {\n${requirements.join('')}  }\n}\n`);
  const toolchain = await machine.toolchain({ platform: process.platform, arch: process.arch, systemFolders });
  const config = await toolchain.cliConfig({ engine: 'terraform', directory: stack });
  return await run(terraform, ['init', '-input=false', '-no-color'], {
    cwd: stack,
    env: {
      PATH: process.env.PATH,
      HOME: machine.home,
      TF_CLI_CONFIG_FILE: config,
      HTTPS_PROXY: 'http://127.0.0.1:9',
      CHECKPOINT_DISABLE: '1',
    },
  });
}

async function awsMirroredHere(): Promise<string[]> {
  const packages = await Promise.all((await findMirrors({ say: () => {} }, SYSTEM_FOLDERS)).map(readMirror));
  return packages
    .flat()
    .filter(({ address, platform }) => address === 'registry.terraform.io/hashicorp/aws' && platform === HERE)
    .map(({ version }) => version);
}
