import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createLimit } from '../../../contract/create-limit.ts';
import { giveToOwner } from '../give-to-owner.ts';
import { readCode } from '../../../contract/read-code.ts';
import { withDeadline } from '../../process/with-deadline.ts';
import {
  CALL_LIMIT_MS,
  ConflictError,
  type Engine,
  type EngineTransaction,
  type EngineWords,
  MAX_WAITING_CALLS,
  type Query,
  type Row,
  StoreAwayError,
  StoreFullError,
  UncertainCommitError,
} from '../database.ts';
import { retryConflicts } from '../retry-conflicts.ts';
import { type SqliteThread, startSqliteThread } from './start-sqlite-thread.ts';

export type SqliteEngine = Engine & {
  /** Writes a copy of the whole database to a new file, while others read and write. */
  readonly copyTo: (file: string) => Promise<void>;
};

const WORDS: EngineWords = {
  now: "cast(unixepoch('subsec') * 1000 as integer)",
  // A file that is replaced under a portal is noticed by what it holds.
  generation: "''",
  announce: `insert into topics (brand, topic, number, tag) values ($1, $2, 1, $3)
    on conflict (brand, topic) do update set number = topics.number + 1, tag = excluded.tag`,
  // A transaction has the whole file for itself.
  lock: () => 'select 1',
};
/** Pages, of 4 KB each. */
const FREED_AT_ONCE = 1_000;
/** A copy is one long call. */
const COPY_LIMIT_MS = 600_000;

/** Opens a SQLite file. One thread writes, one transaction after the other; another one reads meanwhile. */
export function openSqlite(file: string, ifDamaged?: string): SqliteEngine {
  const writer = startSqliteThread({ file, isReader: false, ifDamaged });
  const reader = startSqliteThread({ file, isReader: true, ifDamaged });
  const inTurn = createLimit(1, {
    maxWaiting: MAX_WAITING_CALLS,
    refuse: () => {
      throw new StoreAwayError(`${file}: ${MAX_WAITING_CALLS} transactions wait already`);
    },
  });

  const countFree = async (): Promise<number> =>
    Number((await writer.run('pragma freelist_count')).rows[0]?.['freelist_count'] ?? 0);

  const transaction: Engine['transaction'] = (work) =>
    retryConflicts(() => inTurn(() => runTransaction(writer, work)));

  return {
    name: file,
    isShared: false,
    words: WORDS,
    check: () => withDeadline(createPrivateFile(file), CALL_LIMIT_MS, `${file}: its folder does not answer`),
    read: createQuery(reader),
    change: (sql, values) =>
      retryConflicts(() => inTurn(async () => (await writer.run(sql, values)).changes)),
    transaction,
    erase: async (work) => {
      const result = await retryConflicts(() => inTurn(() => runErasure(writer, work)));
      // The write-ahead log still holds the deleted content.
      const { rows } = await inTurn(() => writer.run('pragma wal_checkpoint(truncate)'));
      if (rows[0]?.['busy'] === 1)
        throw new StoreAwayError(
          `${file}: the rows were removed, but the log of the file still has them, because another process reads it. Erase again when that process is done`,
        );
      return result;
    },
    shrink: async () => {
      for (let before = Infinity, free = await countFree(); free > 0 && free < before;) {
        await inTurn(() => writer.run(`pragma incremental_vacuum(${FREED_AT_ONCE})`));
        [before, free] = [free, await countFree()];
      }
      // The freed pages are in the write-ahead log until this checkpoint.
      await inTurn(() => writer.run('pragma wal_checkpoint(passive)'));
    },
    // All transactions wait for each other, also those of other processes.
    transactAlone: transaction,
    ask: createQuery(reader),
    // Other processes, such as commands, send no notices: what they change is seen when it is looked for.
    onNotice: () => undefined,
    // One portal has the file for itself.
    hold: async () => ({ isHeld: () => true }),
    copyTo: async (copy) => {
      // The writer must stay free, and the reader may write nothing, not even another file.
      const copier = startSqliteThread({ file, isReader: false });
      try {
        await copier.run('vacuum into $1', [copy], COPY_LIMIT_MS);
      } finally {
        await copier.close();
      }
    },
    close: async () => {
      await Promise.all([reader.close(), writer.close()]);
    },
  };
}

/** SQLite would make a file that others can read, and that belongs to root where root runs a command. */
async function createPrivateFile(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    if (existsSync(file)) return;
    await (await open(file, 'a', 0o600)).close();
    await giveToOwner(file);
  } catch (error) {
    throw new StoreAwayError(`${file} cannot be made (${readCode(error)})`, { cause: error });
  }
}

async function runTransaction<T>(
  writer: SqliteThread,
  work: (transaction: EngineTransaction) => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    await writer.run('begin immediate');
    result = await work({
      query: createQuery(writer),
      change: async (sql, values) => (await writer.run(sql, values)).changes,
    });
  } catch (error) {
    await rollBack(writer);
    throw error;
  }
  try {
    await writer.run('commit');
    return result;
  } catch (error) {
    await rollBack(writer);
    if (error instanceof ConflictError || error instanceof StoreFullError) throw error;
    throw new UncertainCommitError('the disk did not answer, so the change may have been made', {
      cause: error,
    });
  }
}

/** The setting is the connection's, so no other transaction may change it meanwhile. */
async function runErasure<T>(
  writer: SqliteThread,
  work: (transaction: EngineTransaction) => Promise<T>,
): Promise<T> {
  await writer.run('pragma secure_delete = on');
  try {
    return await runTransaction(writer, work);
  } finally {
    await writer.run('pragma secure_delete = fast');
  }
}

async function rollBack(writer: SqliteThread): Promise<void> {
  // There may be nothing to roll back: SQLite did so itself, or the transaction never began.
  await writer.run('rollback').catch(() => undefined);
}

function createQuery(thread: SqliteThread): Query {
  // The caller knows the columns that it asks for.
  return async <R extends Row>(sql: string, values?: readonly Row[string][]) =>
    (await thread.run(sql, values)).rows as readonly R[];
}
