import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EC2Client } from '@aws-sdk/client-ec2';
import { IAMClient } from '@aws-sdk/client-iam';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { describe } from 'vitest';
import { engineEnvironment } from '../../lib/adapters/engine-environment.ts';
import { findOnPath } from '../../lib/adapters/toolchain-probe.ts';
import type { EngineName, Tool } from '../../lib/ports/toolchain.ts';
import { startMoto } from './moto.ts';
import { installProvider, startSharedProvider } from './shared-provider.ts';
import { findTools, TEST_CACHE } from './tools.ts';
import { createStack, type WorldStack } from './world-stack.ts';

/** An AWS account of its own on an emulator, Terraform, and one AWS provider for all stacks. */
export interface World {
  readonly terraform: Tool<EngineName>;
  /** The whole environment for Terraform and for checks: the emulator's account, the shared provider, nothing else. */
  readonly env: Readonly<Record<string, string>>;
  /** Base URL of all services of the emulator. */
  readonly endpoint: string;
  readonly ec2: EC2Client;
  readonly iam: IAMClient;
  readonly sqs: SQSClient;
  readonly ssm: SSMClient;
  /** The processes that run for this world. */
  readonly pids: readonly number[];
  /**
   * Makes a root module from files (their content by their path) and a `provider` block that is the same for all
   * stacks, because the provider is. The name is also the name of its folder.
   */
  stack(name: string, files: Readonly<Record<string, string>>): Promise<WorldStack>;
  /** Ends the processes and removes the folders of this world. */
  close(): Promise<void>;
}

const [MOTO] = await findOnPath(process.env, 'moto_server');
const MOTO_MISSING = "moto_server is not on PATH: pip install 'moto[server]==5.2.1'";
const SKIPPED = MOTO === undefined && !process.env.CI;

// Terraform takes a second or two for each command, on a busy machine several times that.
const TIMEOUT = 120_000;

/** `describe` for tests that need a world. Without moto they are skipped on a developer's machine, and fail in CI. */
export function describeInWorld(name: string, define: () => void): void {
  describe.skipIf(SKIPPED)(name, { timeout: TIMEOUT }, define);
}

if (SKIPPED) console.warn(`tests that need AWS are skipped, ${MOTO_MISSING}`);

const REGION = 'us-east-1';
const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' };

/**
 * Takes about two seconds, and longer the first time: that installs the AWS provider. Worlds share nothing, so test
 * files that have one each can run at the same time. Rejects where moto, Terraform or the provider are not to be had.
 */
export async function startWorld(): Promise<World> {
  if (MOTO === undefined) throw new Error(MOTO_MISSING);
  const cleanups: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    return { ...(await build(MOTO, (cleanup) => cleanups.push(cleanup))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function build(moto: string, onClose: (cleanup: () => Promise<void>) => void): Promise<Omit<World, 'close'>> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-world-'));
  onClose(() => rm(folder, { recursive: true }));
  const { PATH = '' } = process.env;
  const emulator = await startMoto(moto, { PATH });
  onClose(emulator.close);
  const { endpoint } = emulator;
  const account = accountEnvironment(endpoint);
  const { terraform, ...tools } = await findTools();
  const installed = await installProvider({ terraform: terraform.path, env: tools.env, cacheDir: TEST_CACHE });
  // Its socket is in the folder too, so nothing of it stays behind.
  const provider = await startSharedProvider(installed.program, { PATH, TMPDIR: folder, ...account });
  onClose(provider.close);
  const env = engineEnvironment({ PATH, HOME: folder, ...account, TF_REATTACH_PROVIDERS: provider.reattach });
  const stackDeps = { terraform: terraform.path, lockFile: installed.lockFile, env };
  return {
    terraform,
    env,
    endpoint,
    ...connect(endpoint, onClose),
    pids: [emulator.pid, provider.pid],
    stack: (name, files) => createStack({ ...stackDeps, directory: join(folder, 'stacks', name) }, files),
  };
}

function accountEnvironment(endpoint: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}

function connect(
  endpoint: string,
  onClose: (cleanup: () => Promise<void>) => void,
): Pick<World, 'ec2' | 'iam' | 'sqs' | 'ssm'> {
  const config = { endpoint, region: REGION, credentials: CREDENTIALS };
  const clients = {
    ec2: new EC2Client(config),
    iam: new IAMClient(config),
    sqs: new SQSClient(config),
    ssm: new SSMClient(config),
  };
  onClose(async () => {
    for (const client of Object.values(clients)) client.destroy();
  });
  return clients;
}
