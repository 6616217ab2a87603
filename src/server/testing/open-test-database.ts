import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { Database } from '../store/database.ts';
import { type DatabasePlace, openDatabase, openRecordingsDatabase } from '../store/open-database.ts';

/** Opens a database, and closes it after the test. By default it is a new one, in SQLite. */
export async function openTestDatabase(place: Partial<DatabasePlace> = {}): Promise<Database> {
  const dataDir = place.dataDir ?? (await makeDataFolder());
  const database = await openDatabase({ ...place, dataDir, log: pino({ level: 'silent' }) });
  onTestFinished(database.close);
  return database;
}

/** A data folder that is removed after the test. */
export async function makeDataFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'waypost-data-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Opens the database of the recordings, and closes it after the test. */
export async function openTestRecordings(place: Partial<DatabasePlace> = {}): Promise<Database> {
  const dataDir = place.dataDir ?? (await makeDataFolder());
  const database = await openTestDatabase({ ...place, dataDir });
  const log = pino({ level: 'silent' });
  const recordings = openRecordingsDatabase({ ...place, dataDir, log }, database);
  onTestFinished(recordings.close);
  return recordings;
}
