import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

export const REPOSITORY = resolve(import.meta.dirname, '../..');

export interface CdkApp {
  readonly folder: string;
  readonly exitCode: number | null;
  readonly stderr: string;
  /** A file of the cloud assembly, parsed. */
  readonly read: (name: string) => unknown;
  readonly remove: () => void;
}

interface Command {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Runs `bin/app.ts` as the CDK command line would, with the context of `cdk.json` and more, but without bundling. */
export function runApp(context: object = {}): CdkApp {
  const { context: own } = JSON.parse(readFileSync(join(REPOSITORY, 'cdk.json'), 'utf8'));
  const quick = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:disable-asset-staging': true };
  return run((folder) => ({
    args: ['bin/app.ts'],
    env: { CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify({ ...own, ...quick, ...context }) },
  }));
}

/**
 * Runs `cdk synth` as on a machine that has nothing but Node: an empty home, no other program on PATH, no Docker, and
 * any connection refused.
 */
export function synthOffline(): CdkApp {
  return run((folder) => ({
    args: [join(REPOSITORY, 'node_modules/aws-cdk/bin/cdk'), 'synth', '--quiet', '--output', join(folder, 'out')],
    env: {
      HOME: join(folder, 'home'),
      PATH: dirname(process.execPath),
      CDK_DOCKER: join(folder, 'no-docker'),
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'refuse-network.ts')}`,
    },
  }));
}

function run(command: (folder: string) => Command): CdkApp {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-app-'));
  const { args, env } = command(folder);
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: REPOSITORY, env, encoding: 'utf8' });
  return {
    folder,
    exitCode: status,
    stderr,
    read: (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
