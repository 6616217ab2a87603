import { ConflictError, StoreAwayError, StoreFaultError, StoreFullError } from '../database.ts';
import type { SqliteFault, SqliteSettings } from './start-sqlite-thread.ts';

/** Result codes of SQLite: https://sqlite.org/rescode.html */
const BUSY = 5;
const READ_ONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;
const RESTORE =
  'stop the portal, move the data folder away, and make a new one from a backup with "waypost restore"';
/** The lower byte of a code is its kind. */
const KIND_MASK = 0xff;

/** Makes an error of what SQLite said: one that tells the operator what to do, where there is something to do. */
export function explainSqliteFault(
  { file, ifDamaged }: Pick<SqliteSettings, 'file' | 'ifDamaged'>,
  { errcode, message }: SqliteFault,
): Error {
  const cause = new Error(message);
  switch (errcode & KIND_MASK) {
    case BUSY:
      return new ConflictError(`${file}: another process writes to it`, { cause });
    case CORRUPT:
    case NOT_A_DATABASE:
      return new StoreFaultError(`${file} is damaged (${message}): ${ifDamaged ?? RESTORE}`, { cause });
    case FULL:
      return new StoreFullError(`${file}: the disk is full`, { cause });
    case READ_ONLY:
    case CANNOT_OPEN:
      return new StoreAwayError(`${file}: the user who runs the portal cannot write to it (${message})`, {
        cause,
      });
    case IO_ERROR:
      return new StoreAwayError(`${file}: the disk has a fault (${message})`, { cause });
    default:
      // A statement that is wrong: a mistake of ours.
      return new Error(`${file}: ${message}`, { cause });
  }
}
