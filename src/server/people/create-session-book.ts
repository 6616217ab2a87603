import { HOUR_MS } from '../../contract/time-units.ts';
import type { Session } from './open-sessions.ts';

/** Sessions by the hash of their key. Undefined for one that has ended. */
export type SessionChanges = ReadonlyMap<string, Session | undefined>;

/** The sessions that this portal knows. Each has the hash of the key in its cookie. */
export type SessionBook = {
  /** Also one that is over. */
  readonly get: (hash: string) => Session | undefined;
  /** Undefined if it is over, or not known. */
  readonly find: (hash: string) => Session | undefined;
  /** As `find`. The session counts as used now. */
  readonly use: (hash: string) => Session | undefined;
  readonly hashesWhere: (fits: (session: Session) => boolean) => readonly string[];
  /** The open sessions of a person, newest first. */
  readonly list: (person: string, epoch: number) => readonly Session[];
  /** The sessions that end to make room for a new one of a person, beside those that end anyway. */
  readonly findSurplus: (
    person: string | undefined,
    ending: ReadonlyMap<string, unknown>,
  ) => readonly string[];
  /** Takes over what changed. */
  readonly apply: (changes: SessionChanges) => void;
  /** Takes over all sessions of the database, oldest first. */
  readonly replaceAll: (sessions: readonly (readonly [hash: string, session: Session])[]) => void;
  readonly removeOver: () => void;
  readonly isOver: (session: Session) => boolean;
};

/** A working day. */
export const SIGN_IN_LIFE_MS = 12 * HOUR_MS;
/** A console that is open counts as used: it shows a site for hours on a second screen. */
export const SIGN_IN_IDLE_MS = HOUR_MS;
/** Beyond this many the oldest session ends: better than to run out of memory. */
export const MAX_SESSIONS = 1_000;
const MAX_SESSIONS_PER_PERSON = 10;

export function createSessionBook(now: () => number): SessionBook {
  /** By the hash of the key in the cookie, oldest first. */
  let open = new Map<string, Session>();
  return {
    get: (hash) => open.get(hash),
    find,
    use: (hash) => {
      const session = find(hash);
      if (session === undefined) return undefined;
      const seen = { ...session, seenAt: now() };
      open.set(hash, seen);
      return seen;
    },
    hashesWhere: (fits) => [...open].filter(([, session]) => fits(session)).map(([hash]) => hash),
    list: (person, epoch) => {
      const own = [...open.values()].filter(
        (each) => each.person === person && each.epoch === epoch && !isOver(each),
      );
      return own.toSorted((one, other) => other.startedAt - one.startedAt);
    },
    findSurplus: (person, ending) => {
      const staying = [...open].filter(([hash, session]) => !ending.has(hash) && !isOver(session));
      const own = staying.filter(([, session]) => person !== undefined && session.person === person);
      const surplus =
        own.length >= MAX_SESSIONS_PER_PERSON ? own : staying.length >= MAX_SESSIONS ? staying : [];
      return surplus.slice(0, 1).map(([hash]) => hash);
    },
    apply: (changes) => {
      for (const [hash, session] of changes) {
        if (session === undefined) open.delete(hash);
        else open.set(hash, withLatestUse(hash, session));
      }
    },
    replaceAll: (sessions) => {
      open = new Map(sessions.map(([hash, session]) => [hash, withLatestUse(hash, session)]));
    },
    removeOver: () => {
      for (const [hash, session] of open) if (isOver(session)) open.delete(hash);
    },
    isOver,
  };

  function find(hash: string): Session | undefined {
    const session = open.get(hash);
    return session === undefined || isOver(session) ? undefined : session;
  }

  /** This portal may know of a later use. */
  function withLatestUse(hash: string, session: Session): Session {
    return { ...session, seenAt: Math.max(session.seenAt, open.get(hash)?.seenAt ?? 0) };
  }

  function isOver({ startedAt, seenAt }: Session): boolean {
    // If the clock was set back by much, nobody knows how old the session is.
    const isFromFuture = startedAt - now() >= SIGN_IN_IDLE_MS;
    return isFromFuture || now() - startedAt >= SIGN_IN_LIFE_MS || now() - seenAt >= SIGN_IN_IDLE_MS;
  }
}
