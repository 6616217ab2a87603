import { hash, timingSafeEqual } from 'node:crypto';

/** Compares digests, which all have the same length, in constant time. */
export function isSameToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

/** The token of an `Authorization: Bearer` header; undefined where there is none. */
export function readBearer(authorization: string | undefined): string | undefined {
  return /^Bearer (.+)$/i.exec(authorization ?? '')?.[1];
}

/** A number made from a token. Two tokens hardly ever have the same one. */
export function deriveEpoch(token: string): number {
  return digest(token).readUIntBE(0, 6);
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
