/** What the engine reads of an answer. A page's `Response` fits. */
export type Answer = Pick<Response, 'ok' | 'status' | 'headers' | 'text'> & Partial<Pick<Response, 'body'>>;

/** What the engine needs of its surroundings. A browser's are in browser-effects.ts; tests have their own. */
export type Effects = {
  readonly fetch: (url: string, init: RequestInit) => Promise<Answer>;
  /** Ms since 1970 from a clock that never jumps. All pages of a tab share this clock. */
  readonly now: () => number;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** Calls back once after the delay. Returns a function that cancels it. */
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
};

/** The browser's own measurement of one request. */
export type TimingWatch = {
  /** Resolves with the duration in ms, or undefined if the browser gave none within 50 ms. Stops watching. */
  readonly read: (signal: AbortSignal) => Promise<number | undefined>;
  readonly stop: () => void;
};

/** Starts to watch for the timing of a request to this URL. Call it before the request is sent. */
export type WatchTiming = (url: string) => TimingWatch;

/** A small key-value store: the part of the Web Storage that pages use. */
export type KeyValueStore = {
  /** Null or undefined where there is nothing. */
  readonly get: (key: string) => string | null | undefined;
  readonly set: (key: string, value: string) => void;
  readonly remove: (key: string) => void;
};

/** Whether the visitor can see the page. */
export type Visibility = {
  readonly isHidden: () => boolean;
  readonly subscribe: (onChange: () => void) => void;
};
