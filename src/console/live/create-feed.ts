import { type Store, createStore } from '../../contract/create-store.ts';
import { BEAT_EVENT, BEAT_EVERY_MS, type ConsoleOverview, OVERVIEW_EVENT } from '../../contract/console.ts';

export type FeedSnapshot = {
  readonly connection: 'connecting' | 'live' | 'lost';
  /** When the connection was lost. */
  readonly lostAt: number | undefined;
  /** The last overview that arrived. */
  readonly overview: ConsoleOverview | undefined;
};

/** The live data of the server. */
export type Feed = Store<FeedSnapshot> & { readonly start: () => void };

/** The part of an `EventSource` that the feed uses. */
export type Source = Pick<EventSource, 'readyState' | 'close'> & {
  readonly addEventListener: (name: string, listener: (event: { readonly data?: unknown }) => void) => void;
};

export type FeedSettings = {
  readonly openSource: () => Source;
  /** Checks whether the operator is still signed in. */
  readonly checkAccess: () => Promise<void>;
  readonly setTimer: (job: () => void, delayMs: number) => number;
  readonly clearTimer: (timer: number) => void;
  readonly now: () => number;
};

/** `EventSource.CLOSED`: the browser will not connect again by itself. */
const CLOSED = 2;
const RETRY_MS = 3_000;
/** After this long without an event, the connection counts as dead. */
const SILENCE_MS = 3 * BEAT_EVERY_MS;

/** Creates the feed. It connects again by itself after the connection was lost. */
export function createFeed({ openSource, checkAccess, setTimer, clearTimer, now }: FeedSettings): Feed {
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
      // The server uses the same type.
      const overview = JSON.parse(String(data)) as ConsoleOverview;
      set({ connection: 'live', lostAt: undefined, overview });
    });
    source.addEventListener(BEAT_EVENT, () => watch(source));
    source.addEventListener('error', () => {
      lose();
      // The server ends the connection of a session that has ended. The browser would find that out some seconds later.
      if (source.readyState === CLOSED) retry(source);
      else void checkAccess().catch(() => undefined);
    });
  }

  /** Restarts the timer that ends a silent connection. */
  function watch(source: Source): void {
    schedule(() => {
      lose();
      retry(source);
    }, SILENCE_MS);
  }

  function retry(source: Source): void {
    source.close();
    schedule(() => {
      // If the server is away, connecting shows it.
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
