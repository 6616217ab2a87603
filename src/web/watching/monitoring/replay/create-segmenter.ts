import { REPLAY_SEGMENT_BYTES, REPLAY_SEGMENT_MS } from '../../../../contract/limits.ts';
import { writeWithoutQueries } from '../../../../contract/without-queries.ts';
import type { Effects } from '../../../../engine/effects/effects.ts';

/** A closed segment: serialized events, in order. */
export type EventRun = {
  /** Its place in the view, from 1. */
  readonly number: number;
  /** As JSON, one by one. */
  readonly events: readonly string[];
  /** True for a single event that is larger than a segment. */
  readonly isOversized: boolean;
};

export type Segmenter = {
  readonly add: (event: { readonly timestamp: number }) => void;
  /** Closes the open segment early, if there is one. */
  readonly close: () => void;
  /**
   * Closes the open events in smaller segments, because the page may close: the browser may take some of them, if not
   * all.
   */
  readonly closeInPieces: () => void;
};

export type SegmenterSettings = Pick<Effects, 'setTimer'> & {
  readonly onClose: (run: EventRun) => void;
};

/** A quarter of what a closing page may send. */
const PIECE_BYTES = 16_000;
const BRACKETS_BYTES = 2;
const COMMA_BYTES = 1;

type OpenEvent = { readonly json: string; readonly bytes: number };

/**
 * Cuts events into segments of at most 30 s and 60,000 bytes of JSON. A larger event is a segment of its own.
 */
export function createSegmenter({ setTimer, onClose }: SegmenterSettings): Segmenter {
  const encoder = new TextEncoder();
  let number = 0;
  let open: readonly OpenEvent[] = [];
  let startedAt = 0;
  let cancelTimer: (() => void) | undefined;

  function close(): void {
    if (open.length > 0) handOver(open.length);
  }

  function closeInPieces(): void {
    while (open.length > 0) {
      const tooMany = open.findIndex(
        (_, index) => index > 0 && sizeOf(open.slice(0, index + 1)) > PIECE_BYTES,
      );
      handOver(tooMany === -1 ? open.length : tooMany);
    }
  }

  /** Makes a segment of the first open events. */
  function handOver(count: number): void {
    const events = open.slice(0, count);
    onClose({
      number: number + 1,
      events: events.map(({ json }) => json),
      isOversized: sizeOf(events) > REPLAY_SEGMENT_BYTES,
    });
    // Set after the call, because Firefox may stop the script at any point while the page closes. Then the next flush
    // sends it again.
    number += 1;
    open = open.slice(count);
    if (open.length === 0) cancelTimer?.();
  }

  return {
    close,
    closeInPieces,
    add(event) {
      // The events' own time counts too, because timers run late in a throttled or sleeping page.
      if (event.timestamp - startedAt >= REPLAY_SEGMENT_MS) close();
      const json = writeWithoutQueries(event);
      const added = { json, bytes: encoder.encode(json).length };
      if (sizeOf([...open, added]) > REPLAY_SEGMENT_BYTES) close();
      open = [...open, added];
      if (open.length === 1) {
        cancelTimer?.();
        startedAt = event.timestamp;
        cancelTimer = setTimer(close, REPLAY_SEGMENT_MS);
      }
      if (sizeOf(open) > REPLAY_SEGMENT_BYTES) close();
    },
  };
}

/** The size of these events as a JSON array. */
function sizeOf(events: readonly OpenEvent[]): number {
  const commas = Math.max(events.length - 1, 0) * COMMA_BYTES;
  return events.reduce((sum, { bytes }) => sum + bytes, BRACKETS_BYTES + commas);
}
