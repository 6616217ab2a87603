import { CONSOLE_COOKIE } from '../../contract/storage-keys.ts';
import { readCookie } from '../http/parse-header.ts';
import type { Signer } from '../signer.ts';

/** Proof, in a cookie, that a browser has given the token. It is not the token, and it ends by itself. */
export type Sessions = {
  /** The `Set-Cookie` header of a browser that has just given the token. */
  readonly start: (isSecure: boolean) => string;
  /** The `Set-Cookie` header that takes it back. */
  readonly end: (isSecure: boolean) => string;
  readonly isOpen: (cookies: string | undefined) => boolean;
};

export type SessionDeps = {
  readonly signer: Signer;
  /** Signed along: whoever changes the token ends all sessions. */
  readonly token: string;
  readonly now: () => number;
};

/** A working day. */
const LIFE_MS = 12 * 3_600_000;
const VALUE = /^(\d{1,15})\.([\w-]+)$/;

export function createSessions({ signer, token, now }: SessionDeps): Sessions {
  const textOf = (endsAt: number): string => `${endsAt}\n${token}`;
  return {
    start: (isSecure) => {
      const endsAt = now() + LIFE_MS;
      const value = `${endsAt}.${signer.sign('console', textOf(endsAt))}`;
      return formatCookie(value, { maxAgeSeconds: LIFE_MS / 1_000, isSecure });
    },
    end: (isSecure) => formatCookie('', { maxAgeSeconds: 0, isSecure }),
    isOpen: (cookies) => {
      const [, endsAt, signature] = VALUE.exec(readCookie(cookies, CONSOLE_COOKIE) ?? '') ?? [];
      if (endsAt === undefined || signature === undefined || Number(endsAt) <= now()) return false;
      return signer.verify('console', textOf(Number(endsAt)), signature);
    },
  };
}

function formatCookie(
  value: string,
  { maxAgeSeconds, isSecure }: { readonly maxAgeSeconds: number; readonly isSecure: boolean },
): string {
  const attributes = ['HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${maxAgeSeconds}`];
  return [`${CONSOLE_COOKIE}=${value}`, ...attributes, ...(isSecure ? ['Secure'] : [])].join('; ');
}
