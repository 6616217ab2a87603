import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { type Database, type Engine, StoreAwayError, type Value } from './database.ts';
import { followTopics } from './follow-topics.ts';
import { createLead } from './create-lead.ts';
import { type Migration, RECORDING_MIGRATIONS, SHARED_MIGRATIONS, migrate } from './migrate.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

/** Where a portal keeps what must outlive it. */
export type DatabasePlace = {
  readonly dataDir: string;
  /** A PostgreSQL database that several portals share. Without it the data folder has a database of its own. */
  readonly url?: string | undefined;
  /** The same database without the pooler that `url` goes through: a pooler passes on no notices and no locks. */
  readonly directUrl?: string | undefined;
  /** The brand of this portal, where several brands share a database. */
  readonly brand?: string | undefined;
};

export type OpenDatabaseOptions = DatabasePlace & { readonly log: Pick<Logger, 'warn' | 'info' | 'error'> };

const FILE = 'waypost.db';
const RECORDINGS_FILE = 'recordings.db';
/** What to do if that file is damaged: it is in no backup, and nothing else needs it. */
const NEW_RECORDINGS = 'stop the portal, move this file away, and start the portal: it makes a new one';
const DEFAULT_BRAND = 'main';
const TAG_BYTES = 9;
const TRY_AGAIN_MS = 2_000;

/** The database of a portal that has none to share. */
export function findDatabaseFile(dataDir: string): string {
  return join(dataDir, FILE);
}

/** The recordings of a portal that has no database to share. */
export function findRecordingsFile(dataDir: string): string {
  return join(dataDir, RECORDINGS_FILE);
}

/**
 * Opens the database of a portal and makes its tables. Rejects if an operator has to change something first. A database that is
 * away is no reason not to start: its tables are made when it answers.
 */
export async function openDatabase({ log, ...place }: OpenDatabaseOptions): Promise<Database> {
  const { dataDir, url, directUrl = url, brand = DEFAULT_BRAND } = place;
  const engine =
    url && directUrl ? await openPostgres({ url, directUrl }) : openSqlite(findDatabaseFile(dataDir));
  const getReady = createGetReady(engine, engine.isShared ? SHARED_MIGRATIONS : undefined);
  try {
    await getReady();
  } catch (error) {
    if (!(error instanceof StoreAwayError)) {
      await engine.close();
      throw error;
    }
    log.warn({ err: error }, 'the database is away: what needs it waits until it is back');
  }
  return bindDatabase({ engine, getReady, brand, log });
}

/**
 * The database of the recordings: on one machine a file of its own, else the one that the portals share. The file is made when it is
 * used first.
 */
export function openRecordingsDatabase(
  { log, dataDir, brand = DEFAULT_BRAND }: OpenDatabaseOptions,
  database: Database,
): Database {
  if (database.isShared) return { ...database, close: async () => undefined };
  const engine = openSqlite(findRecordingsFile(dataDir), NEW_RECORDINGS);
  return bindDatabase({ engine, getReady: createGetReady(engine, RECORDING_MIGRATIONS), brand, log });
}

type BindOptions = Pick<OpenDatabaseOptions, 'log'> & {
  readonly engine: Engine;
  readonly getReady: () => Promise<void>;
  readonly brand: string;
};

/** Makes an engine the database of one brand. */
function bindDatabase({ engine, getReady, brand, log }: BindOptions): Database {
  const { words } = engine;
  const bind = (sql: string, values: readonly Value[] = []): [sql: string, values: readonly Value[]] => {
    const bound = sql.replaceAll('$now', words.now);
    const kept = values.map(replaceZeros);
    if (!bound.includes('$brand')) return [bound, kept];
    return [bound.replaceAll('$brand', `$${values.length + 1}`), [...kept, brand]];
  };

  const topics = followTopics({
    ask: async (sql, values) => {
      await getReady();
      return engine.ask(...bind(sql, values));
    },
    generation: words.generation,
    log,
  });
  engine.onNotice(topics.look);

  const transaction = bindTransaction(engine.transaction);

  return {
    isShared: engine.isShared,
    brand,
    read: async (sql, values) => {
      await getReady();
      return engine.read(...bind(sql, values));
    },
    change: async (sql, values) => {
      await getReady();
      return engine.change(...bind(sql, values));
    },
    transaction,
    erase: bindTransaction(engine.erase),
    shrink: async () => {
      await getReady();
      await engine.shrink();
    },
    watch: topics.watch,
    lead: createLead({ hold: engine.hold, brand, transaction }),
    state: topics.state,
    close: async () => {
      topics.close();
      await engine.close();
    },
  };

  function bindTransaction(run: Engine['transaction']): Database['transaction'] {
    return async (work) => {
      await getReady();
      let isAnnounced = false;
      const result = await run((tx) => {
        isAnnounced = false;
        return work({
          query: (sql, values) => tx.query(...bind(sql, values)),
          change: (sql, values) => tx.change(...bind(sql, values)),
          announce: async (topic) => {
            isAnnounced = true;
            await tx.query(words.announce, [brand, topic, randomBytes(TAG_BYTES).toString('base64url')]);
          },
          lock: async (table) => void (await tx.query(words.lock(table))),
        });
      });
      if (isAnnounced) topics.look();
      return result;
    };
  }
}

/**
 * PostgreSQL refuses a text with the character of number 0, and SQLite ends it there. A visitor may have sent it, and what others sent in the
 * same batch must not be lost with it.
 */
function replaceZeros(value: Value): Value {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

/** Makes the tables once. If that fails, a call tries again after 2 s: at the start, rooms ask one after the other, and each would wait. */
function createGetReady(engine: Engine, migrations?: readonly Migration[]): () => Promise<void> {
  let ready: Promise<void> | undefined;
  return () => {
    ready ??= prepare(engine, migrations).catch((error: unknown) => {
      setTimeout(() => (ready = undefined), TRY_AGAIN_MS).unref();
      throw error;
    });
    return ready;
  };
}

async function prepare(engine: Engine, migrations?: readonly Migration[]): Promise<void> {
  await engine.check();
  await migrate(engine, migrations && { migrations });
}
