import { hash, timingSafeEqual } from 'node:crypto';

/** What the server signs; a signature for one purpose is worth nothing for another. */
export type Purpose = 'caller' | 'ticket' | 'console';

export type Signer = {
  readonly sign: (purpose: Purpose, text: string) => string;
  readonly verify: (purpose: Purpose, text: string, signature: string) => boolean;
};

/** Half of SHA-256 is far beyond guessing, and keeps headers short. */
const SIGNATURE_CHARS = 22;
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;

/** Signs short texts with the server's secret. */
export function createSigner(secret: Uint8Array): Signer {
  const computeHmac = createHmacFunction(secret);
  const sign: Signer['sign'] = (purpose, text) =>
    computeHmac(`${purpose}\n${text}`).slice(0, SIGNATURE_CHARS);
  return {
    sign,
    verify: (purpose, text, signature) => {
      const given = Buffer.from(signature);
      return given.length === SIGNATURE_CHARS && timingSafeEqual(given, Buffer.from(sign(purpose, text)));
    },
  };
}

/**
 * HMAC-SHA-256 (RFC 2104) in base64url. It is `createHmac` at a third of its price: making that object is what takes the
 * time, more than the rest of a hostname answer, and two hashes in one go are the same function.
 */
export function createHmacFunction(secret: Uint8Array): (text: string) => string {
  const key = secret.length > BLOCK_BYTES ? hash('sha256', secret, 'buffer') : secret;
  const pad = (byte: number) => Buffer.alloc(BLOCK_BYTES).map((_, index) => (key[index] ?? 0) ^ byte);
  const inner = pad(0x36);
  const outer = Buffer.concat([pad(0x5c), Buffer.alloc(DIGEST_BYTES)]);
  return (text) => {
    outer.write(hash('sha256', Buffer.concat([inner, Buffer.from(text)]), 'binary'), BLOCK_BYTES, 'binary');
    return hash('sha256', outer, 'base64url');
  };
}
