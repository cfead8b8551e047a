import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Toolchain } from '../../lib/ports/toolchain.ts';
import { fetchTools } from '../../runner-image/fetch-tools.ts';
import { aFolder } from '../support/temporary-folder.ts';
import { findTools } from '../support/tools.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCKERFILE = await readFile(join(ROOT, 'runner-image/Dockerfile'), 'utf8');
const IGNORE = (await readFile(join(ROOT, '.dockerignore'), 'utf8')).trim().split('\n');

/** Instructions of the Dockerfile, continued lines joined, comments left out. */
const INSTRUCTIONS = DOCKERFILE.replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => line.split(/\s+/));

const instructions = (name: string) => INSTRUCTIONS.filter(([word]) => word === name).map(([, ...words]) => words);

/** What the Dockerfile copies from the build context. */
const COPIED = instructions('COPY')
  .filter(([first = '']) => !first.startsWith('--from'))
  .flatMap((words) => words.slice(0, -1));

/** As Docker reads .dockerignore: the last line that covers a path decides. */
function isInContext(path: string): boolean {
  const covers = (pattern: string) =>
    pattern === '*' ||
    path === pattern ||
    path.startsWith(`${pattern}/`) ||
    (pattern.includes('**') && /\/\.terraform/.test(path));
  const last = IGNORE.findLast((line) => covers(line.replace(/^!/, '')));
  return last?.startsWith('!') ?? true;
}

describe('the build context of the image', () => {
  it('holds all that the Dockerfile copies', async () => {
    expect(COPIED).not.toEqual([]);
    for (const path of COPIED) {
      await stat(join(ROOT, path));
      expect(isInContext(path), path).toBe(true);
    }
  });

  it('is enough to make the one file that runs, and that file loads', async () => {
    const context = await aFolder();
    for (const path of COPIED) {
      await mkdir(dirname(join(context, path)), { recursive: true });
      await cp(join(ROOT, path), join(context, path), {
        recursive: true,
        filter: (source) => isInContext(source.slice(ROOT.length)),
      });
    }
    expect(await readdir(join(context, 'lib'))).not.toContain('constructs');
    await symlink(join(ROOT, 'node_modules'), join(context, 'node_modules'));
    const bundle = join(await aFolder(), 'runner.mjs');
    execFileSync(process.execPath, ['runner-image/bundle.ts', bundle], { cwd: context });
    // Away from any node_modules.
    const { status, stdout } = spawnSync(process.execPath, [bundle], {
      env: { HOLDFAST_MODE: 'check' },
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stdout).toContain('the environment variable HOLDFAST_RUN_ID is missing');
    expect((await stat(bundle)).size).toBeLessThan(4_000_000);
  });
});

describe('the Dockerfile', () => {
  it('pins its only foreign image by a digest that has to be given', () => {
    const stages = instructions('FROM').map(([image, , name]) => ({ image, name }));
    const foreign = stages.filter(({ image }) => image !== 'scratch' && !stages.some(({ name }) => name === image));
    expect(foreign.map(({ image }) => image)).toEqual([expect.stringMatching(/:\$\{NODE_TAG\}@\$\{NODE_DIGEST\}$/)]);
    expect(instructions('ARG')).toContainEqual(['NODE_DIGEST']);
  });

  it('runs as no root, with an init that passes signals on and no shell in between', () => {
    expect(instructions('USER')).toEqual([['10001:10001']]);
    const entry = JSON.parse(instructions('ENTRYPOINT')[0]?.join(' ') ?? '') as string[];
    expect(entry[0]).toBe('/usr/bin/tini');
    expect(entry.at(-1)).toBe('/opt/holdfast/runner.mjs');
    expect(instructions('CMD')).toEqual([]);
  });

  it('runs only scripts that are there', () => {
    const scripts = [...DOCKERFILE.matchAll(/runner-image\/[\w-]+\.(?:ts|sh)/g)].map(([script]) => script);
    expect(new Set(scripts)).toEqual(
      new Set(['runner-image/fetch-tools.ts', 'runner-image/mirror-providers.sh', 'runner-image/bundle.ts']),
    );
    expect(scripts.filter((script) => !COPIED.includes(script))).toEqual([]);
  });
});

describe('the tools of the image', () => {
  it('are the two engines and OPA, as programs', async () => {
    const cache = await aFolder();
    const tool = async <Name extends 'terraform' | 'tofu' | 'opa'>(name: Name) => {
      const path = join(cache, `${name}-cached`);
      await writeFile(path, `#!/bin/sh\necho ${name}\n`, { mode: 0o755 });
      return { name, path, version: '1.0.0', origin: 'downloaded' } as const;
    };
    const toolchain: Toolchain = {
      engine: ({ name }) => tool(name === 'tofu' ? 'tofu' : 'terraform'),
      opa: () => tool('opa'),
      cliConfig: async () => undefined,
    };
    const folder = join(await aFolder(), 'bin');
    await fetchTools({ toolchain }, folder);
    const said = ['terraform', 'tofu', 'opa'].map((name) => execFileSync(join(folder, name), { encoding: 'utf8' }));
    expect(said).toEqual(['terraform\n', 'tofu\n', 'opa\n']);
  });
});

describe('the provider mirror of the image', () => {
  const LIST = `terraform {
  required_providers {
    tiny = { source = "example.com/acme/tiny", version = "1.2.3" }
  }
}
`;

  it('has what the lists require, unpacked, so that init makes a link instead of a copy', async () => {
    const { terraform } = await findTools();
    const platform = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const packages = `example.com/acme/tiny/1.2.3/${platform}`;
    const world = await aFolder({
      [`origin/${packages}/terraform-provider-tiny_v1.2.3`]: '#!/bin/sh\n',
      'lists/terraform/tiny/versions.tf': LIST,
      'stack/main.tf': LIST,
    });
    const env = async (mirror: string) => {
      const file = join(world, `${mirror}.tfrc`);
      await writeFile(
        file,
        `provider_installation {\n  filesystem_mirror {\n    path = "${join(world, mirror)}"\n  }\n}\n`,
      );
      return { PATH: `${dirname(terraform.path)}:${process.env.PATH}`, TF_CLI_CONFIG_FILE: file, HOME: world };
    };
    const script = join(ROOT, 'runner-image/mirror-providers.sh');
    execFileSync('sh', [script, join(world, 'lists'), join(world, 'mirror')], {
      env: await env('origin'),
      stdio: 'pipe',
    });
    const program = await stat(join(world, 'mirror', packages, 'terraform-provider-tiny_v1.2.3'));
    expect(program.isFile()).toBe(true);
    expect((program.mode & 0o022).toString(8)).toBe('0');

    await chmod(join(world, 'mirror', packages, 'terraform-provider-tiny_v1.2.3'), 0o755);
    const stack = join(world, 'stack');
    execFileSync(terraform.path, ['init'], { cwd: stack, env: await env('mirror'), stdio: 'pipe' });
    const [entry] = await readdir(join(stack, '.terraform/providers/example.com/acme/tiny/1.2.3'), {
      withFileTypes: true,
    });
    expect(entry?.isSymbolicLink()).toBe(true);
  });

  it('is asked for by lists that Terraform understands', async () => {
    const { terraform, env } = await findTools();
    const folder = await aFolder();
    const lists = join(ROOT, 'runner-image/providers/terraform');
    for (const list of await readdir(lists)) {
      await cp(join(lists, list), join(folder, list), { recursive: true });
      execFileSync(terraform.path, [`-chdir=${join(folder, list)}`, 'init', '-backend=false'], { env, stdio: 'pipe' });
    }
  });
});

describe('a program that its user can not read', () => {
  /** Says what a child process sees of this one: of its environment, and whether it may look into its memory. */
  const LOOK = `
    const { execFileSync } = require('node:child_process');
    const look = "grep -c SECRET /proc/$PARENT/environ; head -c 1 /proc/$PARENT/mem 2>&1 | grep -c denied; true";
    const env = { PATH: process.env.PATH, PARENT: process.pid };
    console.log(execFileSync('sh', ['-c', look], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  `;

  /** As the container runs it: some user, without any capability. setpriv itself still has some when it starts a program. */
  const asNobody = (program: string) => {
    const drop = ['--reuid=65534', '--regid=65534', '--clear-groups', '--inh-caps=-all', '--bounding-set=-all'];
    const args = [...drop, 'sh', '-c', 'exec "$0" "$@"', program, '-e', LOOK];
    const { PATH = '' } = process.env;
    const found = spawnSync('setpriv', args, { env: { PATH, SECRET: 'x' }, encoding: 'utf8' });
    expect(found.status, found.stderr).toBe(0);
    return found.stdout.trim().split('\n');
  };

  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

  it.runIf(isRoot && spawnSync('setpriv', ['--version']).status === 0)(
    'keeps its environment and its memory from the programs it starts',
    async () => {
      const folder = await aFolder();
      await chmod(folder, 0o755);
      const program = join(folder, 'node');
      await copyFile(process.execPath, program);
      await chmod(program, 0o755);
      expect(asNobody(program)).toEqual(['1', '0']);
      await chmod(program, 0o711);
      // Nothing of the environment (an error, and so no count) and no memory.
      expect(asNobody(program)).toEqual(['1']);
    },
  );
});
