import { type Store, createStore } from '../../contract/store.ts';
import { BEAT_EVENT, BEAT_EVERY_MS, type ConsoleOverview, OVERVIEW_EVENT } from '../../contract/console.ts';

export type FeedSnapshot = {
  readonly connection: 'connecting' | 'live' | 'lost';
  /** Since when the connection is lost. */
  readonly lostAt: number | undefined;
  /** The last that was heard. */
  readonly overview: ConsoleOverview | undefined;
};

/** What the server tells, as a store. */
export type Feed = Store<FeedSnapshot> & { readonly start: () => void };

/** As much of an `EventSource` as is needed. */
export type Source = Pick<EventSource, 'readyState' | 'close'> & {
  readonly addEventListener: (name: string, listener: (event: { readonly data?: unknown }) => void) => void;
};

export type FeedDeps = {
  readonly openSource: () => Source;
  /** Finds out whether the console may still be looked at. */
  readonly checkAccess: () => Promise<void>;
  readonly setTimer: (job: () => void, delayMs: number) => number;
  readonly clearTimer: (timer: number) => void;
  readonly now: () => number;
};

/** `EventSource.CLOSED`: the browser has given up, and will not try again by itself. */
const CLOSED = 2;
const RETRY_MS = 3_000;
/** A connection that has said nothing for this long is dead, even if nobody has told us. */
const SILENCE_MS = 3 * BEAT_EVERY_MS;

/** Listens to the server, and comes back by itself when the connection was lost. */
export function createFeed({ openSource, checkAccess, setTimer, clearTimer, now }: FeedDeps): Feed {
  const { getSnapshot, subscribe, set } = createStore<FeedSnapshot>({
    connection: 'connecting',
    lostAt: undefined,
    overview: undefined,
  });
  let timer: number | undefined;

  return { getSnapshot, subscribe, start: connect };

  function connect(): void {
    const source = openSource();
    watch(source);
    source.addEventListener(OVERVIEW_EVENT, ({ data }) => {
      watch(source);
      // The server's own words, checked by the type that both sides share.
      const overview = JSON.parse(String(data)) as ConsoleOverview;
      set({ connection: 'live', lostAt: undefined, overview });
    });
    source.addEventListener(BEAT_EVENT, () => watch(source));
    source.addEventListener('error', () => {
      lose();
      if (source.readyState === CLOSED) retry(source);
    });
  }

  /** Waits for the next word. */
  function watch(source: Source): void {
    schedule(() => {
      lose();
      retry(source);
    }, SILENCE_MS);
  }

  function retry(source: Source): void {
    source.close();
    schedule(() => {
      // Where the server is away, the next attempt tells.
      void checkAccess()
        .catch(() => undefined)
        .then(connect);
    }, RETRY_MS);
  }

  function schedule(job: () => void, delayMs: number): void {
    if (timer !== undefined) clearTimer(timer);
    timer = setTimer(job, delayMs);
  }

  function lose(): void {
    const snapshot = getSnapshot();
    if (snapshot.connection !== 'lost') set({ ...snapshot, connection: 'lost', lostAt: now() });
  }
}
