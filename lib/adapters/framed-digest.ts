import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';

/** A digest over a sequence of fields: each carries its length, so no two sequences make the same bytes. */
export interface FramedDigest {
  add(...fields: readonly (string | Uint8Array)[]): void;
  /** SHA-256 or HMAC-SHA-256, as 64 lower-case hex digits. Ends the sequence. */
  hex(): string;
}

export function createFramedDigest(): FramedDigest {
  return frame(createHash('sha256'));
}

/** For values that can be guessed: without the salt, the digest says nothing about them. */
export function createSaltedDigest(salt: Uint8Array | string): FramedDigest {
  return frame(createHmac('sha256', salt));
}

function frame(hash: Hash | Hmac): FramedDigest {
  return {
    add: (...fields) => {
      for (const field of fields) {
        const bytes = Buffer.from(field);
        hash.update(`${bytes.length}:`).update(bytes);
      }
    },
    hex: () => hash.digest('hex'),
  };
}
