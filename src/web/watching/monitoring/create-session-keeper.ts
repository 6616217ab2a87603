import type { ReplayState } from '../../../contract/intake-message.ts';
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../../../contract/limits.ts';
import { SESSION_KEY } from '../../../contract/page/storage-keys.ts';
import type { Effects, KeyValueStore } from '../../../engine/effects/effects.ts';

/** A visitor's session: its age, and what was drawn for it at its start. Times are ms since 1970. */
export type Session = {
  readonly id: string;
  readonly startedAt: number;
  readonly activeAt: number;
  readonly isSampled: boolean;
  /** The first replay state of a view: `starting` if a replay was drawn, otherwise why there is none. */
  readonly replay: ReplayState;
  /** The number so far, over all pages and tabs. */
  readonly pageViews: number;
};

export type SessionKeeper = {
  /** Joins the current session, or starts a new one, and counts a page view. */
  readonly join: () => Session;
  /** Notes an activity of the visitor. False if that session has ended. */
  readonly extend: (id: string) => boolean;
  /** Turns replay off for the rest of that session. */
  readonly endReplay: (id: string, why: ReplayState) => void;
  /** The ms until the session ends if nothing happens. 0 if it has ended. */
  readonly remainingMs: (id: string) => number;
  readonly forget: () => void;
};

export type SessionSettings = Pick<Effects, 'now' | 'random'> & {
  readonly createId: () => string;
  /** localStorage, because tabs share a session. */
  readonly store: KeyValueStore;
  readonly sessionPercent: number;
  readonly replayPercent: number;
};

/**
 * Creates the keeper of this browser's session. `now` is the system clock, because a session also ends while a laptop
 * sleeps.
 */
export function createSessionKeeper(settings: SessionSettings): SessionKeeper {
  const { now, random, createId, store, sessionPercent, replayPercent } = settings;
  // If the browser stores nothing, each page has its own session.
  let last: Session | undefined;

  function read(): Session | undefined {
    // A storage that is full may hold one that is over.
    const known = [parseSession(store.get(SESSION_KEY) ?? undefined), last];
    return known.find((session) => session && remainingOf(session) > 0);
  }

  function write(session: Session): Session {
    last = session;
    store.set(SESSION_KEY, JSON.stringify(session));
    return session;
  }

  function decide(): Session {
    const isSampled = isDrawn(sessionPercent, random);
    const replay = isSampled && isDrawn(replayPercent, random) ? 'starting' : 'not-sampled';
    return { id: createId(), startedAt: now(), activeAt: now(), isSampled, replay, pageViews: 0 };
  }

  function remainingOf({ startedAt, activeAt }: Session): number {
    // A session from the future was stored before the clock was set back. Its age is unknown.
    if (startedAt > now() || activeAt > now()) return 0;
    return Math.max(0, Math.min(activeAt + SESSION_IDLE_MS, startedAt + SESSION_MAX_MS) - now());
  }

  const find = (id: string): Session | undefined => {
    const session = read();
    return session?.id === id ? session : undefined;
  };

  return {
    join() {
      const session = read() ?? decide();
      return write({ ...session, activeAt: now(), pageViews: session.pageViews + 1 });
    },
    extend(id) {
      const session = find(id);
      if (session) write({ ...session, activeAt: now() });
      return session !== undefined;
    },
    endReplay(id, why) {
      const session = find(id);
      if (session) write({ ...session, replay: why });
    },
    remainingMs(id) {
      const session = find(id);
      return session ? remainingOf(session) : 0;
    },
    forget() {
      last = undefined;
      store.remove(SESSION_KEY);
    },
  };
}

/** Draws a yes or no with a chance in percent. */
export function isDrawn(percent: number, random: () => number): boolean {
  return random() * 100 < percent;
}

function parseSession(kept: string | undefined): Session | undefined {
  try {
    const session: unknown = JSON.parse(kept ?? '');
    return isSession(session) ? session : undefined;
  } catch {
    return undefined; // Nothing kept yet, or cut off.
  }
}

/** Others, or an older version, may have written to the storage. */
function isSession(value: unknown): value is Session {
  const given = Object(value) as Readonly<Record<string, unknown>>;
  return (
    typeof given['id'] === 'string' &&
    [given['startedAt'], given['activeAt'], given['pageViews']].every(Number.isFinite) &&
    typeof given['isSampled'] === 'boolean' &&
    typeof given['replay'] === 'string'
  );
}
