import { randomBytes } from 'node:crypto';
import { generateCookie } from 'hono/cookie';
import { parse as parseCookies } from 'hono/utils/cookie';
import type { Logger } from 'pino';
import { MINUTE_MS } from '../../contract/time-units.ts';
import { CONSOLE_COOKIE, SECURE_CONSOLE_COOKIE } from '../../contract/page/storage-keys.ts';
import { createLimit } from '../../contract/create-limit.ts';
import { forgetOldest } from '../process/forget-oldest.ts';
import { type Database, StoreAwayError, isAway, isStoreError } from '../store/database.ts';
import {
  MAX_SESSIONS,
  SIGN_IN_IDLE_MS,
  SIGN_IN_LIFE_MS,
  type SessionChanges,
  createSessionBook,
} from './create-session-book.ts';
import { hashKey } from './second-factor.ts';
import { deleteSessions, readNewestSessions, readSession, setSeen, writeSessions } from './session-rows.ts';

/** A browser in which somebody has signed in. */
export type Session = {
  /** Names the session in lists. It opens nothing. */
  readonly id: string;
  /** Undefined if the session was started with the token of the listener. */
  readonly person: string | undefined;
  /** The epoch of the person, or of the token, at the start. The session is over when that epoch has changed. */
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

/** The open sessions of all portals, as this one knows them. The database has the hashes of their keys. */
export type Sessions = {
  /**
   * Starts a session, and ends the one that the browser had. Returns its `Set-Cookie` header. If the same person goes on,
   * the key is new and the id stays. While the database is away, only this portal knows the session.
   */
  readonly start: (start: SessionStart, before?: SessionCookies) => Promise<string>;
  /** Makes a session known here that another portal has just started. Call it before `find`. It never rejects. */
  readonly learn: (cookies: SessionCookies) => Promise<void>;
  /** The open session of a browser. It counts as used now. */
  readonly find: (cookies: SessionCookies) => Session | undefined;
  /** An open session, by its id. It counts as used now. */
  readonly findById: (id: string) => Session | undefined;
  /** Ends the session of a browser, and returns the `Set-Cookie` header that takes its cookie back. */
  readonly end: (cookies: SessionCookies) => Promise<string>;
  /** The open sessions of a person, newest first. */
  readonly list: (person: string, epoch: number) => readonly Session[];
  /** Ends every session that fits, on all portals. Returns how many there were. Rejects while the database is away. */
  readonly endWhere: (fits: (session: Session) => boolean) => Promise<number>;
};

export type OpenedSessions = Sessions & {
  /** Follows what other portals start and end. The returned function stops that. */
  readonly follow: () => () => void;
  /** Writes what was started and ended while the database was away. Rejects if it still is. */
  readonly writeWaiting: () => Promise<void>;
  /** Tells the other portals which sessions were used, and removes those that are over. The server calls it once a minute. */
  readonly writeSeen: () => Promise<void>;
};

export type SessionsOptions = {
  readonly database: Pick<Database, 'read' | 'change' | 'transaction' | 'watch' | 'state'>;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
};

/** Another portal may have noticed a use of a session, and not written it yet. */
const UNWRITTEN_MS = 5 * MINUTE_MS;
const KEY_BYTES = 32;
const ID_BYTES = 9;
const MAX_UNKNOWN = 1_000;
const TOPIC = 'sessions';

export function openSessions({ database, now, log }: SessionsOptions): OpenedSessions {
  const book = createSessionBook(now);
  /** What the database has not confirmed yet. */
  const waiting = new Map<string, Session | undefined>();
  const used = new Set<string>();
  /** Hashes of cookies that the database does not know. */
  const unknown = new Set<string>();
  let ownChanges = 0;
  // Strangers may send any number of cookies. Beyond a few at once, only what this portal knows counts.
  const lookUp = createLimit(2, {
    maxWaiting: 20,
    refuse: () => {
      throw new StoreAwayError('too many sessions are looked up');
    },
  });

  return {
    start: async ({ isSecure, ...start }, before) => {
      if (waiting.size >= MAX_SESSIONS) throw new StoreAwayError('too many sessions wait for the database');
      const changes = new Map<string, Session | undefined>();
      const kept = before && book.get(readHash(before));
      if (kept !== undefined && before !== undefined) changes.set(readHash(before), undefined);
      for (const hash of book.findSurplus(start.person, changes)) changes.set(hash, undefined);
      const at = now();
      const isSame = kept !== undefined && kept.person === start.person;
      const id = isSame ? kept.id : randomBytes(ID_BYTES).toString('base64url');
      const key = randomBytes(KEY_BYTES).toString('base64url');
      changes.set(hashKey(key), { ...start, id, startedAt: at, seenAt: at, confirmedAt: at });
      await keep(changes);
      return writeCookie(key, { maxAge: SIGN_IN_LIFE_MS / 1_000, isSecure });
    },
    learn: async (cookies) => {
      const hash = readHash(cookies);
      if (hash === '' || book.find(hash) !== undefined) return;
      if (waiting.has(hash) || unknown.has(hash) || !database.state().isUp) return;
      await lookUp(() => lookUpSession(hash)).catch((error: unknown) => {
        if (!isAway(error)) log.warn({ err: error }, 'a session of the console could not be looked up');
      });
    },
    find: (cookies) => useSession(readHash(cookies)),
    findById: (id) => {
      const [hash = ''] = book.hashesWhere((session) => session.id === id);
      return useSession(hash);
    },
    end: async (cookies) => {
      const hash = readHash(cookies);
      if (book.get(hash) !== undefined) await keep(new Map([[hash, undefined]]));
      return writeCookie('', { maxAge: 0, isSecure: cookies.isSecure });
    },
    list: book.list,
    endWhere: async (fits) => {
      await load();
      const ended = book.hashesWhere(fits);
      if (ended.length === 0) return 0;
      await database.transaction(async (tx) => {
        await deleteSessions(tx.change, ended);
        await tx.announce(TOPIC);
      });
      ownChanges += 1;
      book.apply(new Map(ended.map((hash) => [hash, undefined])));
      for (const hash of ended) waiting.delete(hash);
      return ended.length;
    },
    follow: () => database.watch(TOPIC, load),
    writeWaiting,
    writeSeen: async () => {
      if (!database.state().isUp) return;
      const hashes = [...used];
      await setSeen(database.change, { hashes, seenAt: now() });
      for (const hash of hashes) used.delete(hash);
      book.removeOver();
      await database.change(
        'delete from operator_sessions where brand = $brand and (started_at <= $1 or seen_at <= $2)',
        [now() - SIGN_IN_LIFE_MS, now() - SIGN_IN_IDLE_MS - UNWRITTEN_MS],
      );
    },
  };

  /** Changes sessions in the database, and then here. If the database is away, they are written when it is back. */
  async function keep(changes: SessionChanges): Promise<void> {
    for (const [hash, session] of changes) waiting.set(hash, session);
    try {
      if (database.state().isUp) await writeWaiting();
    } catch (error) {
      if (!isStoreError(error)) throw error;
      log.warn({ err: error }, 'sessions of the console wait until they can be written');
    }
    book.apply(changes);
  }

  async function writeWaiting(): Promise<void> {
    const written = [...waiting];
    if (written.length === 0) return;
    await database.transaction(async (tx) => {
      await writeSessions(tx.change, written);
      await tx.announce(TOPIC);
    });
    ownChanges += 1;
    for (const [hash, session] of written) if (waiting.get(hash) === session) waiting.delete(hash);
  }

  async function load(): Promise<void> {
    for (;;) {
      const before = ownChanges;
      const rows = await readNewestSessions(database.read, MAX_SESSIONS);
      // What this portal has written meanwhile may not be in it.
      if (before !== ownChanges) continue;
      book.replaceAll(rows);
      return book.apply(waiting);
    }
  }

  async function lookUpSession(hash: string): Promise<void> {
    const before = ownChanges;
    const session = await readSession(database.read, hash);
    if (session !== undefined && !book.isOver(session)) {
      if (before === ownChanges) book.apply(new Map([[hash, session]]));
      return;
    }
    unknown.add(hash);
    forgetOldest(unknown, MAX_UNKNOWN);
  }

  function useSession(hash: string): Session | undefined {
    const session = book.use(hash);
    if (session !== undefined) used.add(hash);
    return session;
  }
}

/** Over TLS only the `__Host-` cookie counts: other hosts and plain http cannot set it. */
function nameCookie(isSecure: boolean): string {
  return isSecure ? SECURE_CONSOLE_COOKIE : CONSOLE_COOKIE;
}

/** The hash of the key that a browser sends. Empty if it sends none. */
function readHash({ cookies = '', isSecure }: SessionCookies): string {
  const name = nameCookie(isSecure);
  const key = parseCookies(cookies, name)[name];
  return key ? hashKey(key) : '';
}

function writeCookie(key: string, { maxAge, isSecure }: { maxAge: number; isSecure: boolean }): string {
  return generateCookie(nameCookie(isSecure), key, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge,
    secure: isSecure,
  });
}
