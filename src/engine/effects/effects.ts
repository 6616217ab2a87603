/** What the engine needs of the world around it: a browser's (browser-effects.ts), Node's, or a test's. */
export type Effects = {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Ms since 1970, from a clock that never jumps: good for durations, and the same for two pages of a tab. */
  readonly now: () => number;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** Calls back once, later. Returns what cancels it. */
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
};

/** The platform's own measurement of one request. */
export type TimingWatch = {
  /** Its ms, or undefined where the platform has not said so within 50 ms. Stops watching. */
  readonly read: (signal: AbortSignal) => Promise<number | undefined>;
  readonly stop: () => void;
};

/** Starts to watch for the timing of a request that is about to leave for this URL. */
export type WatchTiming = (url: string) => TimingWatch;

/** Where a page keeps small things: the part of the Web Storage that is used. */
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
