import { createHash } from 'node:crypto';
import { HoldfastError } from '../domain/errors.ts';
import { writeAtomically } from './toolchain-cache.ts';
import { download } from './toolchain-download.ts';
import { probe } from './toolchain-probe.ts';
import { type Release, readChecksum } from './toolchain-release.ts';
import { readZipEntry } from './toolchain-zip.ts';

export interface InstallDeps {
  readonly env: NodeJS.ProcessEnv;
  readonly fetch: typeof fetch;
  readonly pins: Readonly<Record<string, string>>;
  readonly say: (message: string) => void;
}

const CHECKSUMS_TIMEOUT_MS = 30_000;
/** 100 MB at 1.4 Mbit/s. */
const FILE_TIMEOUT_MS = 600_000;

/**
 * Downloads a release, verifies its SHA-256 and puts the program at a path. Throws `DownloadFailed`, `ChecksumMismatch`,
 * and `EngineFailed` where the program doesn't run here.
 */
export async function installRelease(deps: InstallDeps, release: Release, path: string): Promise<void> {
  const { tool, version, url, packing } = release;
  const pinned = deps.pins[release.id];
  const expected = pinned ?? (await fetchChecksum(deps, release));
  deps.say(`downloading ${tool} ${version} from ${url}`);
  const file = await download(deps, {
    url,
    timeoutMs: FILE_TIMEOUT_MS,
    onQuarter: ({ percent, totalBytes }) => deps.say(`${tool} ${version}: ${percent} % of ${megabytes(totalBytes)} MB`),
  });
  const actual = createHash('sha256').update(file).digest('hex');
  if (actual !== expected) {
    throw new HoldfastError('ChecksumMismatch', `${url} has the SHA-256 ${actual}, expected ${expected}`, {
      hint: 'The file was changed or damaged on its way here, possibly by a proxy. Nothing was installed.',
    });
  }
  await writeAtomically(path, packing === 'zip' ? await readZipEntry(file, tool) : file, 0o755);
  await requireWorking(deps, release, path);
  deps.say(`installed ${path}; SHA-256 as ${pinned === undefined ? 'the release lists it' : 'pinned'}`);
}

async function fetchChecksum(deps: InstallDeps, { checksumsUrl, url }: Release): Promise<string> {
  const checksums = await download(deps, { url: checksumsUrl, timeoutMs: CHECKSUMS_TIMEOUT_MS });
  return readChecksum(checksums.toString(), url);
}

/** Throws `EngineFailed`. */
export async function requireWorking(
  { env }: Pick<InstallDeps, 'env'>,
  { tool, version }: Pick<Release, 'tool' | 'version'>,
  path: string,
): Promise<void> {
  const answer = await probe({ env }, { tool, path });
  if (answer.kind === 'works' && answer.version === version) return;
  const reason = answer.kind === 'works' ? `it says it is ${answer.version}` : answer.reason;
  throw new HoldfastError('EngineFailed', `${path} was installed as ${tool} ${version} but does not work: ${reason}`, {
    hint: 'Is the cache on a file system that forbids running programs (noexec)?',
  });
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
