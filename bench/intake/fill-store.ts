import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { pino } from 'pino';
import type { Segment } from '../../src/contract/intake-message.ts';
import { DAY_MS } from '../../src/contract/time-units.ts';
import { keepRecordings } from '../../src/server/recordings/keep-recordings.ts';
import { openDatabase, openRecordingsDatabase } from '../../src/server/store/open-database.ts';
import { createRecord, divideEvents } from './make-messages.ts';

const ORIGIN = { country: 'SG', network: 'SG/AS64500', browser: 'Chrome 131' };
/** Between the end of a visit and its next round. */
const PAUSE_MS = 1_000;

/** Fills a data folder with sessions of the last ten days, of about this many bytes each, all with the same events. */
export async function fillStore(
  dataDir: string,
  { sessions, bytes, events }: { sessions: number; bytes: number; events: Segment['events'] },
): Promise<void> {
  const place = { dataDir, log: pino({ level: 'silent' }) };
  const main = await openDatabase(place);
  const database = openRecordingsDatabase(place, main);
  const now = Date.now();
  let at = now;
  const keeper = keepRecordings({
    database,
    limits: () => ({ keepDays: 30, keepBytes: 1e12 }),
    log: place.log,
    now: () => at,
  });
  const packedSegments = packRounds(events, bytes);
  for (let number = 0; number < sessions; number += 1) {
    at = now - (number % 10) * DAY_MS - number;
    const [session, view] = [randomBytes(16).toString('hex'), randomBytes(16).toString('hex')];
    const record = createRecord({ session, view, revision: 1, segments: packedSegments.length }, at);
    keeper.take({ message: record, packed: Buffer.alloc(0) }, ORIGIN);
    for (const [index, packed] of packedSegments.entries()) {
      const message: Segment = { kind: 'segment', session, view, number: index + 1, events: [] };
      keeper.take({ message, packed }, ORIGIN);
    }
    await keeper.flush();
  }
  await database.close();
  await main.close();
}

/**
 * The segments of a visit that goes on and on until it is as large as it should be. All sessions share them: whose they are is
 * not in the bytes.
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
