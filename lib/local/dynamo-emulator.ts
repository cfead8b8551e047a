import { once } from 'node:events';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

interface DynaliteOptions {
  readonly path?: string;
  readonly createTableMs: number;
}

export interface DynamoEmulator {
  /** Base URL, on the loopback interface. */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Starts a DynamoDB emulator inside this process. With a folder it keeps everything in there for the next time. */
export async function startDynamo({ folder }: { readonly folder?: string } = {}): Promise<DynamoEmulator> {
  // Without types of its own, and loaded only where it is needed.
  const dynalite: (options: DynaliteOptions) => Server = createRequire(import.meta.url)('dynalite');
  const server = dynalite({ createTableMs: 0, ...(folder !== undefined && { path: folder }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      // Clients keep connections open, and the server would wait for them.
      server.closeIdleConnections();
      await promisify(server.close.bind(server))();
    },
  };
}
