import { REPLAY_SEGMENT_BYTES, REPLAY_SEGMENT_MS } from '../../../../contract/limits.ts';
import type { Effects } from '../../../../engine/effects/effects.ts';

/** A closed segment: events that are serialized, in order. */
export type EventRun = {
  /** Its place in the view, from 1. */
  readonly number: number;
  /** As JSON, one by one. */
  readonly events: readonly string[];
  /** True for a single event that is larger than a segment may be. */
  readonly isOversized: boolean;
};

export type Segmenter = {
  readonly add: (event: { readonly timestamp: number }) => void;
  /** Closes what is open, if anything is, before its time. */
  readonly close: () => void;
  /** The same in smaller segments, because the page may go away: the browser may take some of them where it does not take all. */
  readonly closeInPieces: () => void;
};

export type SegmenterSettings = Pick<Effects, 'setTimer'> & {
  readonly onClose: (run: EventRun) => void;
};

/** A quarter of what a page may send as it goes. */
const PIECE_BYTES = 16_000;
const BRACKETS_BYTES = 2;
const COMMA_BYTES = 1;

/** Cuts a stream of events into segments of at most 30 s and 60,000 bytes of JSON. A larger event goes alone. */
export function createSegmenter({ setTimer, onClose }: SegmenterSettings): Segmenter {
  const encoder = new TextEncoder();
  let number = 0;
  let events: string[] = [];
  let bytes = BRACKETS_BYTES;
  let startedAt = 0;
  let cancelTimer: (() => void) | undefined;

  function close(): void {
    if (events.length === 0) return;
    cancelTimer?.();
    number += 1;
    const run = { number, events, isOversized: bytes > REPLAY_SEGMENT_BYTES };
    events = [];
    bytes = BRACKETS_BYTES;
    onClose(run);
  }

  function closeInPieces(): void {
    const open = events;
    events = [];
    bytes = BRACKETS_BYTES;
    for (const json of open) put(json, PIECE_BYTES);
    close();
  }

  /** Puts an event into the open segment; what would grow larger than this is closed before. */
  function put(json: string, maxBytes: number): void {
    const size = encoder.encode(json).length;
    if (bytes + COMMA_BYTES + size > maxBytes) close();
    bytes += size + (events.length > 0 ? COMMA_BYTES : 0);
    events.push(json);
  }

  return {
    close,
    closeInPieces,
    add(event) {
      // By the events' own time, too: a timer runs late in a page that is throttled, or asleep.
      if (event.timestamp - startedAt >= REPLAY_SEGMENT_MS) close();
      put(JSON.stringify(event), REPLAY_SEGMENT_BYTES);
      if (events.length === 1) {
        cancelTimer?.();
        startedAt = event.timestamp;
        cancelTimer = setTimer(close, REPLAY_SEGMENT_MS);
      }
      if (bytes > REPLAY_SEGMENT_BYTES) close();
    },
  };
}
