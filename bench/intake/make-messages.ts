import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Segment, SessionRecord } from '../../src/contract/intake-message.ts';
import { REPLAY_SEGMENT_BYTES } from '../../src/contract/limits.ts';

/** A message as it goes on the wire. */
export type Message = { readonly session: string; readonly body: Buffer };

const zip = promisify(gzip);

/** Divides events into segments of at most 60,000 bytes, as a page does. */
export function divideEvents(events: Segment['events']): readonly Segment['events'][] {
  const segments: Segment['events'][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    const size = Buffer.byteLength(JSON.stringify(event)) + 1;
    if (bytes + size > REPLAY_SEGMENT_BYTES) {
      segments.push([]);
      bytes = 2;
    }
    segments.at(-1)?.push(event);
    bytes += size;
  }
  return segments;
}

/** The messages of one session: as many records as segments, in turn. */
export async function makeSession(
  segments: readonly Segment['events'][],
  startedAt: number,
): Promise<readonly Message[]> {
  const [session, view] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
  const messages = segments.map(async (events, index) => {
    const record = createRecord({ session, view, revision: index + 1, segments: segments.length }, startedAt);
    const segment: Segment = { kind: 'segment', session, view, number: index + 1, events };
    return [
      { session, body: Buffer.from(JSON.stringify(record)) },
      { session, body: await zip(JSON.stringify(segment)) },
    ];
  });
  return (await Promise.all(messages)).flat();
}

export function createRecord(
  ids: Pick<SessionRecord, 'session' | 'view' | 'revision' | 'segments'>,
  startedAt: number,
): SessionRecord {
  const at = startedAt + ids.revision * 5_000;
  return {
    kind: 'session',
    ...ids,
    sessionStartedAt: startedAt,
    openedAt: startedAt,
    startedAt,
    pageViews: 1,
    page: '/',
    device: 'mobile',
    language: 'en',
    firstRowAt: startedAt + 700,
    reachedLines: 3,
    failedLines: 1,
    replay: 'recording',
    errors: [{ at, message: 'TypeError: x is undefined', stack: 'TypeError\n at run (/assets/a.js:1:200)' }],
    errorsLeftOut: 0,
    vitals: { LCP: 900, CLS: 0.01, FCP: 500, TTFB: 80 },
    enteredLines: [{ at, index: 1, host: 'line1.example', time: 40 }],
    droppedSegments: 0,
    oversizedEvents: 0,
  };
}
