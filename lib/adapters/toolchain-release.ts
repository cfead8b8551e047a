import semver from 'semver';
import * as z from 'zod';
import { HoldfastError } from '../domain/errors.ts';
import type { EngineName, ToolName } from '../ports/toolchain.ts';
import { download } from './toolchain-download.ts';

/** What is downloaded where nothing else is asked for. */
export const PINNED_VERSIONS = { terraform: '1.11.4', tofu: '1.12.6', opa: '1.22.4' } as const;

/**
 * SHA-256 of official release files, by tool, version and platform. A pin wins over the checksum file of the release.
 * Files are verified once, when they are installed.
 *
 * The pins are the publishers' checksums as several unrelated public projects recorded them, so they hold even if an
 * origin is compromised later. A file without a pin is compared with the checksum file fetched over HTTPS from the same
 * origin: that rules out damage on the way, not a compromised origin, because the publishers' signatures (HashiCorp's
 * PGP, OpenTofu's cosign) are not verified. OPA has no pin; its fallback, `go install`, verifies against Go's checksum
 * database.
 */
export const PINS: Readonly<Record<string, string>> = {
  'terraform_1.11.4_darwin_amd64': 'a56d5002b9f7647291faccc3dd1a70350e60fb61e4c45037629508b8fdc2575b',
  'terraform_1.11.4_darwin_arm64': '867e0808fa971217043e25b7a792b10720c79b1546f8a68479b74f138be73e18',
  'terraform_1.11.4_linux_amd64': '1ce994251c00281d6845f0f268637ba50c0005657eb3cf096b92f753b42ef4dc',
  'terraform_1.11.4_linux_arm64': 'a43d1d0da9b9bab214a8305a39db0e40869572594ccf50c416a7756499143633',
  'tofu_1.12.6_darwin_amd64': '166388e5feed47e107e11721b6366bf91d21e47eccbced75f3cbe0c7184ffd9b',
  'tofu_1.12.6_darwin_arm64': 'e083ee43790ab9e19ad66d9933e24a7244a1412e1d5728f37999ae2163fdac95',
  'tofu_1.12.6_linux_amd64': '5dc43da4f750f33873dc25e94587128709e819e544b7be9016b255316153c3a8',
  'tofu_1.12.6_linux_arm64': 'e573979ba68a17fe7b881752051a694a7efcd970e39521f6a25775197861ed4d',
};

/** Base URLs without a trailing slash. */
export interface Origins {
  readonly hashicorp: string;
  readonly opentofu: string;
  readonly github: string;
}

export const OFFICIAL_ORIGINS: Origins = {
  hashicorp: 'https://releases.hashicorp.com',
  opentofu: 'https://get.opentofu.org',
  github: 'https://github.com',
};

/** One downloadable file of one release. */
export interface Release {
  readonly tool: ToolName;
  readonly version: string;
  /** Key in {@link PINS}. */
  readonly id: string;
  readonly url: string;
  readonly checksumsUrl: string;
  /** The program is the file itself, or the entry of its name in the zip archive that the file is. */
  readonly packing: 'plain' | 'zip';
}

/** Platform in the words of the release files and of provider mirrors, such as `linux_amd64`. */
export function goPlatform(platform: NodeJS.Platform, arch: string): string {
  const machine = { x64: 'amd64', ia32: '386' }[arch] ?? arch;
  return `${platform === 'win32' ? 'windows' : platform}_${machine}`;
}

/** Throws `EngineMissing` for platforms that Holdfast does not download for. */
export function describeRelease(origins: Origins, tool: ToolName, version: string, platform: string): Release {
  if (!/^(linux|darwin)_(amd64|arm64)$/.test(platform)) {
    const message = `${tool} was not found, and there is no build for ${platform} to download`;
    throw new HoldfastError('EngineMissing', message, { hint: `Put ${tool} on PATH.` });
  }
  const id = `${tool}_${version}_${platform}`;
  if (tool === 'opa') {
    const base = `${origins.github}/open-policy-agent/opa/releases/download/v${version}`;
    // Every build is static but the one for Intel Macs, which is published without the suffix.
    const url = `${base}/opa_${platform}${platform === 'darwin_amd64' ? '' : '_static'}`;
    return { tool, version, id, url, checksumsUrl: `${url}.sha256`, packing: 'plain' };
  }
  const base =
    tool === 'terraform'
      ? `${origins.hashicorp}/terraform/${version}`
      : `${origins.github}/opentofu/opentofu/releases/download/v${version}`;
  const checksumsUrl = `${base}/${tool}_${version}_SHA256SUMS`;
  return { tool, version, id, url: `${base}/${id}.zip`, checksumsUrl, packing: 'zip' };
}

const TerraformIndex = z
  .object({
    versions: z.record(z.string(), z.object({ builds: z.array(z.object({ os: z.string(), arch: z.string() })) })),
  })
  .transform(({ versions }) =>
    Object.entries(versions).map(([version, { builds }]) => ({
      version,
      platforms: builds.map(({ os, arch }) => `${os}_${arch}`),
    })),
  );

const TofuIndex = z
  .object({ versions: z.array(z.object({ id: z.string(), files: z.array(z.string()) })) })
  .transform(({ versions }) =>
    versions.map(({ id, files }) => ({
      version: id,
      platforms: files.map((file) => file.replace(`tofu_${id}_`, '').replace(/\.zip$/, '')),
    })),
  );

interface IndexDeps {
  readonly fetch: typeof fetch;
  readonly origins: Origins;
  readonly platform: string;
}

/** Versions with a build for this platform, newest first. Throws `DownloadFailed`. */
export async function listVersions({ fetch, origins, platform }: IndexDeps, engine: EngineName): Promise<string[]> {
  const { url, schema } =
    engine === 'terraform'
      ? { url: `${origins.hashicorp}/terraform/index.json`, schema: TerraformIndex }
      : { url: `${origins.opentofu}/tofu/api.json`, schema: TofuIndex };
  const text = (await download({ fetch }, { url, timeoutMs: 60_000 })).toString();
  try {
    const releases = schema.parse(JSON.parse(text));
    const built = releases.filter(({ platforms }) => platforms.includes(platform)).map(({ version }) => version);
    return built.filter((version) => semver.valid(version) !== null).sort(semver.rcompare);
  } catch (cause) {
    throw new HoldfastError('DownloadFailed', `${url} is not the list of releases it should be`, { cause });
  }
}

/** The SHA-256 that a checksum file (`<hex>  <file>` a line) gives for a file. Throws `DownloadFailed` without one. */
export function readChecksum(checksums: string, url: string): string {
  const file = new URL(url).pathname.split('/').at(-1);
  for (const line of checksums.split('\n')) {
    const [hex = '', name] = line.trim().split(/\s+\*?/);
    if (name === file && /^[0-9a-f]{64}$/i.test(hex)) return hex.toLowerCase();
  }
  throw new HoldfastError('DownloadFailed', `the release lists no SHA-256 for ${file}`);
}
