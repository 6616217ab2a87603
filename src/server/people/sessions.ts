import { randomBytes } from 'node:crypto';
import { parse as parseCookies, serialize as formatCookie } from 'hono/utils/cookie';
import { HOUR_MS } from '../../contract/limits.ts';
import { CONSOLE_COOKIE, SECURE_CONSOLE_COOKIE } from '../../contract/page/storage-keys.ts';

/** A browser in which somebody has signed in. */
export type Session = {
  /** Names the session in lists. It opens nothing. */
  readonly id: string;
  /** Undefined for whoever gave the token of the listener. */
  readonly person: string | undefined;
  /** The person's epoch at the start: a session of an earlier one is over. */
  readonly epoch: number;
  readonly startedAt: number;
  readonly seenAt: number;
  /** When password and code were last given. */
  readonly confirmedAt: number;
  readonly prefix: string;
};

/** Who signs in, and from where. */
export type SessionStart = Pick<Session, 'person' | 'epoch' | 'prefix'> & { readonly isSecure: boolean };

/** What a browser sends with each request. */
export type SessionCookies = { readonly cookies: string | undefined; readonly isSecure: boolean };

/** The open sessions. They live in this process: they end by themselves, by signing out, or with it. */
export type Sessions = {
  /**
   * Starts a session, and ends the one that the browser had. Returns its `Set-Cookie` header. If the same person goes on,
   * the key is new and the id stays.
   */
  readonly start: (start: SessionStart, before?: SessionCookies) => string;
  /** The open session of a browser. It counts as used now. */
  readonly find: (cookies: SessionCookies) => Session | undefined;
  /** An open session, by its id. It counts as used now. */
  readonly findById: (id: string) => Session | undefined;
  /** Ends the session of a browser, and returns the `Set-Cookie` header that takes its cookie back. */
  readonly end: (cookies: SessionCookies) => string;
  /** The open sessions of a person, newest first. */
  readonly list: (person: string, epoch: number) => readonly Session[];
  /** Ends every session that fits. Returns how many there were. */
  readonly endWhere: (fits: (session: Session) => boolean) => number;
};

/** A working day. */
const LIFE_MS = 12 * HOUR_MS;
/** A console that is open counts as used: it shows a site for hours on a second screen. */
const IDLE_MS = HOUR_MS;
const KEY_BYTES = 32;
const ID_BYTES = 9;
/** Beyond this many the oldest session ends: better than to run out of memory. */
const MAX_SESSIONS = 1_000;
const MAX_SESSIONS_PER_PERSON = 10;

export function createSessions(now: () => number): Sessions {
  /** By the key in the cookie, oldest first. */
  const sessions = new Map<string, Session>();
  return {
    start: ({ isSecure, ...start }, before) => {
      const kept = before && sessions.get(readKey(before));
      if (before !== undefined) sessions.delete(readKey(before));
      dropOver();
      makeRoom(start.person);
      const at = now();
      const isSame = kept !== undefined && kept.person === start.person;
      const id = isSame ? kept.id : randomBytes(ID_BYTES).toString('base64url');
      const key = randomBytes(KEY_BYTES).toString('base64url');
      sessions.set(key, { ...start, id, startedAt: at, seenAt: at, confirmedAt: at });
      return writeCookie(key, { maxAge: LIFE_MS / 1_000, isSecure });
    },
    find: (cookies) => useSession(readKey(cookies)),
    findById: (id) => {
      const [key = ''] = [...sessions].find(([, session]) => session.id === id) ?? [];
      return useSession(key);
    },
    end: (cookies) => {
      sessions.delete(readKey(cookies));
      return writeCookie('', { maxAge: 0, isSecure: cookies.isSecure });
    },
    list: (person, epoch) => {
      dropOver();
      const own = [...sessions.values()].filter((each) => each.person === person && each.epoch === epoch);
      return own.toSorted((one, other) => other.startedAt - one.startedAt);
    },
    endWhere: (fits) => {
      const ended = [...sessions].filter(([, session]) => fits(session));
      for (const [key] of ended) sessions.delete(key);
      return ended.length;
    },
  };

  function useSession(key: string): Session | undefined {
    const session = sessions.get(key);
    if (session === undefined || isOver(session)) return undefined;
    const used = { ...session, seenAt: now() };
    sessions.set(key, used);
    return used;
  }

  function isOver({ startedAt, seenAt }: Session): boolean {
    // If the clock was set back by much, nobody knows how old the session is.
    const isFromFuture = startedAt - now() >= IDLE_MS;
    return isFromFuture || now() - startedAt >= LIFE_MS || now() - seenAt >= IDLE_MS;
  }

  function dropOver(): void {
    for (const [key, session] of sessions) if (isOver(session)) sessions.delete(key);
  }

  function makeRoom(person: string | undefined): void {
    const own = [...sessions].filter(([, session]) => session.person === person);
    const [oldestOfAll] = sessions.keys();
    const oldest = person !== undefined && own.length >= MAX_SESSIONS_PER_PERSON ? own[0]?.[0] : undefined;
    if (oldest !== undefined) sessions.delete(oldest);
    else if (sessions.size >= MAX_SESSIONS && oldestOfAll !== undefined) sessions.delete(oldestOfAll);
  }
}

/** Over TLS only a cookie counts that no neighbour of the host and no plain http could have set. */
function nameCookie(isSecure: boolean): string {
  return isSecure ? SECURE_CONSOLE_COOKIE : CONSOLE_COOKIE;
}

function readKey({ cookies = '', isSecure }: SessionCookies): string {
  const name = nameCookie(isSecure);
  return parseCookies(cookies, name)[name] ?? '';
}

function writeCookie(key: string, { maxAge, isSecure }: { maxAge: number; isSecure: boolean }): string {
  return formatCookie(nameCookie(isSecure), key, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge,
    secure: isSecure,
  });
}
