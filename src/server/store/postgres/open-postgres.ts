import type { Pool, PoolClient } from 'pg';
import {
  CALL_LIMIT_MS,
  type Engine,
  MAX_WAITING_CALLS,
  type Row,
  StoreAwayError,
  StoreFaultError,
  type Transaction,
  UncertainCommitError,
  type Value,
} from '../database.ts';
import { retryConflicts } from '../retry-conflicts.ts';
import { explainPostgresFault, isAnswerOfServer } from './explain-postgres-fault.ts';

/** A portal has at most 3 connections: these, and one more that hears what other portals change. */
const MAX_CONNECTIONS = 2;
const IDLE_LIMIT_MS = 60_000;
const OLDEST_VERSION = 15;
/** The server gives numbers of these types as text, because they may be larger than a number of JavaScript. Ours are not. */
const NUMBER_TYPES: ReadonlySet<number> = new Set([20, 1700]);
const SERIALIZABLE = ['begin isolation level serializable'];
/**
 * Each statement sees what was kept before it, and not only what was kept before the wait for the lock. Any number will do, if
 * nothing else in the database uses it.
 */
const ALONE = ['begin isolation level read committed', 'select pg_advisory_xact_lock(2002872688)'];

/** Opens a PostgreSQL database. Connections are made when they are needed, and made again after they were lost. */
export async function openPostgres(url: string): Promise<Engine> {
  // Imported here, so that a portal without PostgreSQL does not load the library.
  const { default: pg } = await import('pg');
  const name = describeUrl(url);
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: IDLE_LIMIT_MS,
    connectionTimeoutMillis: CALL_LIMIT_MS,
    // The server's own limit ends a slow statement. The second one ends the wait for a server that hangs.
    statement_timeout: CALL_LIMIT_MS,
    query_timeout: CALL_LIMIT_MS,
    keepAlive: true,
    application_name: 'waypost',
    types: {
      getTypeParser: ((type: number, format?: 'text') =>
        NUMBER_TYPES.has(type)
          ? Number
          : pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser, // The overload for text.
    },
  });
  // An error that nobody listens to would end the process. The next call finds out by itself.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  return {
    name,
    check: () => run(async () => checkVersion(pool, name)),
    read: <R extends Row>(sql: string, values: readonly Value[] = []) =>
      // The caller knows the columns that it asks for.
      run(async () => (await pool.query(sql, [...values])).rows as readonly R[]),
    transaction: (work) => retryConflicts(() => run(() => runTransaction(pool, SERIALIZABLE, work))),
    transactAlone: (work) => retryConflicts(() => run(() => runTransaction(pool, ALONE, work))),
    close: () => pool.end(),
  };

  async function run<T>(call: () => Promise<T>): Promise<T> {
    if (pool.waitingCount >= MAX_WAITING_CALLS)
      throw new StoreAwayError(`${name}: ${MAX_WAITING_CALLS} calls wait already`);
    try {
      return await call();
    } catch (error) {
      throw explainPostgresFault(name, error);
    }
  }
}

/** The host and the name of the database, without the user and the password. */
function describeUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}

async function checkVersion(pool: Pool, name: string): Promise<void> {
  const { rows } = await pool.query<{ server_version: string }>('show server_version');
  const version = rows[0]?.server_version ?? '';
  if (Number.parseInt(version, 10) >= OLDEST_VERSION) return;
  throw new StoreFaultError(`${name} is version ${version}: Waypost needs ${OLDEST_VERSION} or newer`);
}

async function runTransaction<T>(
  pool: Pool,
  begin: readonly string[],
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let isUsable = false;
  try {
    for (const statement of begin) await client.query(statement);
    const result = await runWork(client, work);
    await commit(client);
    isUsable = true;
    return result;
  } finally {
    // A connection on which something failed may hang, or be in the middle of a transaction: it is thrown away.
    client.release(!isUsable);
  }
}

function runWork<T>(client: PoolClient, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  return work({
    query: async <R extends Row>(sql: string, values: readonly Value[] = []) =>
      (await client.query(sql, [...values])).rows as readonly R[], // The caller knows the columns that it asks for.
    change: async (sql, values = []) => (await client.query(sql, [...values])).rowCount ?? 0,
  });
}

async function commit(client: PoolClient): Promise<void> {
  try {
    await client.query('commit');
  } catch (error) {
    if (isAnswerOfServer(error)) throw error;
    throw new UncertainCommitError('the database did not answer, so the change may have been made', {
      cause: error,
    });
  }
}
