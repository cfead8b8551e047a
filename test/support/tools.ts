import { fileURLToPath } from 'node:url';
import { engineEnvironment } from '../../lib/adapters/engine-environment.ts';
import { createToolchain } from '../../lib/adapters/toolchain.ts';
import type { EngineName, Tool } from '../../lib/ports/toolchain.ts';

/** What tests download is kept here across runs. */
export const TEST_CACHE = fileURLToPath(new URL('../../.cache/test/', import.meta.url));

export interface TestTools {
  readonly terraform: Tool<EngineName>;
  /** An environment in which `terraform init` finds the AWS provider. */
  readonly env: Readonly<Record<string, string>>;
}

export async function findTools(): Promise<TestTools> {
  const toolchain = createToolchain({ env: process.env, cacheDir: TEST_CACHE, say: console.warn });
  const terraform = await toolchain.engine({ name: 'terraform' });
  const cliConfig = await toolchain.cliConfig({ engine: 'terraform', directory: TEST_CACHE });
  return { terraform, env: engineEnvironment({ ...process.env, ...(cliConfig && { TF_CLI_CONFIG_FILE: cliConfig }) }) };
}
