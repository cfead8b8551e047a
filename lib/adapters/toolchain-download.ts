import { HoldfastError } from '../domain/errors.ts';

/** No answer from an origin: offline, a firewall, a proxy. As opposed to an answer that is no use. */
export class OriginUnreachable extends HoldfastError {
  constructor(url: string, cause: unknown) {
    super('DownloadFailed', `${new URL(url).host} can't be reached (${reasonOf(cause)})`, { cause });
  }
}

export interface DownloadRequest {
  readonly url: string;
  /** For the whole of it, answer and body. */
  readonly timeoutMs: number;
  /** Called at every quarter, where the origin says how long the file is. */
  readonly onQuarter?: (progress: { readonly percent: number; readonly totalBytes: number }) => void;
}

/** Downloads a file into memory. Throws `DownloadFailed`, as {@link OriginUnreachable} where nobody answers. */
export async function download(deps: { readonly fetch: typeof fetch }, request: DownloadRequest): Promise<Buffer> {
  const { url } = request;
  const response = await open(deps, request);
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new HoldfastError('DownloadFailed', `${url} answered ${response.status}`);
  }
  if (url.startsWith('https:') && !response.url.startsWith('https:')) {
    await response.body.cancel();
    throw new HoldfastError('DownloadFailed', `${url} leads to the insecure address ${response.url}`);
  }
  return await readBody(response.body, Number(response.headers.get('content-length')), request);
}

async function open(deps: { readonly fetch: typeof fetch }, { url, timeoutMs }: DownloadRequest): Promise<Response> {
  try {
    return await deps.fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    throw new OriginUnreachable(url, cause);
  }
}

async function readBody(
  body: NonNullable<Response['body']>,
  totalBytes: number,
  { url, onQuarter }: DownloadRequest,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let received = 0;
  let quarters = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      received += chunk.length;
      const now = totalBytes > 0 ? Math.min(4, Math.floor((4 * received) / totalBytes)) : 0;
      if (now > quarters) onQuarter?.({ percent: now * 25, totalBytes });
      quarters = Math.max(quarters, now);
    }
  } catch (cause) {
    throw new HoldfastError('DownloadFailed', `${url} broke off after ${received} bytes (${reasonOf(cause)})`, {
      cause,
      hint: 'Try again.',
    });
  }
  return Buffer.concat(chunks);
}

/** What undici wraps in "fetch failed" and "terminated": a system error code where there is one. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
