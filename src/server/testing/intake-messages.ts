import { gzipSync } from 'node:zlib';
import type { Segment, SessionRecord } from '../../contract/intake-message.ts';
import type { VisitorFacts } from '../recordings/describe-record.ts';
import type { ReadMessage } from '../recordings/read-message.ts';

export const VISITOR: VisitorFacts = { country: 'GB', network: 'GB/AS2856', browser: 'Chrome 131' };

/** An id as pages draw them, the same for the same number. */
export function idOf(number: number): string {
  return number.toString(16).padStart(32, '0');
}

export function createRecord(changes: Partial<SessionRecord> = {}): SessionRecord {
  const startedAt = Date.UTC(2026, 0, 5, 12);
  return {
    kind: 'session',
    session: idOf(1),
    view: idOf(2),
    revision: 1,
    sessionStartedAt: startedAt,
    openedAt: startedAt,
    startedAt,
    pageViews: 1,
    page: '/',
    device: 'pc',
    language: 'en',
    firstRowAt: null,
    reachedLines: 0,
    failedLines: 0,
    replay: 'recording',
    errors: [],
    errorsLeftOut: 0,
    vitals: {},
    enteredLines: [],
    segments: 0,
    droppedSegments: 0,
    oversizedEvents: 0,
    ...changes,
  };
}

export function createSegment(changes: Partial<Segment> = {}): Segment {
  const events = [{ type: 4, timestamp: Date.UTC(2026, 0, 5, 12), data: { width: 390 } }];
  return { kind: 'segment', session: idOf(1), view: idOf(2), number: 1, events, ...changes };
}

/** A message as if it had been read from a request. */
export function packMessage(message: SessionRecord | Segment): ReadMessage {
  return { message, packed: gzipSync(JSON.stringify(message)) };
}
