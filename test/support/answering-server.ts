import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers one request, by whatever means: a status, a body, half a body, nothing. */
export type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

export interface AnsweringServer {
  /** Base URL, on the loopback interface. */
  readonly endpoint: string;
  readonly requests: ReceivedRequest[];
  /** What the next requests are answered with, in this order; the last goes for all that follow. */
  answer(...answers: readonly Answer[]): void;
  close(): Promise<void>;
}

/** Starts an HTTP server that plays an AWS service by answers given beforehand. */
export async function startAnsweringServer(): Promise<AnsweringServer> {
  const requests: ReceivedRequest[] = [];
  let queued: Answer[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString('utf8') };
      requests.push(request);
      const next = queued.length > 1 ? queued.shift() : queued[0];
      if (next === undefined) response.writeHead(501).end();
      else next(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    requests,
    answer(...answers) {
      queued = [...answers];
      requests.length = 0;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
