import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import type { Value } from '../database.ts';
import type { SqliteAnswer, SqliteCall, SqliteResult, SqliteSettings } from './start-sqlite-thread.ts';

/** The thread waits this long for another process that writes to the file, such as `waypost operator`. */
const BUSY_LIMIT_MS = 3_000;
/** The file of the write-ahead log is cut to this size after each checkpoint. */
const MAX_LOG_BYTES = 16_000_000;

const { file, isReader } = workerData as SqliteSettings; // See `startSqliteThread`.
const statements = new Map<string, StatementSyncInstance>();
let opened: DatabaseSyncInstance | undefined;

parentPort?.on('message', (call: SqliteCall | 'close') => {
  if (call === 'close') {
    opened?.close();
    parentPort?.close();
  } else {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort?.postMessage(answer(call));
  }
});

function answer({ id, sql, values }: SqliteCall): SqliteAnswer {
  try {
    return { id, ...run(sql, values) };
  } catch (error) {
    const { errcode = 0, message } = error as Error & { readonly errcode?: number }; // SQLite's own errors have it.
    return { id, fault: { errcode, message } };
  }
}

function run(sql: string, values: readonly Value[]): SqliteResult {
  opened ??= open();
  const statement = prepare(opened, sql);
  // `incremental_vacuum` has no columns, but a row for each page that it frees, and it frees only the pages whose rows are read.
  if (!isPragma(sql) && statement.columns().length === 0)
    return { rows: [], changes: statement.run(...values).changes };
  const rows = statement.all(...values);
  return { rows, changes: rows.length };
}

function open(): DatabaseSyncInstance {
  const database = new DatabaseSync(file);
  try {
    database.exec(`pragma busy_timeout = ${BUSY_LIMIT_MS}`);
    // Only a new file can be set to shrink, and setting it takes the lock of a writer.
    if (database.prepare('pragma page_count').get()?.['page_count'] === 0)
      database.exec('pragma auto_vacuum = incremental');
    database.exec(`
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma journal_size_limit = ${MAX_LOG_BYTES};
      pragma foreign_keys = on;
      pragma query_only = ${isReader ? 'on' : 'off'};
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Keeps each statement. The library does not give back the memory of one that is dropped, up to 160 KB, so none may be prepared
 * twice. There are some hundreds, because `inBatches` cuts long lists of values into parts of few lengths.
 */
function prepare(database: DatabaseSyncInstance, sql: string): StatementSyncInstance {
  const known = statements.get(sql);
  if (known) return known;
  // SQLite runs some of them while it prepares them.
  if (isPragma(sql)) return database.prepare(sql);
  const prepared = database.prepare(sql);
  statements.set(sql, prepared);
  return prepared;
}

function isPragma(sql: string): boolean {
  return sql.startsWith('pragma');
}
