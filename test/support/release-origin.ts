import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** What the origin answers at a path: a file, or whatever a function does to the response. */
export type Answer = Buffer | string | ((response: ServerResponse) => void);

export interface ReleaseOrigin {
  readonly url: string;
  /** Paths asked for so far, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** An HTTP server on the loopback interface in the place of the official origins. */
export async function startReleaseOrigin(answers: Readonly<Record<string, Answer>>): Promise<ReleaseOrigin> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const answer = answers[path];
    if (typeof answer === 'function') return answer(response);
    response.statusCode = answer === undefined ? 404 : 200;
    return response.end(answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${address.port}`, requests, close };
}

/** A URL where nobody listens. */
export async function deadOrigin(): Promise<string> {
  const { url, close } = await startReleaseOrigin({});
  await close();
  return url;
}

export function sha256(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}
