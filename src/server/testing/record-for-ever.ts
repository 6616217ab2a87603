import { pino } from 'pino';
import { keepRecordings } from '../recordings/keep-recordings.ts';
import { openDatabase, openRecordingsDatabase } from '../store/open-database.ts';
import { ORIGIN, createRecord, createSegment, idOf, packMessage } from './intake-messages.ts';

/** Keeps segments of several sessions until it is killed. Says how many of each are in the database after each batch. */
export async function recordForEver(dataDir: string, sessions: number, first: number): Promise<void> {
  const place = { dataDir, log: pino({ level: 'silent' }) };
  const keeper = keepRecordings({
    database: openRecordingsDatabase(place, await openDatabase(place)),
    limits: () => ({ keepDays: 30, keepBytes: 1e12 }),
    log: place.log,
    now: () => Date.UTC(2026, 0, 5, 12),
  });
  for (let number = first; ; number += 1) {
    for (let session = 0; session < sessions; session += 1) {
      const ids = { session: idOf(session) };
      const text = `segment ${number} of ${session} ${'x'.repeat(500)}`;
      keeper.take(packMessage(createRecord({ ...ids, revision: number })), ORIGIN);
      keeper.take(
        packMessage(createSegment({ ...ids, number, events: [{ type: 3, timestamp: number, text }] })),
        ORIGIN,
      );
    }
    await keeper.flush();
    process.send?.(number);
  }
}
