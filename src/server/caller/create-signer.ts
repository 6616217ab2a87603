import { createHmac, timingSafeEqual } from 'node:crypto';

/** What the server signs. A signature for one purpose is not valid for another. */
export type Purpose = 'caller' | 'ticket' | 'line' | 'preview' | 'incident';

export type Signer = {
  readonly sign: (purpose: Purpose, text: string) => string;
  readonly verify: (purpose: Purpose, text: string, signature: string) => boolean;
};

/** Half of SHA-256 is far beyond guessing, and keeps headers short. */
const SIGNATURE_CHARS = 22;

/** Signs short texts with the server's secret. */
export function createSigner(secret: Uint8Array): Signer {
  const sign: Signer['sign'] = (purpose, text) =>
    createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url').slice(0, SIGNATURE_CHARS);
  return {
    sign,
    verify: (purpose, text, signature) => {
      const expected = Buffer.from(sign(purpose, text));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
