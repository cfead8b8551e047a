import { openKeptStores } from './emulator-stores.ts';

export interface Emulator {
  /** Base URL of all its services, on the loopback interface. */
  readonly endpoint: string;
  /** Makes AWS clients and the Terraform AWS provider talk to the emulator. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export interface EmulatorOptions {
  /**
   * Port of the loopback interface.
   *
   * @default 0, any free one
   */
  readonly port?: number;

  /**
   * Folder in which everything is kept for the next time.
   *
   * @default - in memory only
   */
  readonly folder?: string;
}

export const EMULATOR_REGION = 'us-east-1';

/** Starts an AWS emulator (SQS, SNS, S3, STS) inside this process. */
export async function startEmulator({ port = 0, folder }: EmulatorOptions = {}): Promise<Emulator> {
  const { buildApp } = await import('fauxqs');
  const kept = folder === undefined ? undefined : await openKeptStores(folder);
  // Not startFauxqs: that one listens on every interface of the machine.
  const app = buildApp({ logger: false, defaultRegion: EMULATOR_REGION, ...(kept && { stores: kept.stores }) });
  const close = async (): Promise<void> => {
    await app.close();
    kept?.close();
  };
  const endpoint = await app.listen({ port, host: '127.0.0.1' }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { endpoint, env: emulatorEnvironment(endpoint), close };
}

function emulatorEnvironment(endpoint: string): Record<string, string> {
  return {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: EMULATOR_REGION,
    AWS_ACCESS_KEY_ID: 'emulator',
    AWS_SECRET_ACCESS_KEY: 'emulator',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
}
