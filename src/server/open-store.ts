import type { ComposeOptions } from './compose-options.ts';
import type { Database } from './store/database.ts';
import { openDatabase, openRecordingsDatabase } from './store/open-database.ts';
import { type LastGood, openLastGood } from './store/open-last-good.ts';
import { lockDataFolder } from './store/sqlite/lock-data-folder.ts';

/** Where a server keeps what must outlive it. */
export type OpenedStore = {
  readonly database: Database;
  readonly recordingsDatabase: Database;
  /** What the rooms start with if the database is away. */
  readonly lastGood: LastGood;
  readonly close: () => Promise<void>;
};

/** Opens the databases, and keeps other portals off the data folder if the database is in it. */
export async function openStore(
  options: Pick<ComposeOptions, 'dataDir' | 'database' | 'log'>,
): Promise<OpenedStore> {
  const { dataDir, log } = options;
  const place = { ...options.database, dataDir, log };
  const lock = place.url ? undefined : await lockDataFolder(dataDir);
  try {
    const database = await openDatabase(place);
    const recordingsDatabase = openRecordingsDatabase(place, database);
    return {
      database,
      recordingsDatabase,
      lastGood: openLastGood({ dataDir, database, log }),
      close: async () => {
        await recordingsDatabase.close();
        await database.close();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
  }
}
