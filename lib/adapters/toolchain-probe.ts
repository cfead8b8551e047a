import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import semver from 'semver';
import * as z from 'zod';
import type { ToolName } from '../ports/toolchain.ts';

const run = promisify(execFile);

/** A version manager's shim may have to start a shell or two. */
const TIMEOUT_MS = 30_000;

export type Probe =
  | { readonly kind: 'works'; readonly version: string }
  | { readonly kind: 'broken'; readonly reason: string };

export interface ProbeRequest {
  readonly tool: ToolName;
  readonly path: string;
  /** Where it runs. */
  readonly directory?: string | undefined;
}

/** Runs a program to learn its version. */
export async function probe(
  { env }: { readonly env: NodeJS.ProcessEnv },
  { tool, path, directory }: ProbeRequest,
): Promise<Probe> {
  const args = tool === 'opa' ? ['version'] : ['version', '-json'];
  try {
    const { stdout } = await run(path, args, { env: quietEnv(env), cwd: directory, timeout: TIMEOUT_MS });
    const version = tool === 'opa' ? readOpaVersion(stdout) : readEngineVersion(stdout);
    return version === undefined
      ? { kind: 'broken', reason: 'it does not tell its version' }
      : { kind: 'works', version };
  } catch (error) {
    return { kind: 'broken', reason: failureOf(error) };
  }
}

/** Without the user's `TF_…` settings (arguments, logs, CLI configuration), and without Terraform's call home. */
function quietEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('TF_'));
  return { ...Object.fromEntries(kept), CHECKPOINT_DISABLE: '1' };
}

const EngineVersion = z.object({ terraform_version: z.string() });

function readEngineVersion(stdout: string): string | undefined {
  try {
    return semver.valid(EngineVersion.parse(JSON.parse(stdout)).terraform_version) ?? undefined;
  } catch {
    return undefined;
  }
}

function readOpaVersion(stdout: string): string | undefined {
  return semver.valid(/^Version:\s*(\S+)/m.exec(stdout)?.[1]) ?? undefined;
}

function failureOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('killed' in error && error.killed === true) return `no answer within ${TIMEOUT_MS / 1000} s`;
  if ('signal' in error && typeof error.signal === 'string') return `ended by ${error.signal}`;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? `exit code ${code}` : String(code ?? error.message);
}

/** Every program of that name on PATH, in its order. Relative entries are left out: they mean whatever directory we are in. */
export async function findOnPath({ PATH = '' }: NodeJS.ProcessEnv, name: string): Promise<string[]> {
  const folders = new Set(PATH.split(delimiter).filter(isAbsolute));
  const found = await Promise.all([...folders].map((folder) => executableAt(join(folder, name))));
  return found.filter((path) => path !== undefined);
}

async function executableAt(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}
