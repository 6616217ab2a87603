import { randomBytes } from 'node:crypto';
import { parse as parseCookies, serialize as formatCookie } from 'hono/utils/cookie';
import { CONSOLE_COOKIE } from '../../../contract/page/storage-keys.ts';

/** Which browsers have given the token. A session lives in this process: it ends by itself, by logging out, or with it. */
export type Sessions = {
  /** The `Set-Cookie` header of a browser that has just given the token. */
  readonly start: (isSecure: boolean) => string;
  /** Ends the session of these cookies, and returns the `Set-Cookie` header that takes its cookie back. */
  readonly end: (cookies: string | undefined, isSecure: boolean) => string;
  /** The open session of these cookies. */
  readonly find: (cookies: string | undefined) => string | undefined;
};

/** A working day. */
const LIFE_MS = 12 * 3_600_000;
const ID_BYTES = 32;
/** Beyond this many the oldest session ends: better than to run out of memory. */
const MAX_SESSIONS = 1_000;

export function createSessions(now: () => number): Sessions {
  const endings = new Map<string, number>();
  return {
    start: (isSecure) => {
      const id = randomBytes(ID_BYTES).toString('base64url');
      const [oldest] = endings.keys();
      if (endings.size >= MAX_SESSIONS && oldest !== undefined) endings.delete(oldest);
      endings.set(id, now() + LIFE_MS);
      return writeCookie(id, LIFE_MS / 1_000, isSecure);
    },
    end: (cookies, isSecure) => {
      endings.delete(readId(cookies));
      return writeCookie('', 0, isSecure);
    },
    find: (cookies) => {
      const id = readId(cookies);
      return (endings.get(id) ?? 0) > now() ? id : undefined;
    },
  };
}

function readId(cookies = ''): string {
  return parseCookies(cookies, CONSOLE_COOKIE)[CONSOLE_COOKIE] ?? '';
}

function writeCookie(value: string, maxAge: number, secure: boolean): string {
  return formatCookie(CONSOLE_COOKIE, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge,
    secure,
  });
}
