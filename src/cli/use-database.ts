import { type Logger, pino } from 'pino';
import type { Database } from '../server/store/database.ts';
import { type DatabasePlace, openDatabase } from '../server/store/open-database.ts';

/** Runs the work of a command on the database of a portal, which may be running meanwhile. */
export async function useDatabase<T>(
  place: DatabasePlace,
  work: (database: Database, log: Logger) => Promise<T>,
): Promise<T> {
  // Not what the store warns of: the command ends with a sentence of its own.
  const log = pino({ level: 'error' }, process.stderr);
  const database = await openDatabase({ ...place, log });
  try {
    return await work(database, log);
  } finally {
    await database.close();
  }
}
