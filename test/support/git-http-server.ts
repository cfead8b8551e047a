import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { onTestFinished } from 'vitest';

export interface GitHttpServerOptions {
  /** Directory whose repositories are served. */
  readonly root: string;
  /** Asks for these, by basic authentication. */
  readonly login?: { readonly username: string; readonly password: string };
  /** `2`: what Git clients ask for today. `0`: a server that knows nothing newer. */
  readonly protocol?: 0 | 2;
}

export interface GitHttpServer {
  /** Such as `127.0.0.1:40123`. */
  readonly host: string;
  /** Method, path and query of each request. */
  readonly requests: readonly string[];
}

/** Serves Git repositories over HTTP on the loopback interface, with Git's own CGI program. */
export async function aGitServer({ root, login, protocol = 2 }: GitHttpServerOptions): Promise<GitHttpServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (login !== undefined && !isAuthorised(request, login)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
      return;
    }
    void serve(request, response, { root, protocol });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

function isAuthorised({ headers }: IncomingMessage, login: NonNullable<GitHttpServerOptions['login']>): boolean {
  const expected = Buffer.from(`${login.username}:${login.password}`).toString('base64');
  return headers.authorization === `Basic ${expected}`;
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { root, protocol }: Required<Pick<GitHttpServerOptions, 'root' | 'protocol'>>,
): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
  const asked = request.headers['git-protocol'];
  const cgi = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'safe.directory',
      GIT_CONFIG_VALUE_0: '*',
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'],
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
      ...(protocol === 2 && typeof asked === 'string' && { GIT_PROTOCOL: asked }),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answer = collect(cgi.stdout);
  // A program that does not read its input to the end is no error.
  await pipeline(request, cgi.stdin).catch(() => {});
  const { headers, body } = split(await answer);
  const { Status: status = '200', ...others } = headers;
  response.writeHead(Number.parseInt(status, 10), others).end(body);
}

async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A CGI program prints headers, an empty line, and the body. */
function split(answer: Buffer): { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } {
  const end = answer.indexOf('\r\n\r\n');
  const lines = answer.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(lines.map((line) => line.split(': ', 2) as [string, string]));
  return { headers, body: answer.subarray(end + 4) };
}
