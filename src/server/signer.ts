import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';

/** What the server signs; a signature for one purpose is worth nothing for another. */
export type Purpose = 'caller' | 'ticket';

export type Signer = {
  readonly sign: (purpose: Purpose, text: string) => string;
  readonly verify: (purpose: Purpose, text: string, signature: string) => boolean;
};

/** Half of SHA-256 is far beyond guessing, and keeps headers short. */
const SIGNATURE_CHARS = 22;

/** Signs short texts with the server's secret. */
export function createSigner(secret: Uint8Array): Signer {
  const key = createSecretKey(secret);
  const sign: Signer['sign'] = (purpose, text) =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url').slice(0, SIGNATURE_CHARS);
  return {
    sign,
    verify: (purpose, text, signature) => {
      const given = Buffer.from(signature);
      return given.length === SIGNATURE_CHARS && timingSafeEqual(given, Buffer.from(sign(purpose, text)));
    },
  };
}
