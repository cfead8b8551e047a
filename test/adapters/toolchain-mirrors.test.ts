import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findMirrors, impliedMirrors, readMirror } from '../../lib/adapters/toolchain-mirrors.ts';
import { aMachine } from '../support/toolchain-machine.ts';

describe('findMirrors', () => {
  it('finds children and grandchildren that hold a registry folder', async () => {
    const { root } = await aMachine();
    const mirrors = ['opt/terraform-plugins', 'opt/acme/providers', 'srv/tofu'].map((name) => join(root, name));
    await mkdir(join(root, 'opt/acme/bin'), { recursive: true });
    for (const [mirror, registry] of [
      [mirrors[0], 'registry.terraform.io'],
      [mirrors[1], 'registry.terraform.io'],
      [mirrors[2], 'registry.opentofu.org'],
    ]) {
      await mkdir(join(mirror ?? '', registry ?? ''), { recursive: true });
    }
    const found = await findMirrors({ say: () => {} }, [join(root, 'opt'), join(root, 'srv'), join(root, 'not-there')]);
    expect(found).toEqual(mirrors.toSorted());
  });

  it('looks no deeper, follows no links and takes no file for a folder', async () => {
    const { root, opt } = await aMachine();
    await mkdir(join(opt, 'a/b/c/registry.terraform.io'), { recursive: true });
    await mkdir(join(root, 'elsewhere/registry.terraform.io'), { recursive: true });
    await symlink(join(root, 'elsewhere'), join(opt, 'link'));
    await mkdir(join(opt, 'dns'));
    await writeFile(join(opt, 'dns', 'registry.terraform.io'), '');
    expect(await findMirrors({ say: () => {} }, [opt])).toEqual([]);
  });

  it('leaves out a folder that anyone can write to, and says so', async () => {
    const { opt, said } = await aMachine();
    await mkdir(join(opt, 'shared/registry.terraform.io'), { recursive: true });
    await chmod(join(opt, 'shared'), 0o777);
    expect(await findMirrors({ say: (message) => said.push(message) }, [opt])).toEqual([]);
    expect(said).toEqual([`passing over the provider mirror ${opt}/shared: other users can write to it`]);
  });
});

describe('readMirror', () => {
  it('reads unpacked folders and zip archives', async () => {
    const { opt } = await aMachine();
    const acme = join(opt, 'registry.terraform.io/Acme/box');
    await mkdir(join(acme, '1.2.0/linux_amd64'), { recursive: true });
    await mkdir(join(acme, '1.2.0/darwin_arm64'));
    await writeFile(join(acme, 'terraform-provider-box_1.3.0-beta1_linux_arm64.zip'), '');
    const address = 'registry.terraform.io/acme/box';
    const packages = await readMirror(opt);
    expect(packages.toSorted((a, b) => (a.version + a.platform < b.version + b.platform ? -1 : 1))).toEqual([
      { address, version: '1.2.0', platform: 'darwin_arm64' },
      { address, version: '1.2.0', platform: 'linux_amd64' },
      { address, version: '1.3.0-beta1', platform: 'linux_arm64' },
    ]);
  });

  it('takes nothing else for a package', async () => {
    const { opt } = await aMachine();
    for (const folder of [
      'registry.terraform.io/-/old/1.0.0/linux_amd64',
      'a b/acme/box/1.0.0/linux_amd64',
      'acme/box',
    ]) {
      await mkdir(join(opt, folder), { recursive: true });
    }
    await mkdir(join(opt, 'registry.terraform.io/acme/box'), { recursive: true });
    await writeFile(join(opt, 'registry.terraform.io/acme/box/terraform-provider-other_1.0.0_linux_amd64.zip'), '');
    expect(await readMirror(opt)).toEqual([]);
  });
});

describe('impliedMirrors', () => {
  const request = { env: { HOME: '/home/ann' }, platform: 'linux', engine: 'terraform', directory: '/stack' } as const;

  it('are those of the XDG specification on Linux', () => {
    expect(impliedMirrors(request)).toEqual([
      '/stack/terraform.d/plugins',
      '/home/ann/.terraform.d/plugins',
      '/home/ann/.local/share/terraform/plugins',
      '/usr/local/share/terraform/plugins',
      '/usr/share/terraform/plugins',
    ]);
  });

  it('follow the XDG variables, OpenTofu to a folder of its own besides', () => {
    const env = { HOME: '/home/ann', XDG_DATA_HOME: '/data', XDG_DATA_DIRS: '/nix/share' };
    expect(impliedMirrors({ ...request, env, engine: 'tofu' })).toEqual([
      '/stack/terraform.d/plugins',
      '/home/ann/.terraform.d/plugins',
      '/data/opentofu/plugins',
      '/data/terraform/plugins',
      '/nix/share/terraform/plugins',
    ]);
  });

  it('are in the application support folders on macOS', () => {
    expect(impliedMirrors({ ...request, platform: 'darwin' })).toEqual([
      '/stack/terraform.d/plugins',
      '/home/ann/.terraform.d/plugins',
      '/home/ann/Library/Application Support/io.terraform/plugins',
      '/Library/Application Support/io.terraform/plugins',
    ]);
  });
});
