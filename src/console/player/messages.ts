/** What the console and the document of the player say to each other. Both have the same origin. */

/** An event of rrweb, as far as we look into it. */
export type RecordedEvent = {
  readonly type: number;
  /** Ms since 1970. */
  readonly timestamp: number;
  readonly data?: unknown;
};

/** From the console. Before the others, `load` hands over the events of a view. */
export type PlayerCommand =
  | { readonly kind: 'load'; readonly events: readonly RecordedEvent[] }
  /** Shows a moment, in ms from the first event, and plays on from there or stays there. */
  | { readonly kind: 'show'; readonly atMs: number; readonly isPlaying: boolean }
  | { readonly kind: 'set'; readonly speed: number; readonly skipsIdle: boolean };

/** From the player. `ready` asks for the events. */
export type PlayerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'loaded'; readonly totalMs: number }
  | { readonly kind: 'moved'; readonly atMs: number; readonly isPlaying: boolean }
  /** The size of the page that is shown. */
  | { readonly kind: 'resized'; readonly width: number; readonly height: number }
  | { readonly kind: 'failed' };
