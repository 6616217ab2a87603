import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Database, type Engine, StoreAwayError } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

export type OpenDatabaseOptions = {
  readonly dataDir: string;
  /** A PostgreSQL database that several portals share. Without it the data folder has a database of its own. */
  readonly url?: string | undefined;
  readonly log: Pick<Logger, 'warn' | 'info'>;
};

const FILE = 'waypost.db';

/** The database of a portal that has none to share. */
export function findDatabaseFile(dataDir: string): string {
  return join(dataDir, FILE);
}

/**
 * Opens the database of a portal and makes its tables. Rejects if an operator has to change something first. A database that is
 * away is no reason not to start: its tables are made when it answers.
 */
export async function openDatabase({ dataDir, url, log }: OpenDatabaseOptions): Promise<Database> {
  const engine = url ? await openPostgres(url) : openSqlite(findDatabaseFile(dataDir));
  const getReady = createGetReady(engine);
  try {
    await getReady();
  } catch (error) {
    if (!(error instanceof StoreAwayError)) {
      await engine.close();
      throw error;
    }
    log.warn({ err: error }, 'the database is away: what needs it waits until it is back');
  }
  return {
    read: async (sql, values) => {
      await getReady();
      return engine.read(sql, values);
    },
    transaction: async (work) => {
      await getReady();
      return engine.transaction(work);
    },
    close: engine.close,
  };
}

/** Makes the tables once. If that fails, the next call tries again. */
function createGetReady(engine: Engine): () => Promise<void> {
  let ready: Promise<void> | undefined;
  return () => {
    ready ??= prepare(engine).catch((error: unknown) => {
      ready = undefined;
      throw error;
    });
    return ready;
  };
}

async function prepare(engine: Engine): Promise<void> {
  await engine.check();
  await migrate(engine);
}
