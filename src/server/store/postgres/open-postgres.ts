import { existsSync } from 'node:fs';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { withDeadline } from '../../process/with-deadline.ts';
import {
  CALL_LIMIT_MS,
  type Engine,
  type EngineTransaction,
  type EngineWords,
  MAX_WAITING_CALLS,
  type Row,
  StoreAwayError,
  StoreFaultError,
  UncertainCommitError,
  type Value,
} from '../database.ts';
import { retryConflicts } from '../retry-conflicts.ts';
import { openDirectConnection } from './open-direct-connection.ts';
import { explainPostgresFault, isAnswerOfServer } from './explain-postgres-fault.ts';

export type PostgresAddress = {
  readonly url: string;
  /** The same database without a pooler. */
  readonly directUrl: string;
};

/** What is announced is announced to all brands of a database: each looks at its own topics. */
const CHANNEL = 'waypost';
const WORDS: EngineWords = {
  now: '(extract(epoch from clock_timestamp()) * 1000)::bigint',
  // A standby that took over has another timeline, and another server has another identifier.
  generation: `(select s.system_identifier || ':' || c.timeline_id
    from pg_control_system() as s, pg_control_checkpoint() as c)`,
  announce: `with noted as (
      insert into topics (brand, topic, number, tag) values ($1, $2, 1, $3)
      on conflict (brand, topic) do update set number = topics.number + 1, tag = excluded.tag
    ) select pg_notify('${CHANNEL}', '')`,
  lock: (table) => `lock table ${table} in access exclusive mode`,
};
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
export async function openPostgres({ url, directUrl }: PostgresAddress): Promise<Engine> {
  // Imported here, so that a portal without PostgreSQL does not load the library.
  const { default: pg } = await import('pg');
  const name = describeUrl(url);
  for (const given of [url, directUrl]) refuseMissingFiles(name, given);
  const settings = {
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
  };
  const pool = new pg.Pool({
    ...settings,
    connectionString: url,
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: IDLE_LIMIT_MS,
  });
  const direct = openDirectConnection({
    createClient: () => new pg.Client({ ...settings, connectionString: directUrl }),
    channel: CHANNEL,
  });
  // An error that nobody listens to would end the process. The next call finds out by itself.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  const { run, runTransaction } = createPoolCalls(pool, name);

  return {
    name,
    isShared: true,
    words: WORDS,
    check: () =>
      checkVersion(name, explainErrors(name, pool.query<{ server_version: string }>('show server_version'))),
    read: async <R extends Row>(sql: string, values: readonly Value[] = []) =>
      (await run(sql, values)).rows as readonly R[], // The caller knows the columns that it asks for.
    change: (sql, values = []) => retryConflicts(async () => (await run(sql, values)).rowCount ?? 0),
    transaction: (work) => retryConflicts(() => runTransaction(SERIALIZABLE, work)),
    shrink: async () => undefined,
    erase: (work) => retryConflicts(() => runTransaction(SERIALIZABLE, work)),
    transactAlone: (work) => retryConflicts(() => runTransaction(ALONE, work)),
    ask: async <R extends Row>(sql: string, values: readonly Value[] = []) =>
      (await explainErrors(name, direct.ask(sql, values))) as readonly R[], // As above.
    onNotice: direct.onNotice,
    hold: (key) => explainErrors(name, direct.hold(key)),
    // A server that hangs does not answer a goodbye either.
    close: () => withDeadline(end(), CALL_LIMIT_MS, `${name} was not closed in time`).catch(() => undefined),
  };

  async function end(): Promise<void> {
    await direct.close();
    await pool.end();
  }
}

type PoolCalls = {
  /** Runs one statement on a connection that is free, or waits for one. */
  readonly run: (sql: string, values: readonly Value[]) => Promise<QueryResult>;
  readonly runTransaction: <T>(
    begin: readonly string[],
    work: (transaction: EngineTransaction) => Promise<T>,
  ) => Promise<T>;
};

/** The calls over the pool of connections. What the database refuses is said in words. */
function createPoolCalls(pool: Pool, name: string): PoolCalls {
  const explain = <T>(call: Promise<T>): Promise<T> => explainErrors(name, call);
  return {
    run: (sql, values) => {
      refuseIfFull();
      return explain(pool.query(sql, [...values]));
    },
    runTransaction,
  };

  function refuseIfFull(): void {
    if (pool.waitingCount < MAX_WAITING_CALLS) return;
    throw new StoreAwayError(`${name}: ${MAX_WAITING_CALLS} calls wait already`);
  }

  async function runTransaction<T>(
    begin: readonly string[],
    work: (transaction: EngineTransaction) => Promise<T>,
  ): Promise<T> {
    refuseIfFull();
    const client = await explain(pool.connect());
    let isUsable = false;
    try {
      for (const statement of begin) await explain(client.query(statement));
      const result = await work({
        query: async <R extends Row>(sql: string, values: readonly Value[] = []) =>
          (await explain(client.query(sql, [...values]))).rows as readonly R[], // As above.
        change: async (sql, values = []) => (await explain(client.query(sql, [...values]))).rowCount ?? 0,
      });
      await commit(client, name);
      isUsable = true;
      return result;
    } finally {
      // A connection on which something failed may hang, or be in the middle of a transaction: it is thrown away.
      client.release(!isUsable);
    }
  }
}

/** Says in words what the database refuses. What the work of a transaction throws itself is left as it is. */
async function explainErrors<T>(name: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw explainPostgresFault(name, error);
  }
}

/** The host and the name of the database, without the user and the password. */
function describeUrl(url: string): string {
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}

/** The library reads them at each connection, and would say nothing but ENOENT. */
function refuseMissingFiles(name: string, url: string): void {
  for (const option of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = new URL(url).searchParams.get(option);
    if (file !== null && !existsSync(file))
      throw new StoreFaultError(`${name}: there is no file ${file}: correct ${option} in its address`);
  }
}

async function checkVersion(
  name: string,
  asked: Promise<QueryResult<{ readonly server_version: string }>>,
): Promise<void> {
  const version = (await asked).rows[0]?.server_version ?? '';
  if (Number.parseInt(version, 10) >= OLDEST_VERSION) return;
  throw new StoreFaultError(`${name} is version ${version}: Waypost needs ${OLDEST_VERSION} or newer`);
}

async function commit(client: PoolClient, name: string): Promise<void> {
  let answer: QueryResult;
  try {
    answer = await client.query('commit');
  } catch (error) {
    if (isAnswerOfServer(error)) throw explainPostgresFault(name, error);
    throw new UncertainCommitError('the database did not answer, so the change may have been made', {
      cause: error,
    });
  }
  // If the work has caught the error of a statement, the server keeps nothing, and answers the commit without an error.
  if (answer.command !== 'COMMIT')
    throw new Error('nothing was kept: a statement before the commit has failed');
}
