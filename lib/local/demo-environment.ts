import { devNull } from 'node:os';
import { engineEnvironment } from '../adapters/engine-environment.ts';
import type { Emulator } from './emulator.ts';

export interface DemoEnvironmentInput {
  /** The user's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly emulator: Emulator;
  /** Where Terraform keeps providers for the next time, unless the user has such a directory. */
  readonly pluginCache: string;
}

// Whatever names an account, an input or a place of the user's own: the demo must not reach any of them.
const FOREIGN = /^(?:AWS_|ARM_|CLOUDSDK_|GOOGLE_|TF_VAR_|TF_DATA_DIR$|TF_REATTACH_PROVIDERS$)/;

/** The environment for Terraform in the demo: the user's tools and proxies, the emulator's account and nothing else. */
export function demoEnvironment({ env, emulator, pluginCache }: DemoEnvironmentInput): Record<string, string> {
  const kept = Object.entries(engineEnvironment(env)).filter(([name]) => !FOREIGN.test(name));
  return {
    TF_PLUGIN_CACHE_DIR: pluginCache,
    ...Object.fromEntries(kept),
    ...emulator.env,
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
}
