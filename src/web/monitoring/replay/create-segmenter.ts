import { REPLAY_SEGMENT_BYTES, REPLAY_SEGMENT_MS } from '../../../contract/limits.ts';
import type { Effects } from '../../../engine/effects.ts';

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
};

export type SegmenterSettings = Pick<Effects, 'setTimer'> & {
  readonly onClose: (run: EventRun) => void;
};

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

  return {
    close,
    add(event) {
      const json = JSON.stringify(event);
      const size = encoder.encode(json).length;
      const isFull = bytes + COMMA_BYTES + size > REPLAY_SEGMENT_BYTES;
      // By the events' own time, too: a timer runs late in a page that is throttled, or asleep.
      const isOver = event.timestamp - startedAt >= REPLAY_SEGMENT_MS;
      if (isFull || isOver) close();
      if (events.length === 0) {
        startedAt = event.timestamp;
        cancelTimer = setTimer(close, REPLAY_SEGMENT_MS);
      } else {
        bytes += COMMA_BYTES;
      }
      events.push(json);
      bytes += size;
      if (bytes > REPLAY_SEGMENT_BYTES) close();
    },
  };
}
