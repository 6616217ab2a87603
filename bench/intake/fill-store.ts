import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Segment } from '../../src/contract/intake-message.ts';
import { DAY_MS } from '../../src/contract/limits.ts';
import { encodeFrame } from '../../src/server/recordings/frames.ts';
import { createRecordingStore } from '../../src/server/recordings/recording-store.ts';
import { createRecord, divideEvents } from './make-messages.ts';

const ORIGIN = { country: 'SG', network: 'SG/AS64500', browser: 'Chrome 131' };
/** Between the end of a visit and its next round. */
const PAUSE_MS = 1_000;

/** Fills a data folder with sessions of the last ten days, of about this many bytes each, in all of which the same was seen. */
export async function fillStore(
  dataDir: string,
  { sessions, bytes, events }: { sessions: number; bytes: number; events: Segment['events'] },
): Promise<void> {
  const store = createRecordingStore({ dir: join(dataDir, 'recordings') });
  const now = Date.now();
  const packedSegments = packRounds(events, bytes);
  for (let number = 0; number < sessions; number += 1) {
    const at = now - (number % 10) * DAY_MS - number;
    const day = new Date(at).toISOString().slice(0, 10);
    const [session, view] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    // As many records as segments, in turn.
    const frames = packedSegments.flatMap((packed, index) => {
      const revision = index + 1;
      const record = createRecord({ session, view, revision, segments: packedSegments.length }, at);
      return [
        encodeFrame({
          label: { view, at, revision, origin: ORIGIN },
          packed: gzipSync(JSON.stringify(record)),
        }),
        encodeFrame({ label: { view, at, number: revision }, packed }),
      ];
    });
    await store.append({ day, session }, Buffer.concat(frames));
  }
}

/**
 * The segments of a visit that goes on and on until it is as large as it should be. All sessions share them: whose they are is
 * read from the file and the label.
 */
function packRounds(events: Segment['events'], bytes: number): readonly Buffer[] {
  const roundMs = (events.at(-1)?.timestamp ?? 0) - (events[0]?.timestamp ?? 0) + PAUSE_MS;
  const ids = { session: '0'.repeat(32), view: '0'.repeat(32) };
  const packed: Buffer[] = [];
  for (let size = 0, round = 0; size < bytes; round += 1) {
    const later = events.map((event) => ({ ...event, timestamp: event.timestamp + round * roundMs }));
    for (const part of divideEvents(later)) {
      const segment: Segment = { kind: 'segment', ...ids, number: packed.length + 1, events: part };
      const body = gzipSync(JSON.stringify(segment));
      packed.push(body);
      size += body.length;
    }
  }
  return packed;
}
